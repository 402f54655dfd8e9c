import type { Attribution } from '../../../src/core/review/model/file-review.ts';

/** A call of an agent, where it does not matter which. */
export const by: Attribution = {
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId: '1',
  tool: 'edit_file',
  why: '',
  at: 1,
};
