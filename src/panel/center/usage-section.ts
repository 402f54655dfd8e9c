import * as l10n from '@vscode/l10n';
import { amountWords, dollars, resetWords } from '../../core/budget/budget-words.ts';
import { capsOf, settingOf } from '../../core/budget/caps.ts';
import { usageCsv } from '../../core/budget/usage-csv.ts';
import { costOf } from '../../core/model-call/cost.ts';
import type { PersonRecords, UsageSum } from '../../core/ports/store/person.ts';
import { type CapUse, MONTH_MS } from '../../domain/budget.ts';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import type { ModelInfo } from '../../domain/models/model.ts';
import type { Level } from '../../domain/permissions/level.ts';
import { isServerTool } from '../../domain/mcp/server-tool-name.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { count, numeral, spoken } from '../../domain/text/language.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import {
  type CapRow,
  USAGE_GROUPS,
  type UsageGroup,
  type UsageRow,
  type UsageView,
} from '../../protocol/center/usage-view.ts';

export interface UsageSectionParts {
  readonly records: Pick<PersonRecords, 'uses' | 'sums' | 'calls' | 'accounts'>;
  readonly settings: Settings;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly models: () => readonly ModelInfo[];
  /** Of this workspace. */
  readonly sessions: () => Promise<readonly Pick<Session, 'id' | 'title'>[]>;
  /** Saves a text where the person says; `false`: they gave up. */
  readonly save: (text: string) => Promise<boolean>;
}

/** Models that a session is compared with. */
const MOST_COMPARED = 12;

/** The caps of the person, and what was used in the last 30 days over all workspaces. */
export function usageSection(
  parts: UsageSectionParts,
): Pick<CenterHandlers, 'readUsage' | 'compareSession' | 'exportUsage'> {
  const { records } = parts;
  return {
    readUsage: async () => {
      try {
        return await viewOf(parts);
      } catch (error) {
        const nothing = { person: '', linked: false, caps: [], total: '', groups: [] };
        return { problem: wordsOf(failureOf(error)), ...nothing };
      }
    },
    compareSession: async ({ workspace, session }) => {
      const sum = (await records.sums(0)).find(
        (one) => one.by === 'session' && one.workspaceId === workspace && one.key === session,
      );
      if (sum === undefined) return [];
      return parts
        .models()
        .flatMap(({ name, prices }) =>
          prices === undefined ? [] : [{ name, cost: costOf(sum, prices) }],
        )
        .toSorted((one, other) => one.cost - other.cost)
        .slice(0, MOST_COMPARED)
        .map(({ name, cost }) => ({ name, cost: dollars(cost) }));
    },
    exportUsage: async () => {
      await parts.save(usageCsv(await records.calls()));
      return null;
    },
  };
}

async function viewOf(parts: UsageSectionParts): Promise<UsageView> {
  const { records, settings, now } = parts;
  const [uses, sums, accounts, sessions] = await Promise.all([
    records.uses(capsOf(settings), {}),
    records.sums(now() - MONTH_MS),
    records.accounts(),
    parts.sessions(),
  ]);
  const titles = new Map(sessions.map(({ id, title }) => [id, title]));
  const grouped: Readonly<Record<UsageGroup, readonly UsageSum[]>> = {
    ...Object.fromEntries(
      (['day', 'model', 'session', 'tool'] as const).map((by) => [
        by,
        sums.filter((sum) => sum.by === by),
      ]),
    ),
    server: byServer(sums),
  } as Readonly<Record<UsageGroup, readonly UsageSum[]>>;
  return {
    problem: '',
    person: personWords(
      settings('identity.defaultLevel'),
      accounts.map(({ label }) => makeVisible(label)),
    ),
    linked: accounts.length > 0,
    caps: uses.map(capRow),
    total: totalOf(grouped.day),
    groups: USAGE_GROUPS.map((by) => ({
      by,
      rows: rowsOf(grouped[by], (sum) => nameOf(sum, titles)),
    })),
  };
}

