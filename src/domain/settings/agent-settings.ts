import { flag, integer, list, text } from './setting.ts';

/** Settings of what works beside the conversation (B2, B13): titles, summaries, sub-agents. */
export const AGENT_SETTINGS = {
  'model.smallModel': text(
    '',
    'application',
    'Model for titles and summaries. Empty: a cheap one of the same provider.',
  ),
  'model.titleModel': text('', 'application', 'Model for titles. Empty: the small model.'),
  'model.summaryModel': text('', 'application', 'Model for summaries. Empty: the small model.'),
  'model.taskModel': text(
    '',
    'application',
    'Model for sub-agents. Empty: that of the session that delegates.',
  ),
  'agents.depth': integer(
    1,
    0,
    3,
    'application',
    'How deep tasks may be delegated: `1`: the agent has sub-agents, `2`: these have some of their own. `0`: there are none.',
  ),
  'agents.writers': flag(
    true,
    'application',
    'Sub-agents may change files, each in a git worktree of its own. What they changed arrives as pending changes.',
  ),
  'agents.budgetShare': integer(
    50,
    1,
    100,
    'application',
    'Percent of the budget of a run and of a session that one sub-agent may use. All of them together count for those budgets as the agent itself does.',
  ),
  'agents.deniedTools': list(
    [],
    'application',
    'Names of tools that no sub-agent gets, beside those that only make sense in a conversation with you.',
  ),
  'agents.deniedToolsOfLeaves': list(
    [],
    'application',
    'Names of tools that sub-agents do not get that cannot delegate any further.',
  ),
};
