import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  CapRow,
  ComparedModel,
  UsageGroup,
  UsageRow,
} from '../../src/protocol/center/usage-view.ts';
import type { CenterCommand, CenterSetting } from '../../src/protocol/center/view.ts';
import { Button } from '../views/elements/button.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';

const TITLE = l10n.t('Budgets and usage');

const GROUPS: Readonly<Record<UsageGroup, string>> = {
  day: l10n.t('By day'),
  model: l10n.t('By model'),
  session: l10n.t('By session'),
  tool: l10n.t('By tool'),
  server: l10n.t('By server'),
};

const capsIn = (center: Center): readonly CapRow[] =>
  center.views.usage.value?.caps.filter(({ name, said }) =>
    hits(center.words.value, TITLE, name, said),
  ) ?? [];

/** The rows that a search leaves; `null`: not read yet. */
export function shownUsage(center: Center): readonly unknown[] | null {
  const view = center.views.usage.value;
  if (view === null) return null;
  const models = view.groups.find(({ by }) => by === 'model')?.rows ?? [];
  return [...capsIn(center), ...models.filter(({ name }) => hits(center.words.value, TITLE, name))];
}

/** Budgets, the person, and their usage. */
export function UsageSection(): ComponentChildren {
  const center = useCenter();
  const [shown, setShown] = useState<UsageGroup>('day');
  const view = center.views.usage.value;
  if (view === null) return null;
  const rows = view.groups.find(({ by }) => by === shown)?.rows ?? [];
  return (
    <>
      {view.problem !== '' && <p role="alert">{view.problem}</p>}
      <Caps />
      <p class="quiet">{view.person}</p>
      <div class="actions" data-row="usage accounts">
        <Account command="linkAccount" words={l10n.t('Link Account…')} />
        {view.linked && <Account command="unlinkAccount" words={l10n.t('Unlink Account…')} />}
      </div>
      <h3>{l10n.t('Usage')}</h3>
      <p class="quiet">{view.total}</p>
      <div class="actions" role="group" aria-label={l10n.t('Add up')} data-row="usage groups">
        {view.groups.map(({ by }) => (
          <button
            key={by}
            type="button"
            class="usage-group"
            aria-pressed={by === shown}
            onClick={() => setShown(by)}
          >
            {GROUPS[by]}
          </button>
        ))}
        <Button icon="refresh" onClick={() => void center.read('usage')}>
          {l10n.t('Refresh')}
        </Button>
        <Button icon="export" onClick={() => void center.do('exportUsage', {})}>
          {l10n.t('Export as CSV…')}
        </Button>
      </div>
      {rows.length === 0 ? (
        <p class="quiet">{l10n.t('Nothing was used yet.')}</p>
      ) : (
        <>
          <Chart rows={rows} label={GROUPS[shown]} />
          <Table rows={rows} label={GROUPS[shown]} />
        </>
      )}
    </>
  );
}

function Account({
  command,
  words,
}: {
  readonly command: CenterCommand;
  readonly words: string;
}): ComponentChildren {
  const center = useCenter();
  const run = async (): Promise<void> => {
    await center.do('runCommand', { command });
    await center.read('usage');
  };
  return (
    <Button icon="account" onClick={() => void run()}>
      {words}
    </Button>
  );
}

/** The caps that are set, how much of each is used, and the way to change them. */
function Caps(): ComponentChildren {
  const center = useCenter();
  const caps = capsIn(center);
  const open = (setting: string) => (): void =>
    void center.do('openSetting', { setting: setting as CenterSetting });
  return (
    <>
      <h3>{l10n.t('Budgets')}</h3>
      {caps.length === 0 && <p class="quiet">{l10n.t('No budget is set.')}</p>}
      <ul class="facts">
        {caps.map(({ name, said, share, setting }) => (
          <li key={setting} class="fact" data-row={`usage ${setting}`} data-stop tabIndex={-1}>
            <div class="words">
              <strong>{name}</strong>
              <span class="quiet">{said}</span>
              {share !== null && (
                <meter aria-label={name} value={Math.min(1, share)} high={0.8} optimum={0} />
              )}
            </div>
            <Button
              icon="settings-gear"
              label={l10n.t('Setting: {0}', setting)}
              onClick={open(setting)}
            >
              {l10n.t('Setting')}
            </Button>
          </li>
        ))}
      </ul>
      <div class="actions" data-row="usage settings">
        <Button icon="settings-gear" onClick={open('budget.*')}>
          {l10n.t('All Budgets')}
        </Button>
      </div>
    </>
  );
}

/** Bars of a chart, at most; the table has all rows. */
const MOST_BARS = 31;
/** In the units of the drawing. */
const [BAR, GAP, HEIGHT] = [14, 4, 80];

/** Tokens as bars; the table says the same in numbers. */
function Chart({
  rows,
  label,
}: {
  readonly rows: readonly UsageRow[];
  readonly label: string;
}): ComponentChildren {
  const bars = rows.slice(0, MOST_BARS);
  const width = Math.max(bars.length * (BAR + GAP), 1);
  return (
    <svg
      class="usage-chart"
      role="img"
      aria-label={l10n.t('Tokens: {0}', label)}
      preserveAspectRatio="xMinYMax"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      style={{ maxWidth: `${width * 2}px` }}
    >
      {bars.map(({ name, tokens, share }, index) => {
        const height = Math.max(1, share * (HEIGHT - 2));
        return (
          <rect
            key={name}
            x={index * (BAR + GAP) + 1}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          >
            <title>{`${name}: ${tokens}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function Table({
  rows,
  label,
}: {
  readonly rows: readonly UsageRow[];
  readonly label: string;
}): ComponentChildren {
  return (
    <div class="usage-table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">{l10n.t('Requests')}</th>
            <th scope="col">{l10n.t('Tokens')}</th>
            <th scope="col">{l10n.t('Cost')}</th>
            <th scope="col">{l10n.t('Saved by the cache')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.session === null ? row.name : JSON.stringify(row.session)} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: UsageRow }): ComponentChildren {
  const center = useCenter();
  const [compared, setCompared] = useState<readonly ComparedModel[] | null>(null);
  const { name, session, calls, tokens, cost, saved } = row;
  const compare = async (): Promise<void> => {
    if (session === null) return;
    const { workspace, id } = session;
    const found = await center.ask('compareSession', { workspace, session: id });
    if (found !== undefined) setCompared(found);
  };
  return (
    <>
      <tr>
        <th scope="row">
          {name}
          {session !== null && (
            <Button
              label={l10n.t('Other Models: {0}', name)}
              onClick={() => void (compared === null ? compare() : setCompared(null))}
            >
              {l10n.t('Other Models')}
            </Button>
          )}
        </th>
        <td>{calls}</td>
        <td>{tokens}</td>
        <td>{cost}</td>
        <td>{saved}</td>
      </tr>
      {compared !== null && (
        <tr>
          <td colSpan={5}>
            <p class="quiet">{l10n.t('The same tokens would have cost:')}</p>
            <ul class="usage-compared">
              {compared.map((one) => (
                <li key={one.name}>
                  {one.name} <strong>{one.cost}</strong>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}
