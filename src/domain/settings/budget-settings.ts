import { integer, number } from './setting.ts';

/** A limit that only the user sets; 0: none. */
const cap = (description: string) => number(0, 0, 1_000_000, 'application', description);
const tokenCap = (description: string) =>
  integer(0, 0, 1_000_000_000_000, 'application', description);

/** Limits of runs: the properties of `belay.budget`. */
export const BUDGET_SETTINGS = {
  'budget.usdPerRun': cap('US dollars that one run may cost. `0`: no limit.'),
  'budget.tokensPerRun': tokenCap('Tokens that one run may use. `0`: no limit.'),
  'budget.minutesPerRun': cap('Minutes that models may work for one run. `0`: no limit.'),
  'budget.usdPerSession': cap('US dollars that one session may cost. `0`: no limit.'),
  'budget.tokensPerSession': tokenCap('Tokens that one session may use. `0`: no limit.'),
  'budget.minutesPerSession': cap('Minutes that models may work for one session. `0`: no limit.'),
  'budget.usdPerDay': cap(
    'US dollars that all sessions together in a day may cost. `0`: no limit.',
  ),
  'budget.tokensPerDay': tokenCap(
    'Tokens that all sessions together in a day may use. `0`: no limit.',
  ),
  'budget.minutesPerDay': cap(
    'Minutes that models may work for all sessions together in a day. `0`: no limit.',
  ),
  'budget.usdPerMonth': cap(
    'US dollars that all sessions together in 30 days may cost. `0`: no limit.',
  ),
  'budget.tokensPerMonth': tokenCap(
    'Tokens that all sessions together may use in 30 days, over all workspaces and windows. `0`: 5,000 for a guest, no limit for others.',
  ),
  'budget.minutesPerMonth': cap(
    'Minutes that models may work for all sessions together in 30 days. `0`: no limit.',
  ),
};
