import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import { toolResultsOf } from '../../domain/message.ts';
import type { RequestParams } from '../../protocol/requests.ts';
import { RESULTS_WITHIN } from '../session/load-session.ts';
import type { ReviewPart } from '../review/review-part.ts';
import type { PanelRecords, PanelServices } from '../services.ts';
import { type StoredEdit, storedEdits } from './stored-edits.ts';

/**
 * Shows the diff of a call's edit: what waits for approval, else what is pending of it, else what it did as the
 * conversation has it. That one is there as long as its card is.
 */
export async function openCallDiff(
  { later: { editor }, records }: PanelServices,
  review: ReviewPart | undefined,
  { callId, at }: RequestParams<'openDiff'>,
): Promise<void> {
  if ((await review?.openCall(callId)) === true) return;
  const edits = at === undefined ? [] : await editsOf(records, { ...at, callId });
  if (edits.length > 0) return editor.openEdits(callId, edits);
  const message = told`No diff of this edit is on record: the texts were too different to be compared, or nothing was changed. The file shows what became of it.`;
  throw fault('not_found', message);
}

async function editsOf(
  { transcripts }: Pick<PanelRecords, 'transcripts'>,
  { sessionId, seq, callId }: { sessionId: string; seq: number; callId: string },
): Promise<readonly StoredEdit[]> {
  const messages = await transcripts.messages({
    sessionId,
    afterSeq: seq - 1,
    beforeSeq: seq + RESULTS_WITHIN,
  });
  const results = messages.flatMap((message) => toolResultsOf(message));
  return storedEdits(results.find((part) => part.callId === callId)?.display);
}
