import type {
  CallReview,
  EvidenceMark,
  ReviewFileView,
  ReviewGroupView,
  ReviewHunkView,
} from '../../src/protocol/review-view.ts';
import { count } from '../words.ts';
import type { ActiveRow } from './rows.ts';

/** Of what was rejected in an editor with unsaved text: what the person has to do. */
export const UNSAVED = 'Rejected: save the file to finish';

/** True when a row has nothing to decide: all of it was rejected, and the file is to be saved. */
export function isOnlyUnsaved(row: ActiveRow): boolean {
  if (row.type === 'request') return false;
  if (row.type === 'hunk') return row.hunk.kind === 'unsaved';
  const { count: all, hunks, renamedFrom } = row.file;
  return all === 1 && hunks[0]?.kind === 'unsaved' && renamedFrom === null;
}

/** "line 12", "lines 12–15", "whole file". */
export function placeOf({ kind, line, lines }: ReviewHunkView): string {
  if (kind === 'binary') return 'binary content';
  if (kind === 'form') return 'line ends and encoding';
  if (kind === 'unsaved') return UNSAVED;
  if (kind !== 'change') return 'whole file';
  if (lines === 0) return `above line ${line}`;
  return lines === 1 ? `line ${line}` : `lines ${line}–${line + lines - 1}`;
}

/** The name and the folder of a file. */
export function splitName(name: string): { readonly base: string; readonly folder: string } {
  const cut = name.lastIndexOf('/');
  return { base: name.slice(cut + 1), folder: cut < 0 ? '' : name.slice(0, cut) };
}

const STATES: Readonly<Record<ReviewFileView['state'], string>> = {
  changed: '',
  created: 'new',
  deleted: 'deleted',
  // The form says it, with the sizes.
  binary: '',
};

/** Words about a file; that it is written needs none: "proposed", "new", "renamed from old.ts", … */
export function wordsOf(file: ReviewFileView): readonly string[] {
  const { kind, state, form, renamedFrom, command, during } = file;
  const words = [
    kind === 'proposed' ? kind : '',
    STATES[state],
    form ?? '',
    renamedFrom === null ? '' : `renamed from ${renamedFrom}`,
    command === null ? '' : during === true ? `while ${command} ran` : `by ${command}`,
  ];
  return words.filter((word) => word !== '');
}

/** The rest of what a word about a file means. */
export function hintOf({ command, during }: ReviewFileView, word: string): string {
  return during === true && word === `while ${command} ran` ? `Changed ${word}. ${DURING}` : word;
}

/** Warnings a person should not overlook: a conflict, a file that is gone. */
export function warningOf({ gone, hunks }: ReviewFileView): string {
  if (gone) return 'the file is gone';
  return hunks.some(({ conflict }) => conflict) ? 'conflict' : '';
}

const DURING =
  'It, or another program, did that: nobody can know. Files that you typed in or saved meanwhile are not listed, they count as yours.';
export const CONFLICT =
  'Something else, such as a formatter or git, changed lines of this change. Look at it before you decide.';
export const GONE =
  'Something else deleted the file. Rejecting leaves it deleted; what was proposed can still be opened.';

/** The object of a decision, in a sentence. */
export function nameOf(row: ActiveRow): string {
  switch (row.type) {
    case 'request':
      return count(row.group.count, 'change');
    case 'file':
      return `${count(row.file.count, 'change')} in ${splitName(row.file.name).base}`;
    case 'hunk':
      return `the change of ${splitName(row.file.name).base}, ${placeOf(row.hunk)}`;
    default:
      return row satisfies never;
  }
}

/** A screen reader's words for a row. */
export function labelOf(row: ActiveRow): string {
  switch (row.type) {
    case 'request':
      return join(
        row.session === null ? 'Request' : `Session ${row.session || 'without a title'}`,
        row.group.text,
        count(row.group.count, 'change'),
        lineWords(row.group),
      );
    case 'file':
      return join(
        row.file.name,
        ...wordsOf(row.file),
        warningOf(row.file),
        count(row.file.count, 'change'),
        lineWords(row.file),
        isLooked(row.file) ? 'all looked at' : '',
      );
    case 'hunk': {
      const { hunk } = row;
      const lines = hunk.preview.map(({ kind, text }) => `${kind}: ${text.trim()}`);
      return join(
        placeOf(hunk),
        lineWords(hunk),
        hunk.edited ? 'edited by you' : '',
        hunk.conflict ? 'conflict' : '',
        hunk.looked ? 'looked at' : '',
        evidenceWords(row.file, hunk),
        lines.join('; '),
      );
    }
    default:
      return row satisfies never;
  }
}

const PROBLEMS: Readonly<Record<EvidenceMark['problems'], string>> = {
  none: 'No new problems',
  new: 'New problems',
  unknown: 'Problems not known',
};
const TESTS: Readonly<Record<EvidenceMark['tests'], string>> = {
  passed: 'Tests passed',
  failed: 'Tests failed',
  unclear: 'Tests not clear',
  none: 'Not tested since',
};

/** Words for what is known of a change: problems, and tests. */
export function markWords({ problems, tests }: EvidenceMark): readonly [string, string] {
  return [PROBLEMS[problems], TESTS[tests]];
}

function evidenceWords(file: ReviewFileView, { evidence }: ReviewHunkView): string {
  if (evidence === null) return '';
  const found = file.kind === 'written' ? markWords(evidence) : [];
  return join(...found, evidence.said === '' ? '' : `why: ${evidence.said}`);
}

function lineWords({ added, removed }: Pick<ReviewGroupView, 'added' | 'removed'>): string {
  return join(added > 0 ? `${added} added` : '', removed > 0 ? `${removed} removed` : '');
}

function join(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(', ');
}

/** All of its changes were looked at. */
export function isLooked({ hunks }: ReviewFileView): boolean {
  return hunks.length > 0 && hunks.every(({ looked }) => looked);
}

/** Words for the outcome of a call's changes, for its card. */
export const CALL_WORDS: Readonly<Record<CallReview, string>> = {
  pending: 'pending',
  proposed: 'proposed',
  accepted: 'accepted',
  rejected: 'rejected',
  // Accepted, and taken out of the file since.
  undone: 'undone',
  partly: 'partly accepted',
};
