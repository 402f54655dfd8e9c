import { withAgentRename } from '../../../../src/core/review/model/agent-edits.ts';
import { ABSENT, newReview, textContent } from '../../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../../src/core/review/model/file-review.ts';

import { agentEdited } from '../../../support/review/attribution.ts';

export const byAgent: Attribution = {
  by: 'agent',
  sessionId: 's1',
  messageId: 'm1',
  callId: 'c1',
  tool: 'edit_file',
  why: '',
  at: 1,
};

const contentOf = (text: string | undefined): Content =>
  text === undefined ? ABSENT : textContent(text);

/** A file that an agent made another one; `undefined`: it is not there. */
export function edited(
  path: string,
  before: string | undefined,
  after: string | undefined,
  by: Attribution = byAgent,
): FileReview {
  return agentEdited(newReview(path, contentOf(before)), contentOf(after), by);
}

export function renamed(from: string, to: string, text: string): FileReview {
  return withAgentRename(undefined, { path: from, content: textContent(text) }, to, byAgent);
}
