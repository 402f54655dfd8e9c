import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ModelRow } from '../../../src/protocol/snapshot.ts';
import { usePanel } from '../../panel.ts';
import { Icon } from '../elements/icon.tsx';
import { ModelOption } from './model-option.tsx';
import { type Group, groupsOf } from './model-groups.ts';
import { isComposing } from '../../keyboard/composition.ts';

/** The session's model, and the list to choose another: searched, by keyboard alone, with favorites and recent ones. */
export function ModelPicker(): ComponentChildren {
  const panel = usePanel();
  const { models, session } = panel.store;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const chosen = session.options.value.model;
  const row = models.value.find((model) => model.id === chosen);
  const name = row?.name ?? (chosen === '' ? l10n.t('Choose a model') : chosen);
  const words =
    row === undefined || row.source.kind === 'demo'
      ? l10n.t('Model: {0}', name)
      : l10n.t('Model: {0} of {1}', name, servedBy(row));
  return (
    <span data-picker="model" class="shrinks">
      <div class="menu">
        <button
          type="button"
          class="menu-button picker"
          title={words}
          aria-label={words}
          aria-haspopup="dialog"
          popovertarget={id}
        >
          <span class="picker-label">{name}</span>
          <Icon name="chevron-down" />
        </button>
        <div
          id={id}
          ref={list}
          class="menu-list model-list"
          popover="auto"
          role="dialog"
          aria-label={l10n.t('Model')}
          onToggle={(event) => {
            setOpen(event.newState === 'open');
            if (event.newState === 'open') panel.host.do('lookForModels', {});
          }}
        >
          {open && (
            <Search
              chosen={chosen}
              onDone={() => {
                list.current?.hidePopover();
              }}
            />
          )}
        </div>
      </div>
    </span>
  );
}

interface SearchProps {
  readonly chosen: string;
  readonly onDone: () => void;
}

function Search({ chosen, onDone }: SearchProps): ComponentChildren {
  const panel = usePanel();
  const base = useId();
  const rows = panel.store.models.value;
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const [words, setWords] = useState('');
  const { groups, hidden } = groupsOf(rows, words);
  const shown = groups.flatMap((group) =>
    group.rows.map((row) => ({ row, key: keyOf(group, row) })),
  );
  const [at, setAt] = useState<string | undefined>(
    () => shown.find(({ row }) => row.id === chosen)?.key,
  );
  const index = Math.max(
    0,
    shown.findIndex(({ key }) => key === at),
  );
  const active = shown[index];
  const pick = ({ id }: ModelRow): void => {
    onDone();
    panel.host.do('setModel', { sessionId: panel.store.session.id.peek(), model: id });
  };
  const favor = ({ id, favorite }: ModelRow): void =>
    panel.host.do('favorModel', { model: id, on: !favorite });
  const go = (to: number): void => {
    const key = shown[(to + shown.length) % shown.length]?.key;
    setAt(key);
    if (key !== undefined)
      document.getElementById(base + key)?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps)
      go(stepped(index, steps[event.key as keyof typeof steps], shown.length));
    else if (event.key === 'Enter' && active !== undefined)
      (event.shiftKey ? favor : pick)(active.row);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        class="model-search"
        placeholder={l10n.t('Search models and providers')}
        aria-label={l10n.t('Search models')}
        aria-expanded="true"
        aria-controls={`${base}list`}
        aria-activedescendant={active === undefined ? undefined : base + active.key}
        value={words}
        ref={field}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(undefined);
        }}
        onKeyDown={press}
      />
      <div id={`${base}list`} class="model-rows" role="listbox" aria-label={l10n.t('Models')}>
        {groups.map((group) => (
          <div role="group" aria-label={group.name} key={group.name}>
            <div class="menu-heading">{group.name}</div>
            {group.rows.map((row) => (
              <ModelOption
                key={row.id}
                id={base + keyOf(group, row)}
                row={row}
                isActive={keyOf(group, row) === active?.key}
                isChosen={row.id === chosen}
                onPick={() => pick(row)}
                onFavor={() => favor(row)}
              />
            ))}
          </div>
        ))}
        {shown.length === 0 && <p class="quiet none">{l10n.t('No model has these words.')}</p>}
        {hidden > 0 && (
          <p class="quiet none">{l10n.t('{0} more: type to narrow the list.', hidden)}</p>
        )}
      </div>
      <Foot onDone={onDone} />
    </>
  );
}

/** Who serves a model, and that it does so here. */
const servedBy = ({ local, providerName }: ModelRow): string =>
  local ? l10n.t('{0} on this machine', providerName) : providerName;

/** A model may stand in several groups. */
const keyOf = ({ name }: Group, { id }: ModelRow): string => `${name} ${id}`;

/** One step goes round, a page stops at the ends. */
const stepped = (index: number, by: number, length: number): number =>
  Math.abs(by) === 1 ? index + by : Math.min(Math.max(index + by, 0), length - 1);

function Foot({ onDone }: Pick<SearchProps, 'onDone'>): ComponentChildren {
  const panel = usePanel();
  return (
    <div class="model-foot">
      <button
        type="button"
        class="link"
        onClick={() => {
          onDone();
          panel.host.do('openCenter', { section: 'models' });
        }}
      >
        {l10n.t('Manage Providers…')}
      </button>
      <span class="quiet">{l10n.t('Shift+Enter: favorite')}</span>
    </div>
  );
}
