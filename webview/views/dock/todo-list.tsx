import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { TODO_LENGTH, type TodoItem } from '../../../src/domain/session/todo.ts';
import { usePanel } from '../../panel.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';
import { isComposing } from '../../keyboard/composition.ts';

/** The agent's steps, each to be edited. */
export function TodoList(): ComponentChildren {
  const panel = usePanel();
  const { todo, id, elsewhere } = panel.store.session;
  const items = todo.value;
  const sessionId = id.value;
  if (sessionId === null) return null;
  const write = async (next: readonly TodoItem[]): Promise<boolean> =>
    (await panel.host.ask('setTodo', { sessionId, items: [...next] })) !== undefined;
  return (
    <ol class="dock-body todo-items">
      {items.map((item, index) => (
        <Step
          // Steps have no ids: the place and the text identify one.
          key={`${index} ${item.text}`}
          item={item}
          locked={elsewhere.value}
          change={(next) =>
            write(next === undefined ? items.toSpliced(index, 1) : items.with(index, next))
          }
        />
      ))}
      {!elsewhere.value && <Added add={(text) => write([...items, { text, status: 'open' }])} />}
    </ol>
  );
}

interface StepProps {
  readonly item: TodoItem;
  readonly locked: boolean;
  /** `undefined` removes it. Resolves with whether it is on record. */
  readonly change: (next: TodoItem | undefined) => Promise<boolean>;
}

function Step({ item, locked, change }: StepProps): ComponentChildren {
  const [draft, setDraft] = useState<string>();
  const save = async (): Promise<void> => {
    if (draft === undefined) return;
    const text = draft.trim();
    // A typed text stays when it could not be kept.
    if (text !== '' && text !== item.text && !(await change({ ...item, text }))) return;
    setDraft(undefined);
  };
  return (
    <li class={`todo-item is-${item.status}`}>
      <input
        type="checkbox"
        checked={item.status === 'done'}
        disabled={locked}
        aria-label={l10n.t('Done: {0}', item.text)}
        onChange={({ currentTarget: { checked } }) =>
          void change({ ...item, status: checked ? 'done' : 'open' })
        }
      />
      {draft === undefined ? (
        <button
          type="button"
          class="todo-text"
          title={l10n.t('Edit')}
          disabled={locked}
          onClick={() => setDraft(item.text)}
        >
          {item.text}
        </button>
      ) : (
        <input
          type="text"
          class="todo-field"
          value={draft}
          maxLength={TODO_LENGTH}
          aria-label={l10n.t('Step')}
          ref={(element) => {
            if (element !== null && document.activeElement !== element) element.focus();
          }}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (isComposing(event)) return;
            if (event.key === 'Enter') {
              event.stopPropagation();
              void save();
            } else if (event.key === 'Escape') {
              event.stopPropagation();
              setDraft(undefined);
            }
          }}
        />
      )}
      {!locked && (
        <IconButton
          icon="close"
          label={l10n.t('Remove this step')}
          onClick={() => void change(undefined)}
        />
      )}
    </li>
  );
}

function Added({ add }: { readonly add: (text: string) => Promise<boolean> }): ComponentChildren {
  const [text, setText] = useState('');
  return (
    <li class="todo-item">
      <Icon name="add" />
      <input
        type="text"
        class="todo-field"
        value={text}
        maxLength={TODO_LENGTH}
        placeholder={l10n.t('Add a step')}
        aria-label={l10n.t('Add a step')}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event) || text.trim() === '') return;
          event.stopPropagation();
          void add(text.trim()).then((kept) => kept && setText(''));
        }}
      />
    </li>
  );
}
