import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePanel, type Panel } from '../panel.ts';
import { ReviewRowView } from './review-row.tsx';
import {
  activeIn,
  filtered,
  isActive,
  isUntested,
  rowsOf,
  type ActiveRow,
  type ReviewRow,
} from './rows.ts';
import { useSlices } from './slices.ts';
import { Steady, SteadyBox } from './steady-box.tsx';
import { isComposing } from '../keyboard/composition.ts';

/** With more changes than this, files that come into the list are folded. */
const FEW = 12;
/** With more rows than this, those out of sight are not laid out. */
const LONG = 100;

/** The unfolded list: requests, their files, and in them the changes. */
export function ReviewList(): ComponentChildren {
  const panel = usePanel();
  const actions = panel.review;
  const [steady] = useState(() => new Steady());
  const view = panel.store.review.value;
  const isOpen = useFolds(panel);
  const list = panel.evidence.untestedOnly.value ? filtered(view, isUntested) : view;
  const rows = rowsOf(list, panel.store.session.id.value, isOpen);
  const [active, setActive] = useActive(rows, steady, panel);
  const [shown, showAll] = useSlices(rows.length);
  const failures = actions.failures.value;
  const deciding = actions.deciding.value;
  const toggle = (row: ActiveRow): void => {
    steady.adapt(() => panel.conversation.fold(foldOf(row.key), !row.open));
  };
  const go = (row: ReviewRow | undefined): void => {
    if (row === undefined) return;
    setActive(row.key);
    if (rows.indexOf(row) < shown) {
      steady.focus(row.key);
      return;
    }
    showAll();
    actions.backTo.value = row.key;
  };
  return (
    <SteadyBox
      steady={steady}
      long={rows.length > LONG}
      label={l10n.t(
        'Pending changes. Enter opens, A keeps, X undoes, C comments, Space marks as looked at, Right Arrow tells why, M shows the message.',
      )}
      onKeyDown={(event) => {
        const row = rows.find(({ key }) => key === active);
        if (row === undefined || !isActive(row) || !isPlain(event)) return;
        if (!press(event.key, { row, rows, panel, toggle, go })) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {rows.slice(0, shown).map((row) =>
        isActive(row) ? (
          <ReviewRowView
            key={row.key}
            row={row}
            active={row.key === active}
            deciding={deciding}
            failure={failures.get(row.key)}
            actions={actions}
            now={panel.store.clock.now()}
            onToggle={toggle}
            onActive={setActive}
          />
        ) : (
          <div key={row.key} class={`review-hidden is-level-${row.level}`}>
            {row.text}
          </div>
        ),
      )}
    </SteadyBox>
  );
}

const foldOf = (key: string): string => `review ${key}`;

/** Rows that are unfolded: as the person chose; else requests are, and files of a short list; no evidence is. */
function useFolds(panel: Panel): (key: string) => boolean {
  const first = useRef(new Map<string, boolean>());
  const folds = panel.conversation.folds.value;
  const { files, groups, totals } = panel.store.review.value;
  const requests = new Set(groups.map((one) => `${one.sessionId} ${one.messageId}`));
  return (key) => {
    const chosen = folds.get(foldOf(key));
    if (chosen !== undefined) return chosen;
    if (!Object.hasOwn(files, key)) return requests.has(key);
    // A list that becomes long does not fold what is being read.
    const known = first.current.get(key) ?? totals.hunks <= FEW;
    first.current.set(key, known);
    return known;
  };
}

/** The row that the keyboard is at; the focus goes on when it has gone. */
function useActive(
  rows: readonly ReviewRow[],
  steady: Steady,
  panel: Panel,
): readonly [string | undefined, (key: string) => void] {
  const [chosen, setActive] = useState<string>();
  const before = useRef(rows);
  const active = activeIn(before.current, rows, chosen);
  useLayoutEffect(() => {
    before.current = rows;
    if (active === chosen) return;
    if (active !== undefined) setActive(active);
    if (!steady.lostFocus) return;
    if (active === undefined) panel.input.focus.value += 1;
    else steady.focus(active);
  });
  const back = panel.review.backTo.value;
  useLayoutEffect(() => {
    if (back === undefined) return;
    panel.review.backTo.value = undefined;
    const key = rows.some((row) => row.key === back) ? back : active;
    if (key !== undefined) steady.focus(key);
  }, [back]);
  // The last change takes the whole list with it.
  useLayoutEffect(
    () => () => {
      if (steady.hasFocus) panel.input.focus.value += 1;
    },
    [],
  );
  return [active, setActive];
}

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !isComposing(event);
}

interface Pressed {
  readonly row: ActiveRow;
  readonly rows: readonly ReviewRow[];
  readonly panel: Panel;
  readonly toggle: (row: ActiveRow) => void;
  readonly go: (row: ReviewRow | undefined) => void;
}

/** True when the key means something here. */
function press(key: string, { row, rows, panel, toggle, go }: Pressed): boolean {
  const places = rows.filter(isActive);
  const at = places.indexOf(row);
  switch (key) {
    case 'ArrowDown':
      go(places[at + 1]);
      return true;
    case 'ArrowUp':
      go(places[at - 1]);
      return true;
    case 'Home':
      go(places[0]);
      return true;
    case 'End':
      go(places.at(-1));
      return true;
    case 'ArrowRight':
      if (row.open) go(places[at + 1]);
      else toggle(row);
      return true;
    case 'ArrowLeft':
      if (row.open) toggle(row);
      else go(places.find(({ key: one }) => one === row.parent));
      return true;
    case 'Enter':
      void panel.review.open(row);
      return true;
    case 'a':
    case 'A':
      void panel.review.decideRow('keep', row);
      return true;
    case 'x':
    case 'X':
      void panel.review.decideRow('undo', row);
      return true;
    case 'c':
    case 'C':
      panel.review.comment.begin(row);
      return row.type === 'hunk';
    case 'm':
    case 'M':
      void panel.evidence.showMessage(row);
      return true;
    case ' ':
      void panel.review.look(row);
      return true;
    default:
      return false;
  }
}
