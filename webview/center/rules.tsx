import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { RuleRow } from '../../src/protocol/permission-view.ts';
import { IconButton } from '../views/elements/button.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { type Center, useCenter } from './center.ts';
import { NewRule } from './new-rule.tsx';
import { RuleTest } from './rule-test.tsx';
import { hits } from './search.ts';

/** The rules that the search leaves; `null`: not read yet. */
export function shownRules(center: Center): readonly RuleRow[] | null {
  const view = center.views.rules.value;
  const words = center.words.value;
  return (
    view?.rows.filter(({ text, source }) =>
      hits(words, l10n.t('Permission rules'), text, source),
    ) ?? null
  );
}

/** The permission rules: list, add, switch off, remove, and what would happen with a call. */
export function Rules(): ComponentChildren {
  const center = useCenter();
  const view = center.views.rules.value;
  if (view === null) return null;
  const then = async (work: Promise<boolean>): Promise<boolean> => {
    const done = await work;
    await center.read('rules');
    return done;
  };
  return (
    <>
      <p class="quiet">
        {l10n.t('Of the rules that fit, the strictest counts: deny, then ask, then allow.')}
      </p>
      {view.notes.map((note) => (
        <p class="caution" key={note} role="status">
          <Icon name="warning" />
          <span>{note}</span>
        </p>
      ))}
      <ul class="rule-rows">
        {shownRules(center)?.map((row) => (
          <RuleItem
            key={`${row.origin} ${row.source} ${JSON.stringify(row.rule)}`}
            row={row}
            mayChange={view.mayChange}
            onSwitch={() => {
              const off = row.rule.off !== true;
              const said = off ? l10n.t('The rule is off.') : l10n.t('The rule is on.');
              void then(center.do('switchRule', { rule: row.rule, off }, said));
            }}
            onRemove={() =>
              void then(
                center.do('removeRule', { rule: row.rule }, l10n.t('The rule was removed.')),
              )
            }
          />
        ))}
      </ul>
      {view.rows.length === 0 && <p class="quiet none">{l10n.t('No rules yet.')}</p>}
      {view.mayChange ? (
        <NewRule
          folder={view.folder}
          onAdd={async (rule) =>
            then(center.do('addRule', { rule }, l10n.t('The rule was added to your settings.')))
          }
        />
      ) : (
        <p class="quiet">
          {l10n.t('Rules are changed at the level owner, in a trusted workspace.')}
        </p>
      )}
      <RuleTest tools={view.tools} rules={view.rows} />
    </>
  );
}

interface RuleItemProps {
  readonly row: RuleRow;
  readonly mayChange: boolean;
  readonly onSwitch: () => void;
  readonly onRemove: () => void;
}

const SYMBOLS = { deny: 'circle-slash', ask: 'question', allow: 'pass' } as const;

function RuleItem({ row, mayChange, onSwitch, onRemove }: RuleItemProps): ComponentChildren {
  const { rule, origin, source, text, idle } = row;
  const own = origin === 'user' && mayChange;
  return (
    <li
      class={`rule is-${rule.effect} ${idle ? 'is-idle' : ''}`}
      data-row={`rules ${source} ${JSON.stringify(rule)}`}
      data-stop
      tabIndex={-1}
    >
      <Icon name={SYMBOLS[rule.effect]} />
      <span class="words">
        {text}
        <span class="quiet">{idle ? l10n.t('{0} · counts for nothing', source) : source}</span>
      </span>
      {own && (
        <IconButton
          icon={rule.off === true ? 'circle-large-outline' : 'circle-large-filled'}
          label={
            rule.off === true ? l10n.t('Switch on: {0}', text) : l10n.t('Switch off: {0}', text)
          }
          pressed={rule.off !== true}
          onClick={onSwitch}
        />
      )}
      {(own || origin === 'session') && (
        <IconButton icon="trash" label={l10n.t('Remove: {0}', text)} onClick={onRemove} />
      )}
    </li>
  );
}
