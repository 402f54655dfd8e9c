import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import {
  CUSTOMIZATION_KINDS,
  type CustomizationRow,
  type CustomizationRowKind,
} from '../../src/protocol/center/customizations-view.ts';
import { count, numeral } from '../../src/domain/text/language.ts';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { Switch } from './switch.tsx';

const TITLE = l10n.t('Instructions, skills and personas');

const KINDS: Readonly<
  Record<CustomizationRowKind, { readonly title: string; readonly icon: string }>
> = {
  instructions: { title: l10n.t('Instructions'), icon: 'list-unordered' },
  persona: { title: l10n.t('Personas'), icon: 'person' },
  skill: { title: l10n.t('Skills'), icon: 'book' },
  command: { title: l10n.t('Commands'), icon: 'note' },
};

/** The files that the search leaves; `null`: not read yet. */
export function shownCustomizations(center: Center): readonly CustomizationRow[] | null {
  const view = center.views.customizations.value;
  const words = center.words.value;
  return (
    view?.rows.filter(({ kind, name, description, source, said }) =>
      hits(words, TITLE, KINDS[kind].title, name, description, source, said),
    ) ?? null
  );
}

/** The files that people wrote for agents: what becomes of each, how much it is, a switch, and a way to open it. */
export function Customizations(): ComponentChildren {
  const center = useCenter();
  const view = center.views.customizations.value;
  const rows = shownCustomizations(center) ?? [];
  return (
    <>
      <p class="quiet">
        {l10n.t(
          'Instructions go with every request; of a skill only name and description do, and the model reads it when it needs it. What you switch here counts from the next message on.',
        )}
      </p>
      {view?.trusted === false && (
        <p class="caution" role="status">
          <Icon name="warning" />
          <span>{l10n.t('This workspace is not trusted: nothing of it is used.')}</span>
        </p>
      )}
      {view?.rows.length === 0 && (
        <p class="quiet none">
          {l10n.t(
            'None yet. AGENTS.md, .belay/skills, .belay/commands and .belay/personas are looked at.',
          )}
        </p>
      )}
      {CUSTOMIZATION_KINDS.map((kind) => (
        <Kind key={kind} kind={kind} rows={rows.filter((row) => row.kind === kind)} />
      ))}
    </>
  );
}

function Kind({
  kind,
  rows,
}: {
  readonly kind: CustomizationRowKind;
  readonly rows: readonly CustomizationRow[];
}): ComponentChildren {
  if (rows.length === 0) return null;
  const tokens = rows.reduce((sum, row) => sum + (row.inForce ? (row.tokens ?? 0) : 0), 0);
  const { title } = KINDS[kind];
  return (
    <section class="tool-module" aria-label={title}>
      <div class="module-head">
        <h3>{title}</h3>
        <span class="quiet">
          {kind === 'instructions'
            ? l10n.t('{0} in each request', count(tokens, 'token'))
            : numeral(rows.length)}
        </span>
      </div>
      <ul>
        {rows.map((row) => (
          <Row key={`${row.path} ${row.name}`} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { readonly row: CustomizationRow }): ComponentChildren {
  const center = useCenter();
  const { kind, name, path, on } = row;
  const change = (next: boolean): void => {
    const said = next ? l10n.t('{0} on.', name) : l10n.t('{0} off.', name);
    void center
      .do('switchCustomization', { path, on: next }, said)
      .then(async () => center.read('customizations'));
  };
  const place = { 'data-row': `customizations ${path || name}` };
  return (
    <li class="tool-line" {...place} {...(on === null ? { 'data-stop': true, tabIndex: -1 } : {})}>
      {on === null ? (
        <Icon name={KINDS[kind].icon} />
      ) : (
        <Switch on={on} label={l10n.t('Use {0}', name)} onSwitch={change} />
      )}
      <div class="words">
        <span>
          <code>{name}</code>{' '}
          <span class="quiet">
            {[row.said, ...(row.tokens === null ? [] : [count(row.tokens, 'token')])].join(' · ')}
          </span>
        </span>
        {row.description !== '' && <span>{row.description}</span>}
        <span class="quiet">{row.source}</span>
        {row.problems.map((problem) => (
          <span class="caution" key={problem}>
            <Icon name="warning" />
            <span>{problem}</span>
          </span>
        ))}
      </div>
      {path !== '' && (
        <IconButton
          icon="go-to-file"
          label={l10n.t('Open {0}', row.source)}
          onClick={() => void center.do('openCustomization', { path })}
        />
      )}
    </li>
  );
}
