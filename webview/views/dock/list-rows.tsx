import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../../src/protocol/snapshot.ts';
import { count, dateAndTime, plural } from '../../../src/domain/text/language.ts';
import { usePanel } from '../../panel.ts';
import { later } from '../elements/later.tsx';
import { DockRow, type RowProps, useFold } from './dock-row.tsx';

const QueueList = later(async () => (await import('./queue-list.tsx')).QueueList);
const TodoList = later(async () => (await import('./todo-list.tsx')).TodoList);
const FollowUps = later(async () => (await import('./follow-ups.tsx')).FollowUps);
const JournalSections = later(async () => (await import('./journal-sections.tsx')).JournalSections);

/** Messages that wait for the run (C7), or for the user after a stop. */
export function QueueRow({ more }: RowProps): ComponentChildren {
  const panel = usePanel();
  const fold = useFold('queue');
  const { queue, turn, isQueueHeld, id } = panel.store.session;
  const messages = queue.value;
  const isHeld = isQueueHeld.value;
  const waits = turn.value;
  const label = isHeld
    ? plural(messages.length, '{0} queued message is on hold.', '{0} queued messages are on hold.')
    : count(messages.length, 'queued message');
  const preview = waits === null ? messages[0]?.text : turnText(waits);
  return (
    <DockRow
      name={l10n.t('Queued messages')}
      class="queue"
      fold={fold}
      label={label}
      {...(isHeld ? {} : { preview })}
      title={preview ?? ''}
      buttons={
        <>
          {waits !== null && (
            <Link
              words={l10n.t('Open Settings')}
              onClick={() => panel.host.do('openSettings', { query: '@id:belay.advanced' })}
            />
          )}
          {isHeld && (
            <>
              <Link
                words={l10n.t('Send')}
                onClick={() => panel.host.do('sendQueued', { sessionId: id.value ?? '' })}
              />
              <Link
                words={l10n.t('Discard')}
                onClick={() =>
                  messages.forEach((one) => panel.host.do('removeQueued', { id: one.id }))
                }
              />
            </>
          )}
        </>
      }
      more={more}
    >
      {fold.isOpen && <QueueList />}
    </DockRow>
  );
}

function Link(props: { readonly words: string; readonly onClick: () => void }): ComponentChildren {
  return (
    <button type="button" class="link" onClick={props.onClick}>
      {props.words}
    </button>
  );
}

function turnText({ running, before }: NonNullable<SessionView['turn']>): string {
  const first = plural(
    running,
    'Waits for its turn: {0} session is at work, as many as may be at a time.',
    'Waits for its turn: {0} sessions are at work, as many as may be at a time.',
  );
  if (before === 0) return first;
  return `${first} ${plural(before, '{0} session comes before it.', '{0} sessions come before it.')}`;
}

/** The agent's steps: how many are done, and the current one. */
export function TodoRow({ more }: RowProps): ComponentChildren {
  const fold = useFold('todo');
  const items = usePanel().store.session.todo.value;
  const done = items.filter(({ status }) => status === 'done').length;
  const current =
    items.find(({ status }) => status === 'active') ??
    items.find(({ status }) => status === 'open');
  return (
    <DockRow
      name={l10n.t('Steps')}
      class="todo"
      fold={fold}
      label={l10n.t('{0} of {1}', done, items.length)}
      preview={current === undefined ? l10n.t('All steps done') : current.text}
      more={more}
    >
      {fold.isOpen && <TodoList />}
    </DockRow>
  );
}

/** Prompts that return to this session at a set time (A15). */
export function FollowUpsRow({ more }: RowProps): ComponentChildren {
  const fold = useFold('follow-ups');
  const waiting = usePanel().store.session.followUps.value;
  const [next] = waiting;
  return (
    <DockRow
      name={l10n.t('Follow-ups')}
      class="follow-ups"
      fold={fold}
      label={count(waiting.length, 'follow-up')}
      {...(next === undefined ? {} : { preview: `${dateAndTime(next.dueAt)} ${next.prompt}` })}
      more={more}
    >
      {fold.isOpen && <FollowUps />}
    </DockRow>
  );
}

/** The run's journal: what it is at. */
export function JournalRow({ more }: RowProps): ComponentChildren {
  const fold = useFold('journal');
  const { journal, id } = usePanel().store.session;
  const { current_state: state, objective } = journal.value;
  const sessionId = id.value;
  return (
    <DockRow
      name={l10n.t('Journal')}
      class="journal"
      fold={fold}
      label={l10n.t('Journal')}
      preview={state || objective}
      more={more}
    >
      {fold.isOpen && sessionId !== null && <JournalSections sessionId={sessionId} />}
    </DockRow>
  );
}
