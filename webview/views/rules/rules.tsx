import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RuleRow, RulesView } from '../../../src/protocol/permission-view.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { NewRule } from './new-rule.tsx';
import { RuleTest } from './rule-test.tsx';

/** The permission rules: list, add, switch off, remove, and what would happen with a call. */
export function Rules(): ComponentChildren {
  const panel = usePanel();
  const sessionId = panel.store.session.id.value;
  const mode = panel.store.session.options.value.mode;
  const [view, setView] = useState<RulesView | null>(null);
  const load = async (): Promise<void> => {
    const read = await panel.host.ask('listRules', { sessionId });
    if (read !== undefined) setView(read);
  };
  useEffect(() => {
    void load();
  }, [sessionId]);
  const then = async (work: Promise<unknown>, said: string): Promise<void> => {
    if ((await work) === undefined) return;
    panel.announcement.value = said;
    await load();
  };
  return (
    <section
      class="rules"
      aria-label="Permission rules"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        panel.page.value = 'conversation';
      }}
    >
      <p class="quiet">Of the rules that fit, the strictest counts: deny, then ask, then allow.</p>
      {view?.notes.map((note) => (
        <p class="caution" key={note} role="status">
          <Icon name="warning" />
          <span>{note}</span>
        </p>
      ))}
      <ul class="rule-rows">
        {view?.rows.map((row) => (
          <RuleItem
            key={`${row.origin} ${row.source} ${JSON.stringify(row.rule)}`}
            row={row}
            mayChange={view.mayChange}
            onSwitch={() => {
              const off = row.rule.off !== true;
              const work = panel.host.ask('switchRule', { rule: row.rule, off });
              void then(work, off ? 'The rule is off.' : 'The rule is on.');
            }}
            onRemove={() => {
              const work = panel.host.ask('removeRules', { sessionId, rules: [row.rule] });
              void then(work, 'The rule was removed.');
            }}
          />
        ))}
      </ul>
      {view?.rows.length === 0 && <p class="quiet none">No rules yet.</p>}
      {view !== null && view.mayChange && (
        <NewRule
          folder={view.folder}
          onAdd={async (rule) => {
            const added = await panel.host.ask('addRule', { rule });
            if (added === undefined) return false;
            panel.announcement.value = 'The rule was added to your settings.';
            await load();
            return true;
          }}
        />
      )}
      {view !== null && !view.mayChange && (
        <p class="quiet">Rules are changed at the level owner, in a trusted workspace.</p>
      )}
      {view !== null && <RuleTest tools={view.tools} mode={mode} rules={view.rows} />}
    </section>
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
    <li class={`rule is-${rule.effect} ${idle ? 'is-idle' : ''}`}>
      <Icon name={SYMBOLS[rule.effect]} />
      <span class="words">
        {text}
        <span class="quiet">{idle ? `${source} · counts for nothing` : source}</span>
      </span>
      {own && (
        <IconButton
          icon={rule.off === true ? 'circle-large-outline' : 'circle-large-filled'}
          label={rule.off === true ? `Switch on: ${text}` : `Switch off: ${text}`}
          pressed={rule.off !== true}
          onClick={onSwitch}
        />
      )}
      {(own || origin === 'session') && (
        <IconButton icon="trash" label={`Remove: ${text}`} onClick={onRemove} />
      )}
    </li>
  );
}
