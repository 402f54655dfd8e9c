import { withAgentEdit } from '../../../src/core/review/model/agent-edits.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';

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

/** The agent writes a file that is what its row says. */
export const agentEdited = (row: FileReview, after: Content, who: Attribution): FileReview =>
  withAgentEdit(row, row.path, { before: row.document, after }, who);
