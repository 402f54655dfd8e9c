import { countPending } from '../../core/review/model/selected-changes.ts';
import { linesOf, type Attribution, type FileReview } from '../../core/review/model/file-review.ts';
import { type Hunk, hunksOf, linesIn, type PendingChange } from '../../core/review/model/hunks.ts';
import { describeBinary } from '../../core/review/model/binary-words.ts';
import type { CommandGroup } from '../../core/review/commands/stored-groups.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { ChangeDoubt, ChangeEvidence } from '../../domain/review/evidence.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import {
  LISTED_FILES,
  LISTED_HUNKS,
  PREVIEW_LINES,
  type CommandGroupView,
  type EvidenceMark,
  type ReviewFileView,
  type ReviewGroupView,
  type ReviewHunkView,
  type ReviewView,
} from '../../protocol/review-view.ts';
import { cutRows, pairRows, type DiffLine } from '../../protocol/diff-lines.ts';
import { shownPath } from '../../tools/workspace-path.ts';

/** Characters of what the model said that the list shows. */
const MAX_SAID_CHARS = 200;
/** Characters of a line that the list shows. */
const MAX_LINE_CHARS = 200;
/** Lines of each kind among which the list looks for a pair. */
const COMPARED_LINES = 20;

/** The listed changes of one request in one file; with the ids that are not listed. */
export interface SeenFile {
  readonly path: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly hunkIds: readonly string[];
}

/** How paths, sessions and messages are called. */
export interface ListNames {
  readonly roots: readonly string[];
  title(sessionId: string): string;
  /** How the message of the person begins. */
  text(sessionId: string, messageId: string): string;
  /** Evidence of a change; `undefined`: it is being read. */
  evidence(change: PendingChange): ChangeEvidence | undefined;
}

/** All that is pending, grouped by the requests that made it. */
export interface PendingList {
  readonly view: Pick<ReviewView, 'totals' | 'groups' | 'files'>;
  readonly seen: readonly SeenFile[];
  /** Calls with pending changes. */
  readonly calls: ReadonlySet<string>;
}

interface Entry {
  readonly review: FileReview;
  readonly hunks: readonly Hunk[];
  readonly author: Attribution | undefined;
}

/** The list, oldest request first, and of each the files by path. */
export function pendingList(reviews: Pick<Reviews, 'pending'>, names: ListNames): PendingList {
  const entries = reviews.pending.flatMap(entriesOf);
  const groups = Map.groupBy(entries, ({ author }) => keyOf(author));
  const inOrder = [...groups].toSorted(([, a], [, b]) => since(a) - since(b));
  const files: Record<string, ReviewFileView> = {};
  let room = LISTED_HUNKS;
  const views = inOrder.map(([key, made]): ReviewGroupView => {
    const shown: string[] = [];
    for (const entry of made) {
      if (room <= 0) break;
      const file = fileView(entry, room, names);
      const fileKey = `${key} ${entry.review.path}`;
      files[fileKey] = file;
      shown.push(fileKey);
      room -= Math.max(1, file.hunks.length);
    }
    const { sessionId = '', messageId = '' } = made[0]?.author ?? {};
    return {
      sessionId,
      messageId,
      session: names.title(sessionId),
      text: names.text(sessionId, messageId),
      at: since(made),
      count: made.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0),
      ...linesOfAll(made),
      files: shown,
      hidden: made.length - shown.length,
    };
  });
  return {
    view: {
      totals: countPending(reviews.pending),
      groups: views,
      files,
    },
    seen: entries.map(({ review: { path }, author, hunks }) => ({
      path,
      sessionId: author?.sessionId ?? '',
      messageId: author?.messageId ?? '',
      hunkIds: hunks.map(({ id }) => id),
    })),
    calls: new Set(entries.flatMap(callsOf)),
  };
}

/** The changes of each request in a file; a hunk that several made is the last one's. */
function entriesOf(review: FileReview): readonly Entry[] {
  const hunks = hunksOf(review);
  if (hunks.length === 0) return [{ review, hunks, author: review.wholeFileBy.at(-1) }];
  const byRequest = Map.groupBy(hunks, ({ by }) => keyOf(by.at(-1)));
  return [...byRequest.values()].map((own) => ({
    review,
    hunks: own,
    author: own[0]?.by.at(-1),
  }));
}

function keyOf(author: Attribution | undefined): string {
  return `${author?.sessionId ?? ''} ${author?.messageId ?? ''}`;
}

function since(made: readonly Entry[]): number {
  return Math.min(...made.map(({ hunks, author }) => hunks[0]?.by.at(-1)?.at ?? author?.at ?? 0));
}

function callsOf({ hunks, author }: Entry): readonly string[] {
  const made =
    hunks.length === 0 && author !== undefined ? [author] : hunks.flatMap(({ by }) => by);
  return made.map(({ callId }) => callId);
}

function linesOfAll(made: readonly Entry[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { review, hunks } of made) {
    const lines = linesIn(review, hunks);
    added += lines.added;
    removed += lines.removed;
  }
  return { added, removed };
}

