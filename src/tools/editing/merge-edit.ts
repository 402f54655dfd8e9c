import { told, type Told } from '../../domain/text/told.ts';
import { type TextConflict, mergeTexts } from '../../core/merge/merge-texts.ts';
import { fault } from '../../domain/failure.ts';
import { editDiff } from './edit-diff.ts';

/** Conflicts that are shown to the model, and characters of each of their texts. */
const MOST_CONFLICTS = 5;
const LONGEST_TEXT = 1500;
/** Characters of a difference that the model is told; beyond it, it has to read again. */
const LONGEST_TOLD = 6000;

/** The text read, the edit's outcome, and the present one. */
export interface ThreeTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges the edit into the present text.
 * @param since "since you read it"
 * @throws BelayError `invalid` with the texts when both changed the same lines, or nothing is left
 * to change
 */
export function mergedEdit({ base, ours, theirs }: ThreeTexts, shown: string, since: Told): string {
  const merge = mergeTexts(base, ours, theirs);
  if (merge.kind === 'merged' && merge.changesTheirs) return merge.text;
  if (merge.kind === 'merged') {
    const message = told`${shown} was changed by something else ${since}, and it has your change already. Nothing was written.`;
    throw fault('invalid', message);
  }
  const { conflicts } = merge;
  const places = conflicts.slice(0, MOST_CONFLICTS).map(conflictText);
  const more =
    conflicts.length > places.length
      ? `\nThere are ${conflicts.length - places.length} more such places.`
      : '';
  const message = told`${shown} was changed by something else ${since}, so it was not written: the edit changes the same lines, and nothing may be lost.`;
  const lines = `${places.join('\n')}${more}\nRead it again, then edit what is there now.`;
  throw fault('invalid', message, { lines });
}

function conflictText({ line, base, ours, theirs }: TextConflict): string {
  return `At line ${line} there was:\n${quoted(base)}\nThere is now:\n${quoted(theirs)}\nYour edit wants:\n${quoted(ours)}`;
}

function quoted(text: string): string {
  if (text === '') return '(nothing)';
  const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return cut.replace(/\n$/u, '');
}

/** A difference told to the model; `whole`: it knows the new text now. */
export interface ToldDifference {
  readonly text: string;
  readonly whole: boolean;
}

/** @param what a clause: "The file was changed further as it was saved" */
export async function toldDifference(
  what: string,
  from: string,
  to: string,
): Promise<ToldDifference> {
  const { text, added, removed } = await editDiff(from, to);
  return text === '' || text.length > LONGEST_TOLD
    ? {
        text: `${what} (+${added} −${removed} lines); read it before you rely on it.`,
        whole: false,
      }
    : { text: `${what}:\n${text}`, whole: true };
}
