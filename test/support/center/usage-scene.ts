import type { UsageRow, UsageView } from '../../../src/protocol/center/usage-view.ts';

const row = (name: string, share: number, more: Partial<UsageRow> = {}): UsageRow => ({
  name,
  session: null,
  calls: '12',
  tokens: Math.round(share * 182_400).toLocaleString('en'),
  cost: `$${(share * 1.4).toFixed(2)}`,
  saved: `$${(share * 0.6).toFixed(2)}`,
  share,
  ...more,
});

/** Two weeks of work under two budgets. */
export const USAGE: UsageView = {
  problem: '',
  person: 'You are “owner” over all workspaces and windows. Linked accounts: me.',
  linked: true,
  caps: [
    { name: 'Each run', said: '$2.00', share: null, setting: 'budget.usdPerRun' },
    {
      name: 'A day',
      said: '$4.35 of $5.00 are used. It starts again on Nov 24, 2026, 12:00 AM.',
      share: 0.87,
      setting: 'budget.usdPerDay',
    },
  ],
  total:
    'In the last 30 days: 168 requests, 1,204,332 tokens, $9.41, over all workspaces. The prompt cache saved $3.80.',
  groups: [
    {
      by: 'day',
      rows: [0.2, 0.45, 0.1, 0.8, 1, 0.6, 0.3, 0.05, 0.5, 0.7].map((share, day) =>
        row(`Nov ${day + 10}, 2026`, share),
      ),
    },
    { by: 'model', rows: [row('large-model', 1), row('small-model', 0.1)] },
    {
      by: 'session',
      rows: [
        row('Mend the parser (app)', 1, { session: { workspace: 'w1', id: 's1-1' } }),
        row('s4-2 (tools)', 0.4, { session: { workspace: 'w2', id: 's4-2' } }),
      ],
    },
    { by: 'tool', rows: [row('read_file', 1), row('mcp__files__read_file', 0.2, { cost: '–' })] },
    { by: 'server', rows: [row('files', 1)] },
  ],
};
