import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MEMORY_LENGTH, type MemoryScope } from '../../src/domain/memory.ts';
import type { MemoryFormat, MemoryRow } from '../../src/protocol/center/memory-view.ts';
import type { CenterCalls } from '../../src/protocol/center/requests.ts';
import { count } from '../../src/domain/text/language.ts';
import { Button, IconButton } from '../views/elements/button.tsx';
import { type Center, useCenter } from './center.ts';
import { hits } from './search.ts';
import { Switch } from './switch.tsx';
import { isComposing } from '../keyboard/composition.ts';

const TITLE = l10n.t('Memory');

const SCOPES: Readonly<Record<MemoryScope, string>> = {
  workspace: l10n.t('This workspace'),
  person: l10n.t('All workspaces'),
};

/** Notes that are drawn; a search finds the others. */
const MOST_ROWS = 200;

const notesIn = (center: Center): readonly MemoryRow[] =>
  center.views.memory.value?.rows.filter(({ id, text, scope, source }) =>
    hits(center.words.value, TITLE, id, text, SCOPES[scope], source),
  ) ?? [];

/** The rows that a search leaves, the switch too where nothing else is; `null`: not read yet. */
export function shownMemory(center: Center): readonly unknown[] | null {
  if (center.views.memory.value === null) return null;
  const words = center.words.value;
  const notes = notesIn(center);
  return notes.length === 0 && words.length > 0 && hits(words, TITLE) ? [TITLE] : notes;
}

/** The notes that outlive their session, with the ways to change them, and the switch. */
export function MemorySection(): ComponentChildren {
  const center = useCenter();
  const [removed, setRemoved] = useState<MemoryRow | null>(null);
  const view = center.views.memory.value;
  if (view === null) return null;
  const rows = notesIn(center);
  const change = async <Name extends 'removeMemory' | 'restoreMemory' | 'switchMemory'>(
    name: Name,
    params: CenterCalls[Name]['params'],
    said: string,
  ): Promise<boolean> => {
    const done = await center.do(name, params, said);
    await center.read('memory');
    return done;
  };
  const remove = async (row: MemoryRow): Promise<void> => {
    if (await change('removeMemory', { id: row.id }, l10n.t('Note removed.'))) setRemoved(row);
  };
  const restore = async ({ id }: MemoryRow): Promise<void> => {
    if (await change('restoreMemory', { id }, l10n.t('The note is back.'))) setRemoved(null);
  };
  const save = (format: MemoryFormat) => () => void center.do('exportMemory', { format });
  return (
    <>
      {view.problem !== '' && <p role="alert">{view.problem}</p>}
      <label class="memory-switch" data-row="memory switch">
        <Switch
          on={view.on}
          label={l10n.t('Use memory')}
          onSwitch={(on) =>
            void change('switchMemory', { on }, on ? l10n.t('Memory on.') : l10n.t('Memory off.'))
          }
        />
        <span class="quiet">
          {l10n.t(
            'The model may keep facts for later sessions; those that fit your message go with it, and are shown there. Off, nothing is kept or recalled.',
          )}
        </span>
      </label>
      {removed !== null && (
        <div class="actions" data-row="memory removed">
          <span>{l10n.t('Removed: {0}', shortened(removed.text))}</span>
          <Button stop icon="discard" onClick={() => void restore(removed)}>
            {l10n.t('Undo')}
          </Button>
        </div>
      )}
      {view.rows.length === 0 && view.problem === '' && (
        <p class="quiet none">
          {l10n.t('Nothing is remembered yet. Tell the model what to remember, in your words.')}
        </p>
      )}
      <ul class="facts">
        {rows.slice(0, MOST_ROWS).map((row) => (
          <Row key={row.id} row={row} onRemove={() => void remove(row)} />
        ))}
      </ul>
      {rows.length > MOST_ROWS && (
        <p class="quiet">
          {l10n.t('{0} more: the search finds them.', count(rows.length - MOST_ROWS, 'note'))}
        </p>
      )}
      <div class="actions" data-row="memory actions">
        <Button icon="refresh" onClick={() => void center.read('memory')}>
          {l10n.t('Refresh')}
        </Button>
        {view.rows.length > 0 && (
          <>
            <Button icon="export" onClick={save('json')}>
              {l10n.t('Export as JSON…')}
            </Button>
            <Button icon="export" onClick={save('markdown')}>
              {l10n.t('Export as Markdown…')}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

function Row({
  row,
  onRemove,
}: {
  readonly row: MemoryRow;
  readonly onRemove: () => void;
}): ComponentChildren {
  const [editing, setEditing] = useState(false);
  const place = useRef<HTMLLIElement>(null);
  const { id, scope, text, source } = row;
  const close = (): void => {
    setEditing(false);
    place.current?.focus();
  };
  return (
    <li class="fact" data-row={`memory ${id}`} data-stop tabIndex={-1} ref={place}>
      {editing ? (
        <Edit row={row} onClose={close} />
      ) : (
        <>
          <div class="words">
            <span class="memory-text">{text}</span>
            <span class="quiet">{`${SCOPES[scope]} · ${source}`}</span>
          </div>
          <IconButton
            icon="edit"
            label={l10n.t('Edit: {0}', shortened(text))}
            onClick={() => setEditing(true)}
          />
          <IconButton
            icon="trash"
            label={l10n.t('Remove: {0}', shortened(text))}
            onClick={onRemove}
          />
        </>
      )}
    </li>
  );
}

function Edit({
  row: { id, text },
  onClose,
}: {
  readonly row: MemoryRow;
  readonly onClose: () => void;
}): ComponentChildren {
  const center = useCenter();
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(text);
  useLayoutEffect(() => field.current?.focus(), []);
  const save = async (): Promise<void> => {
    if (!(await center.do('changeMemory', { id, text: value }, l10n.t('Note changed.')))) return;
    await center.read('memory');
    onClose();
  };
  return (
    <div class="memory-edit">
      <textarea
        ref={field}
        rows={3}
        maxLength={MEMORY_LENGTH}
        aria-label={l10n.t('Text of the note')}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
          if (isComposing(event) || (event.key !== 'Escape' && !saves)) return;
          event.preventDefault();
          event.stopPropagation();
          if (saves) void save();
          else onClose();
        }}
      />
      <div class="actions">
        <Button kind="primary" disabled={value.trim() === ''} onClick={() => void save()}>
          {l10n.t('Save')}
        </Button>
        <Button onClick={onClose}>{l10n.t('Cancel')}</Button>
      </div>
    </div>
  );
}
