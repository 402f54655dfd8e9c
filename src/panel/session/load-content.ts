import { type BelayError, fault } from '../../domain/failure.ts';
import { toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import type { RequestParams, RequestResult } from '../../protocol/requests.ts';
import { RESULTS_WITHIN } from './load-session.ts';
import type { PanelRecords } from '../services.ts';
import { shownDisplay } from '../cards/tool-details.ts';
import { inputText, resultText } from '../cards/tool-view.ts';

/** Characters of one page of a big result. */
const PAGE = 200_000;

type Sources = Pick<PanelRecords, 'transcripts' | 'blobs'>;

/** Arguments, the result or the diff of a call, a page at a time; the whole result where it was cut (E3). */
export async function loadResult(
  { transcripts, blobs }: Sources,
  { sessionId, seq, callId, what, offset }: RequestParams<'loadResult'>,
): Promise<RequestResult<'loadResult'>> {
  const messages = await transcripts.messages({
    sessionId,
    afterSeq: seq - 1,
    beforeSeq: seq + (what === 'input' ? 1 : RESULTS_WITHIN),
  });
  if (what === 'input') {
    const call = messages
      .flatMap((message) => toolCallsOf(message))
      .find((part) => part.id === callId);
    if (call === undefined) throw gone();
    return page(inputText(call), offset);
  }
  const result = messages
    .flatMap((message) => toolResultsOf(message))
    .find((part) => part.callId === callId);
  if (result === undefined) throw gone();
  if (what === 'diff') return page(shownDisplay(result.display).change?.diff ?? '', offset);
  if (result.cut !== undefined) {
    const whole = await blobs.result(sessionId, result.cut.resultId, offset, PAGE);
    if (whole !== undefined) {
      const next = offset + whole.text.length;
      return { text: whole.text, total: whole.total, next: next < whole.total ? next : null };
    }
  }
  return page(resultText(result.content), offset);
}

/** Bytes that were too big for a snapshot. */
export async function loadBinary(
  { transcripts }: Sources,
  { sessionId, seq, index }: RequestParams<'loadBinary'>,
): Promise<RequestResult<'loadBinary'>> {
  const [message] = await transcripts.messages({
    sessionId,
    afterSeq: seq - 1,
    beforeSeq: seq + 1,
  });
  const part = message?.parts[index];
  if (part?.type !== 'binary') throw gone();
  return { mediaType: part.mediaType, data: part.data };
}

export async function loadSummary(
  { transcripts }: Sources,
  { sessionId, compactionId }: RequestParams<'loadSummary'>,
): Promise<RequestResult<'loadSummary'>> {
  const compactions = await transcripts.compactions(sessionId);
  const compaction = compactions.find((one) => one.id === compactionId);
  if (compaction === undefined) throw gone();
  return { text: compaction.summary };
}

function page(text: string, offset: number): RequestResult<'loadResult'> {
  const next = offset + PAGE;
  return {
    text: text.slice(offset, next),
    total: text.length,
    next: next < text.length ? next : null,
  };
}

function gone(): BelayError {
  const message =
    'This is not on record: it may still be being written, or the session was deleted.';
  return fault('not_found', message);
}