function fileView(entry: Entry, room: number, names: ListNames): ReviewFileView {
  const { roots } = names;
  const { review, hunks, author } = entry;
  const looked = new Set(review.looked);
  return {
    path: review.path,
    name: nameIn(roots, review.path),
    sessionId: author?.sessionId ?? '',
    messageId: author?.messageId ?? '',
    state: stateOf(review, hunks[0]?.kind),
    form: hunks.length === 0 ? null : describeBinary(review) || null,
    renamedFrom: review.renamedFrom === undefined ? null : nameIn(roots, review.renamedFrom),
    ...linesIn(review, hunks),
    count: Math.max(1, hunks.length),
    hunks: hunks.slice(0, room).map((hunk) => ({
      ...hunkView(review, hunk, looked.has(hunk.id)),
      evidence: markOf(names.evidence({ review, hunk })),
    })),
  };
}

function stateOf(
  { baseline, document }: FileReview,
  kind: Hunk['kind'] | undefined,
): ReviewFileView['state'] {
  switch (kind) {
    case 'create':
      return 'created';
    case 'delete':
      return 'deleted';
    case 'binary':
      if (baseline.kind === 'absent') return 'created';
      return document.kind === 'absent' ? 'deleted' : 'binary';
    case 'change':
    case undefined:
      return 'changed';
    default:
      return kind satisfies never;
  }
}

function markOf(evidence: ChangeEvidence | undefined): EvidenceMark | null {
  if (evidence === undefined) return null;
  const { calls, checks, tests, doubts } = evidence;
  const covering = tests.filter(({ covers }) => covers);
  const problems =
    checks.state !== 'answered' ? 'unknown' : checks.fresh.length > 0 ? 'new' : 'none';
  return {
    said: calls.at(-1)?.said.slice(-MAX_SAID_CHARS) ?? '',
    problems:
      doubts.includes('changed since checked') && problems === 'none' ? 'unknown' : problems,
    tests: testsMark(doubts, covering.length > 0),
    green: doubts.length === 0,
  };
}

function testsMark(doubts: readonly ChangeDoubt[], ran: boolean): EvidenceMark['tests'] {
  if (!ran) return 'none';
  if (doubts.includes('tests failed')) return 'failed';
  return doubts.includes('tests unclear') ? 'unclear' : 'passed';
}

function hunkView(
  review: FileReview,
  hunk: Hunk,
  looked: boolean,
): Omit<ReviewHunkView, 'evidence'> {
  const { id, kind, documentFrom, documentTo } = hunk;
  return {
    id,
    kind,
    line: documentFrom + 1,
    lines: documentTo - documentFrom,
    ...linesIn(review, [hunk]),
    preview: previewOf(review, hunk),
    edited: hunk.editedByUser,
    looked,
  };
}

/**
 * Chooses the rows that the list shows of a hunk: a removed line and the one that replaces it, or the first lines where
 * there is only one kind. The newline at the end of a file is no row; that it came or went is.
 */
function previewOf(
  { baseline, document }: FileReview,
  { added, removed, ...hunk }: Hunk,
): readonly DiffLine[] {
  const [before, after] = [linesOf(baseline), linesOf(document)];
  const isLast = hunk.baselineTo === before.length && hunk.documentTo === after.length;
  const toRows = (kind: 'added' | 'removed', lines: readonly string[], from: number): DiffLine[] =>
    (isLast && lines.at(-1) === '' ? lines.slice(0, -1) : lines)
      .slice(0, COMPARED_LINES)
      .map((text, index) => ({ kind, text, line: from + index + 1 }));
  const taken = toRows('removed', removed, hunk.baselineFrom);
  const made = toRows('added', added, hunk.documentFrom);
  const all = [...taken, ...made];
  const [pair = [0, taken.length]] = pairRows(all);
  const isReplaced = taken.length > 0 && made.length > 0;
  const chosen = isReplaced
    ? all.filter((_, at) => pair.includes(at))
    : all.slice(0, PREVIEW_LINES);
  const indent = indentOf(chosen.map(({ text }) => text));
  const rows = chosen.map((row) => ({ ...row, text: row.text.slice(indent) }));
  const shown = cutRows(rows, MAX_LINE_CHARS).map((row) => ({
    ...row,
    text: makeVisible(row.text),
  }));
  if (!isLast || before.length === 0 || after.length === 0) return shown;
  const [had, has] = [before.at(-1) === '', after.at(-1) === ''];
  if (had === has) return shown;
  return [...shown, { kind: had ? 'added' : 'removed', text: '', line: null, end: true }];
}

/** White space that all lines begin with: there is little room. */
function indentOf(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== '');
  const [first = ''] = filled;
  let indent = first.length - first.trimStart().length;
  for (const line of filled) while (!line.startsWith(first.slice(0, indent))) indent -= 1;
  return indent;
}

/** The commands during which files changed, the newest first. */
export function commandGroups(
  groups: readonly CommandGroup[],
  roots: readonly string[],
): readonly CommandGroupView[] {
  return groups.toReversed().map(({ id, line, at, paths, total }) => ({
    id,
    line: makeVisible(line),
    at,
    files: paths.slice(0, LISTED_FILES).map((path) => ({ path, name: nameIn(roots, path) })),
    total,
  }));
}

/** How a person reads the path of a file. */
export function nameIn(roots: readonly string[], file: string): string {
  return makeVisible(shownPath(file, roots));
}
