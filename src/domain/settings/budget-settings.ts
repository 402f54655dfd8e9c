import { integer, number } from './setting.ts';

/** A limit that only the person sets; 0: none. */
const cap = (description: string) => number(0, 0, 1_000_000, 'application', description);
const tokenCap = (description: string) =>
  integer(0, 0, 1_000_000_000_000, 'application', description);

/** The caps of what runs may use (A2). */
export const BUDGET_SETTINGS = {
  'budget.runCost': cap('US dollars that one run may cost. `0`: no limit.'),
  'budget.runTokens': tokenCap('Tokens that one run may use. `0`: no limit.'),
  'budget.runMinutes': cap('Minutes that models may work for one run. `0`: no limit.'),
  'budget.sessionCost': cap('US dollars that one session may cost. `0`: no limit.'),
  'budget.sessionTokens': tokenCap('Tokens that one session may use. `0`: no limit.'),
  'budget.sessionMinutes': cap('Minutes that models may work for one session. `0`: no limit.'),
  'budget.dailyCost': cap(
    'US dollars that all sessions together in a day may cost. `0`: no limit.',
  ),
  'budget.dailyTokens': tokenCap(
    'Tokens that all sessions together in a day may use. `0`: no limit.',
  ),
  'budget.dailyMinutes': cap(
    'Minutes that models may work for all sessions together in a day. `0`: no limit.',
  ),
  'budget.monthlyCost': cap(
    'US dollars that all sessions together in 30 days may cost. `0`: no limit.',
  ),
  'budget.monthlyTokens': tokenCap(
    'Tokens that all sessions together may use in 30 days, over all workspaces and windows. `0`: 5,000 for a guest, no limit for others.',
  ),
  'budget.monthlyMinutes': cap(
    'Minutes that models may work for all sessions together in 30 days. `0`: no limit.',
  ),
};
