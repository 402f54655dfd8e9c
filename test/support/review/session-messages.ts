import type { Message, Part } from '../../../src/domain/message.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import {
  type Attribution,
  newReview,
  textContent,
} from '../../../src/core/review/model/file-review.ts';
import { agentEdited } from './attribution.ts';
import { hunksOf, type PendingChange } from '../../../src/core/review/model/hunks.ts';

export const by = (callId: string, at: number): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'request',
  callId,
  tool: 'edit_file',
  why: 'because',
  at,
});
/** A change of one line by a call. */
export const change = (callId = 'edit', at = 100): PendingChange => {
  const review = agentEdited(
    newReview('/w/a.ts', textContent('1\n2')),
    textContent('1\nx'),
    by(callId, at),
  );
  return { review, hunk: hunksOf(review)[0] };
};
let seq = 0;

/** Another session begins. */
export const newSession = (): void => {
  seq = 0;
};

/** The next message of the session. */
export const message = (
  role: Message['role'],
  parts: readonly Part[],
  more: Partial<Message> = {},
): Message => ({
  id: `m${(seq += 1)}`,
  sessionId: 's',
  seq,
  role,
  parts,
  createdAt: 1000,
  ...more,
});
export const text = (said: string): Part => ({ type: 'text', text: said });
export const call = (id: string): Part => ({ type: 'tool_call', id, name: 'edit_file', input: {} });
export const result = (
  callId: string,
  name: string,
  display: JsonObject,
  elapsedMs?: number,
): Part =>
  ({
    type: 'tool_result',
    callId,
    name,
    content: '',
    display,
    ...(elapsedMs === undefined ? {} : { elapsedMs }),
  }) as unknown as Part;

/** The result of a call that ran tests, which passed. */
export const tested = (callId: string, display: JsonObject = {}): Part =>
  result(callId, 'run_tests', {
    kind: 'tests',
    command: 'npm test',
    exitCode: 0,
    passed: 1,
    ...display,
  });
