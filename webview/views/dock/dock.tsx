import * as l10n from '@vscode/l10n';
import type { ComponentChildren, FunctionComponent } from 'preact';
import { isEmptyJournal } from '../../../src/domain/session/journal.ts';
import { plural } from '../../../src/domain/text/language.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { DuringCommands } from '../../review/during-commands.tsx';
import { hasReviewRow, ReviewBar } from '../../review/review-bar.tsx';
import { Notice } from '../conversation/notice.tsx';
import { Icon } from '../elements/icon.tsx';
import type { RowProps } from './dock-row.tsx';
import { AgentsRow } from './agents-row.tsx';
import { ElsewhereRow, findWaitingSessions } from './elsewhere-row.tsx';
import { FollowUpsRow, JournalRow, QueueRow, TodoRow } from './list-rows.tsx';
import { ParentRow } from './parent-row.tsx';
import { hasRunRow, RunRow } from './run-row.tsx';

const MAX_ROWS = 3;

interface DockKind {
  readonly key: string;
  readonly isPresent: (panel: Panel) => boolean;
  readonly Row: FunctionComponent<RowProps>;
}

/** Every kind of row, the most urgent first. */
const KINDS: readonly DockKind[] = [
  {
    key: 'elsewhere',
    isPresent: (panel) => findWaitingSessions(panel).length > 0,
    Row: ElsewhereRow,
  },
  { key: 'run', isPresent: hasRunRow, Row: RunRow },
  { key: 'review', isPresent: hasReviewRow, Row: ReviewBar },
  {
    key: 'queue',
    isPresent: ({ store }) => store.session.queue.value.length > 0,
    Row: QueueRow,
  },
  { key: 'todo', isPresent: ({ store }) => store.session.todo.value.length > 0, Row: TodoRow },
  {
    key: 'agents',
    isPresent: ({ store }) => store.session.children.value.length > 0,
    Row: AgentsRow,
  },
  {
    key: 'during',
    isPresent: ({ store }) => store.review.value.during.length > 0,
    Row: DuringCommands,
  },
  {
    key: 'follow-ups',
    isPresent: ({ store }) => store.session.followUps.value.length > 0,
    Row: FollowUpsRow,
  },
  {
    key: 'journal',
    isPresent: ({ store: { session }, dock }) =>
      session.id.value !== null &&
      (!isEmptyJournal(session.journal.value) || dock.open.value === 'journal'),
    Row: JournalRow,
  },
  {
    key: 'parent',
    isPresent: ({ store }) => store.session.parent.value !== null,
    Row: ParentRow,
  },
];

/** The box above the input: a row for each kind of thing, three at first. */
export function Dock(): ComponentChildren {
  const panel = usePanel();
  const { open, showsAll } = panel.dock;
  const present = KINDS.filter(({ isPresent }) => isPresent(panel));
  const refusals = findRefusals(panel);
  if (present.length === 0 && refusals.length === 0) return null;
  const shown = present.filter(
    ({ key }, index) => index < MAX_ROWS || showsAll.value || key === open.value,
  );
  const others = present.length - MAX_ROWS;
  return (
    <div class="dock-rows">
      {refusals.map((notice) => (
        <Notice
          key={notice.id}
          notice={notice}
          onDismiss={() => {
            panel.host.refusals.value = panel.host.refusals
              .peek()
              .filter((other) => other.id !== notice.id);
          }}
        />
      ))}
      {shown.map(({ key, Row }, index) => (
        <Row
          key={key}
          more={index === MAX_ROWS - 1 && others > 0 ? <More count={others} /> : null}
        />
      ))}
    </div>
  );
}

/** Requests that failed in the session on screen; those of another session say nothing here. */
function findRefusals({ host, store }: Panel): typeof host.refusals.value {
  const shown = store.session.id.value;
  return host.refusals.value.filter(({ sessionId }) => sessionId === shown);
}

function More({ count }: { readonly count: number }): ComponentChildren {
  const { dock } = usePanel();
  const isOpen = dock.showsAll.value;
  const title = isOpen
    ? l10n.t('Show fewer rows')
    : plural(count, 'Show {0} more row', 'Show {0} more rows');
  return (
    <button
      type="button"
      class="dock-more"
      aria-expanded={isOpen}
      aria-label={title}
      title={title}
      onClick={() => {
        dock.showsAll.value = !isOpen;
        if (isOpen) dock.open.value = undefined;
      }}
    >
      {isOpen ? <Icon name="chevron-up" /> : `+${count}`}
    </button>
  );
}
