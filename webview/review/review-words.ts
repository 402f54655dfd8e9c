import * as l10n from '@vscode/l10n';
import type {
  CallReview,
  EvidenceMark,
  ReviewFileView,
  ReviewGroupView,
  ReviewHunkView,
} from '../../src/protocol/review-view.ts';
import type { ActiveRow } from './rows.ts';
import { count } from '../../src/domain/text/language.ts';

/** "line 12", "lines 12–15", "whole file". */
export function placeOf({ kind, line, lines }: ReviewHunkView): string {
  if (kind === 'binary') return l10n.t('binary content');
  if (kind !== 'change') return l10n.t('whole file');
  if (lines === 0) return l10n.t('above line {0}', line);
  return lines === 1 ? l10n.t('line {0}', line) : l10n.t('lines {0}–{1}', line, line + lines - 1);
}

/** The name and the folder of a file. */
export function splitName(name: string): { readonly base: string; readonly folder: string } {
  const cut = name.lastIndexOf('/');
  return { base: name.slice(cut + 1), folder: cut < 0 ? '' : name.slice(0, cut) };
}

const STATES: Readonly<Record<ReviewFileView['state'], string>> = {
  changed: '',
  created: l10n.t('new'),
  deleted: l10n.t('deleted'),
  // The form says it, with the sizes.
  binary: '',
};

/** Words about a file: "new", "renamed from old.ts", … */
export function wordsOf(file: ReviewFileView): readonly string[] {
  const { state, form, renamedFrom } = file;
  const words = [
    STATES[state],
    form ?? '',
    renamedFrom === null ? '' : l10n.t('renamed from {0}', renamedFrom),
  ];
  return words.filter((word) => word !== '');
}

/** The object of a decision, in a sentence. */
export function nameOf(row: ActiveRow): string {
  switch (row.type) {
    case 'request':
      return count(row.group.count, 'change');
    case 'file':
      return l10n.t('{0} in {1}', count(row.file.count, 'change'), splitName(row.file.name).base);
    case 'hunk':
      return l10n.t('the change of {0}, {1}', splitName(row.file.name).base, placeOf(row.hunk));
    default:
      return row satisfies never;
  }
}

/** A screen reader's words for a row; what is known of a change stands behind them, in words of its own. */
export function labelOf(row: ActiveRow): string {
  switch (row.type) {
    case 'request':
      return join(
        row.session === null
          ? l10n.t('Request')
          : l10n.t('Session {0}', row.session || l10n.t('without a title')),
        row.group.text,
        count(row.group.count, 'change'),
        lineWords(row.group),
      );
    case 'file':
      return join(
        row.file.name,
        ...wordsOf(row.file),
        count(row.file.count, 'change'),
        lineWords(row.file),
        isLooked(row.file) ? l10n.t('all looked at') : '',
      );
    case 'hunk': {
      const { hunk } = row;
      const lines = hunk.preview.map(({ kind, text }) => `${kind}: ${text.trim()}`);
      return join(
        placeOf(hunk),
        lineWords(hunk),
        hunk.edited ? l10n.t('edited by you') : '',
        hunk.looked ? l10n.t('looked at') : '',
        lines.join('; '),
      );
    }
    default:
      return row satisfies never;
  }
}

const PROBLEMS: Readonly<Record<EvidenceMark['problems'], string>> = {
  none: l10n.t('No new problems'),
  new: l10n.t('New problems'),
  unknown: l10n.t('Problems not known'),
};
const TESTS: Readonly<Record<EvidenceMark['tests'], string>> = {
  passed: l10n.t('Tests passed'),
  failed: l10n.t('Tests failed'),
  unclear: l10n.t('Tests not clear'),
  none: l10n.t('Not tested since'),
};

/** Words for what is known of a change: problems, and tests. */
export function markWords({ problems, tests }: EvidenceMark): readonly [string, string] {
  return [PROBLEMS[problems], TESTS[tests]];
}

function lineWords({ added, removed }: Pick<ReviewGroupView, 'added' | 'removed'>): string {
  return join(
    added > 0 ? l10n.t('{0} added', added) : '',
    removed > 0 ? l10n.t('{0} removed', removed) : '',
  );
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
  pending: l10n.t('pending'),
  kept: l10n.t('kept'),
  undone: l10n.t('undone'),
  partly: l10n.t('partly kept'),
};
