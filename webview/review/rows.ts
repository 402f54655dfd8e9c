import * as l10n from '@vscode/l10n';
import type {
  ReviewFileView,
  ReviewGroupView,
  ReviewHunkView,
  ReviewView,
} from '../../src/protocol/review-view.ts';
import { plural } from '../../src/domain/text/language.ts';

interface Place {
  /** Names the row as long as it is about the same thing. */
  readonly key: string;
  readonly level: 1 | 2 | 3;
  /** 1 for the first of its siblings. */
  readonly position: number;
  readonly siblings: number;
  /** Key of the row that it stands under. */
  readonly parent: string | undefined;
}

export interface RequestRow extends Place {
  readonly type: 'request';
  readonly group: ReviewGroupView;
  /** Title of the session; `null`: it is the one on screen. */
  readonly session: string | null;
  readonly open: boolean;
}

export interface FileRow extends Place {
  readonly type: 'file';
  readonly file: ReviewFileView;
  readonly open: boolean;
}

export interface HunkRow extends Place {
  readonly type: 'hunk';
  readonly file: ReviewFileView;
  readonly hunk: ReviewHunkView;
  /** Its evidence is shown. */
  readonly open: boolean;
}

/** How many there are besides the ones above; nobody goes there. */
export interface HiddenRow extends Place {
  readonly type: 'hidden';
  readonly text: string;
}

export type ReviewRow = RequestRow | FileRow | HunkRow | HiddenRow;

/** A row that can be gone to. */
export type ActiveRow = Exclude<ReviewRow, HiddenRow>;

/** True for an unfolded row. */
export type IsOpen = (key: string) => boolean;

/** Changes that are listed. */
export type IsShown = (hunk: ReviewHunkView) => boolean;

/** True for a change that no test run began after. */
export function isUntested({ evidence }: ReviewHunkView): boolean {
  return evidence === null || evidence.tests === 'none';
}

/** The list with those of its changes that are to be shown; a new name alone is always. */
export function filtered(
  { groups, files }: Pick<ReviewView, 'groups' | 'files'>,
  isShown: IsShown,
): Pick<ReviewView, 'groups' | 'files'> {
  const left = Object.entries(files).flatMap(([key, file]) => {
    const hunks = file.hunks.filter(isShown);
    const isLeft = hunks.length > 0 || file.hunks.length === 0;
    // Changes of a file that are not listed are not counted either.
    return isLeft ? [[key, { ...file, hunks, count: Math.max(1, hunks.length) }] as const] : [];
  });
  const kept = Object.fromEntries(left);
  return {
    files: kept,
    groups: groups.flatMap((group) => {
      const own = group.files.filter((key) => Object.hasOwn(kept, key));
      return own.length === 0 && group.hidden === 0 ? [] : [{ ...group, files: own }];
    }),
  };
}

/** The list as rows, top down: the requests of the session on screen, then those of others. */
export function rowsOf(
  { groups, files }: Pick<ReviewView, 'groups' | 'files'>,
  shown: string | null,
  isOpen: IsOpen,
): readonly ReviewRow[] {
  const own = groups.filter(({ sessionId }) => sessionId === shown);
  const others = groups.filter(({ sessionId }) => sessionId !== shown);
  const inOrder = [...own, ...others];
  // The only request of the session on screen needs no row of its own.
  const [first] = inOrder;
  if (first !== undefined && inOrder.length === 1 && own.length === 1)
    return filesOf(first, undefined, files, isOpen);
  return inOrder.flatMap((group, index): ReviewRow[] => {
    const key = `${group.sessionId} ${group.messageId}`;
    const row: RequestRow = {
      type: 'request',
      key,
      level: 1,
      position: index + 1,
      siblings: inOrder.length,
      parent: undefined,
      group,
      session: group.sessionId === shown ? null : group.session,
      open: isOpen(key),
    };
    return row.open ? [row, ...filesOf(group, key, files, isOpen)] : [row];
  });
}

function filesOf(
  group: ReviewGroupView,
  parent: string | undefined,
  files: ReviewView['files'],
  isOpen: IsOpen,
): readonly ReviewRow[] {
  const level = parent === undefined ? 1 : 2;
  const rows = group.files.flatMap((key, index): ReviewRow[] => {
    const file = files[key];
    if (file === undefined) return [];
    const place = { level, position: index + 1, siblings: group.files.length, parent } as const;
    const row: FileRow = { type: 'file', key, ...place, file, open: isOpen(key) };
    return row.open ? [row, ...hunksOf(row, isOpen)] : [row];
  });
  if (group.hidden === 0) return rows;
  const text = plural(group.hidden, 'and {0} more file', 'and {0} more files');
  return [...rows, hidden(`${parent ?? ''} hidden`, level, parent, text)];
}

function hunksOf(
  { key: parent, level: above, file }: FileRow,
  isOpen: IsOpen,
): readonly ReviewRow[] {
  const level = above === 1 ? 2 : 3;
  const rows = file.hunks.map((hunk, index): HunkRow => ({
    type: 'hunk',
    key: `${parent} ${hunk.id}`,
    level,
    position: index + 1,
    siblings: file.hunks.length,
    parent,
    file,
    hunk,
    open: isOpen(`${parent} ${hunk.id}`),
  }));
  const more = file.count - file.hunks.length;
  // A file that was only renamed has no lines to show.
  if (more === 0 || (file.count === 1 && file.renamedFrom !== null)) return rows;
  return [
    ...rows,
    hidden(`${parent} hidden`, level, parent, l10n.t('and {0} more in the file', more)),
  ];
}

function hidden(
  key: string,
  level: Place['level'],
  parent: string | undefined,
  text: string,
): HiddenRow {
  return { type: 'hidden', key, level, position: 0, siblings: 0, parent, text };
}

/**
 * Where the keyboard is after rows have gone: where it was, else at the next of its kind, else at what
 * comes after it or before it. `undefined`: there are no rows.
 */
export function activeIn(
  before: readonly ReviewRow[],
  now: readonly ReviewRow[],
  active: string | undefined,
): string | undefined {
  const rows = now.filter(isActive);
  const present = new Map(rows.map((row) => [row.key, row]));
  if (active !== undefined && present.has(active)) return active;
  const at = before.findIndex(({ key }) => key === active);
  if (at < 0) return rows[0]?.key;
  const left = before.slice(at + 1).filter(({ key }) => present.has(key));
  const same = left.find(({ type }) => type === before[at]?.type);
  const last = before.slice(0, at).findLast(({ key }) => present.has(key));
  return (same ?? left[0] ?? last)?.key ?? rows[0]?.key;
}

export function isActive(row: ReviewRow): row is ActiveRow {
  return row.type !== 'hidden';
}