function personWords(level: Level, accounts: readonly string[]): string {
  const own = l10n.t('You are “{0}” over all workspaces and windows.', level);
  return accounts.length === 0
    ? own
    : `${own} ${l10n.t('Linked accounts: {0}.', accounts.join(', '))}`;
}

function capRow(use: CapUse): CapRow {
  const each = use.period === 'run' || use.period === 'session';
  const limit = amountWords(use.limit, use);
  return {
    name: nameOfCap(use),
    said: each
      ? limit
      : [l10n.t('{0} of {1} are used.', amountWords(use.used, use), limit), resetWords(use)].join(
          ' ',
        ),
    share: each ? null : use.used / use.limit,
    setting: settingOf(use),
  };
}

function nameOfCap({ period }: Pick<CapUse, 'period'>): string {
  switch (period) {
    case 'run':
      return l10n.t('Each run');
    case 'session':
      return l10n.t('Each session');
    case 'day':
      return l10n.t('A day');
    case 'month':
      return l10n.t('A month (30 days)');
    default:
      return period satisfies never;
  }
}

function totalOf(days: readonly UsageSum[]): string {
  const add = (of: (sum: UsageSum) => number): number =>
    days.reduce((total, sum) => total + of(sum), 0);
  const saved = add((sum) => sum.saved);
  return [
    l10n.t(
      'In the last 30 days: {0}, {1}, {2}, over all workspaces.',
      count(
        add(({ calls }) => calls),
        'request',
      ),
      amountWords(add(tokensOf), { unit: 'tokens' }),
      dollars(add(({ cost }) => cost)),
    ),
    saved > 0 ? l10n.t('The prompt cache saved {0}.', dollars(saved)) : '',
    add(({ unpriced }) => unpriced) > 0 ? l10n.t('Some models have no known price.') : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const tokensOf = (sum: UsageSum): number =>
  sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheWriteTokens;

/** The sums of the tools of each MCP server. */
function byServer(sums: readonly UsageSum[]): readonly UsageSum[] {
  const servers = new Map<string, UsageSum>();
  for (const sum of sums) {
    if (sum.by !== 'tool' || !isServerTool(sum.key)) continue;
    const key = sum.key.split('__')[1] ?? sum.key;
    const known = servers.get(key);
    servers.set(key, known === undefined ? { ...sum, key } : { ...added(known, sum), key });
  }
  return [...servers.values()];
}

const added = (one: UsageSum, other: UsageSum): UsageSum => ({
  ...one,
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  cost: one.cost + other.cost,
  saved: one.saved + other.saved,
  unpriced: one.unpriced + other.unpriced,
});

function rowsOf(sums: readonly UsageSum[], name: (sum: UsageSum) => string): readonly UsageRow[] {
  const largest = Math.max(1, ...sums.map(tokensOf));
  return sums.map((sum) => ({
    name: name(sum),
    session: sum.by === 'session' ? { workspace: sum.workspaceId, id: sum.key } : null,
    calls: numeral(sum.calls, { maximumFractionDigits: 1 }),
    tokens: numeral(tokensOf(sum)),
    // A price that nobody knows is not 0.
    cost: sum.unpriced >= sum.calls && sum.cost === 0 ? '–' : dollars(sum.cost),
    saved: sum.saved === 0 ? '–' : dollars(sum.saved),
    share: tokensOf(sum) / largest,
  }));
}

function nameOf(sum: UsageSum, titles: ReadonlyMap<string, string>): string {
  if (sum.by === 'day')
    return new Date(`${sum.key}T12:00`).toLocaleDateString(spoken(), { dateStyle: 'medium' });
  if (sum.by !== 'session') return makeVisible(sum.key);
  const title = titles.get(sum.key) ?? sum.key;
  return makeVisible(sum.workspace === '' ? title : `${title} (${sum.workspace})`);
}
