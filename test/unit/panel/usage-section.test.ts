import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { UsageCall, UsageSum } from '../../../src/core/ports/store/person.ts';
import { usageCsv } from '../../../src/core/budget/usage-csv.ts';
import { fault } from '../../../src/domain/failure.ts';
import { usageSection } from '../../../src/panel/center/usage-section.ts';
import { settingsWith } from '../policies/views.ts';
import { MODELS } from './stage-models.ts';

const sum = (by: UsageSum['by'], key: string, more: Partial<UsageSum> = {}): UsageSum => ({
  by,
  key,
  workspaceId: '',
  workspace: '',
  calls: 2,
  inputTokens: 1_000_000,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost: 3,
  saved: 0.5,
  unpriced: 0,
  ...more,
});

const SUMS = [
  sum('day', '2026-11-21'),
  sum('session', 's1-1', { workspaceId: 'w', workspace: 'app' }),
  sum('tool', 'mcp__files__read_file', { calls: 0.5 }),
  sum('tool', 'mcp__files__list', { calls: 1 }),
  sum('tool', 'read_file', { cost: 0, unpriced: 2 }),
];

const CALL: UsageCall = {
  at: 0,
  workspace: '=cmd|calc',
  session: 's1-1',
  run: 'r1-1',
  model: 'a "model", that',
  provider: '+1',
  purpose: 'turn',
  tools: '["@evil"]',
  inputTokens: 5,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost: null,
  saved: -0.25,
  ms: 12,
};

describe('budgets and usage in the Control Center', () => {
  const saved: string[] = [];
  const section = (fails = false) =>
    usageSection({
      records: {
        uses: async (caps) => {
          if (fails) throw fault('store', told`It is damaged.`);
          return Promise.resolve(caps.map((cap) => ({ ...cap, used: cap.limit / 2 })));
        },
        sums: async () => Promise.resolve(SUMS),
        calls: async () => Promise.resolve([CALL]),
        accounts: async () => Promise.resolve([{ provider: 'github', id: '7', label: 'me' }]),
      },
      settings: settingsWith({ 'budget.usdPerDay': 5, 'budget.tokensPerRun': 1000 }),
      now: () => 0,
      models: () => MODELS,
      sessions: async () => Promise.resolve([{ id: 's1-1', title: 'Mend it' }]),
      save: async (text) => {
        saved.push(text);
        return Promise.resolve(true);
      },
    });

  it('each cap with its use and its setting; sums by day, session, tool and server', async () => {
    const { caps, person, total, groups } = await section().readUsage({});
    assert.equal(person, 'You are “owner” over all workspaces and windows. Linked accounts: me.');
    assert.deepEqual(
      caps.map(({ name, share, setting }) => [name, share, setting]),
      [
        ['Each run', null, 'budget.tokensPerRun'],
        ['A day', 0.5, 'budget.usdPerDay'],
      ],
    );
    assert.match(caps[1]?.said ?? '', /^\$2\.50 of \$5\.00 are used\./u);
    assert.match(total, /2 requests, 1,000,000 tokens, \$3\.00.*The prompt cache saved \$0\.50/u);
    const names = Object.fromEntries(
      groups.map(({ by, rows }) => [by, rows.map(({ name }) => name)]),
    );
    assert.deepEqual(names['session'], ['Mend it (app)']);
    assert.deepEqual(names['server'], ['files']);
    const tools = groups.find(({ by }) => by === 'tool')?.rows;
    assert.equal(tools?.at(-1)?.cost, '–', 'a price that is not known is not 0');
  });

  it('a session with the prices of other models, the cheapest first', async () => {
    const compared = await section().compareSession({ workspace: 'w', session: 's1-1' });
    const dollars = compared.map(({ cost }) => Number(cost.slice(1)));
    assert.ok(dollars.length > 1);
    assert.deepEqual(
      dollars,
      dollars.toSorted((one, other) => one - other),
    );
    assert.deepEqual(await section().compareSession({ workspace: 'x', session: 's1-1' }), []);
  });

  it('a database that cannot be read is said, and nothing else is shown', async () => {
    assert.equal((await section(true).readUsage({})).problem, 'It is damaged.');
  });

  it('no cell of the export is a formula', async () => {
    await section().exportUsage({});
    const [head, row] = (saved[0] ?? '').split('\r\n');
    assert.match(head ?? '', /^at,workspace,session/u);
    assert.equal(
      row,
      `1970-01-01T00:00:00.000Z,"'=cmd|calc","s1-1","r1-1","a ""model"", that","'+1","turn","[""@evil""]",5,0,0,0,"",-0.25,12`,
    );
    assert.match(usageCsv([{ ...CALL, model: ' \t=1' }]), /"' \t=1"/u);
  });
});
