/**
 * A session as JSON Lines: a header, the records of the session and of the sessions it delegated
 * to (owners before what they own), and an end that proves that nothing is cut off.
 */
export const FORMAT = 'belay-session';

/** Raised when an older Belay could not read the file any more. */
export const FORMAT_VERSION = 1;

/** Fields whose text is never masked: names of records and of kinds, and bytes that must stay exact. */
export const EXACT_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'format',
  'role',
  'origin',
  'state',
  'mode',
  'purpose',
  'strategy',
  'id',
  'sessionId',
  'parentId',
  'runId',
  'callId',
  'callIds',
  'messageId',
  'summaryId',
  'compactionId',
  'questionId',
  'resultId',
  'finishedCallIds',
  'promptHash',
  'mediaType',
  'data',
  'signature',
  'redacted',
]);
