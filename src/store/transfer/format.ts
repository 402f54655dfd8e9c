import { wordSet } from '../../domain/text/words.ts';
/**
 * A session as JSON Lines: header, records of it and of those it delegated to (owners first), an end against cutting
 * off.
 */
export const FORMAT = 'belay-session';

/** Raised when an older Belay could not read the file any more. */
export const FORMAT_VERSION = 2;

/** Of a file without pending changes, which any Belay reads. */
export const PLAIN_VERSION = 1;

/** Fields whose text is never masked: names of records and of kinds, and bytes that must stay exact. */
export const EXACT_FIELDS = wordSet(`
  type kind format role origin state mode purpose strategy id sessionId parentId runId callId
  callIds messageId summaryId compactionId questionId resultId finishedCallIds promptHash
  mediaType data bytes hash signature redacted
`);
