import { type BelayError, fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Part, ToolResultPart } from '../../domain/message.ts';
import { toolCallsOf, toolResultsOf } from '../../domain/message.ts';
import type { RequestParams, RequestResult } from '../../protocol/requests.ts';
import { RESULTS_WITHIN } from './load-session.ts';
import { protocolResult, serverResult } from '../cards/server-result.ts';
import { titleOf } from '../cards/tool-title.ts';
import type { AppToOpen, PanelRecords, ResourceToOpen } from '../services.ts';
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
  if (what === 'input') {
    const messages = await transcripts.messages({
      sessionId,
      afterSeq: seq - 1,
      beforeSeq: seq + 1,
    });
    const call = messages
      .flatMap((message) => toolCallsOf(message))
      .find((part) => part.id === callId);
    if (call === undefined) throw gone();
    return page(inputText(call), offset);
  }
  const result = await resultOf({ transcripts }, { sessionId, seq, callId });
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

/** The result of a call, by the message with the call. */
async function resultOf(
  { transcripts }: Pick<PanelRecords, 'transcripts'>,
  {
    sessionId,
    seq,
    callId,
  }: { readonly sessionId: string; readonly seq: number; readonly callId: string },
): Promise<ToolResultPart> {
  const beforeSeq = seq + RESULTS_WITHIN;
  const messages = await transcripts.messages({ sessionId, afterSeq: seq - 1, beforeSeq });
  const result = messages
    .flatMap((message) => toolResultsOf(message))
    .find((part) => part.callId === callId);
  if (result === undefined) throw gone();
  return result;
}

/** A resource of a server's result, with its text where that came along. */
export async function resourceToOpen(
  { transcripts }: Sources,
  params: RequestParams<'openResource'>,
): Promise<ResourceToOpen> {
  const { content, cut, display } = await resultOf({ transcripts }, params);
  const found = serverResult(display);
  const resource = found?.resources[params.index];
  if (found === undefined || resource === undefined) throw gone();
  const { part, ...named } = resource;
  const body = part === undefined || cut !== undefined ? undefined : content[part];
  // Its first line names it for the model.
  const text = body?.type === 'text' ? body.text.slice(body.text.indexOf('\n') + 1) : undefined;
  return { ...named, server: found.server, ...(text === undefined ? {} : { text }) };
}

/** The app of a call, with all that it shows. */
export async function appToOpen(
  { transcripts }: Sources,
  params: RequestParams<'openApp'>,
): Promise<AppToOpen> {
  const { sessionId, seq, callId } = params;
  const [message] = await transcripts.messages({
    sessionId,
    afterSeq: seq - 1,
    beforeSeq: seq + 1,
  });
  const call = message && toolCallsOf(message).find((part) => part.id === callId);
  const result = await resultOf({ transcripts }, params);
  const found = serverResult(result.display);
  if (found?.page === undefined || call === undefined) throw gone();
  const { server, page: uri } = found;
  const tool = titleOf(call.name, {}).title;
  const { input } = call;
  return { server, uri, tool, sessionId, callId, input, result: protocolResult(result, found) };
}

/** Bytes that were too big for a snapshot. */
export async function loadBinary(
  { transcripts }: Sources,
  { sessionId, seq, index, callId }: RequestParams<'loadBinary'>,
): Promise<RequestResult<'loadBinary'>> {
  if (callId !== undefined) {
    const { content } = await resultOf({ transcripts }, { sessionId, seq, callId });
    return bytesOf(content[index]);
  }
  const [message] = await transcripts.messages({
    sessionId,
    afterSeq: seq - 1,
    beforeSeq: seq + 1,
  });
  return bytesOf(message?.parts[index]);
}

function bytesOf(part: Part | undefined): RequestResult<'loadBinary'> {
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
  const message = told`This is not on record: it may still be being written, or the session was deleted.`;
  return fault('not_found', message);
}
