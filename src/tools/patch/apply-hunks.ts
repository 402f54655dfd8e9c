import { told, type Told } from '../../domain/text/told.ts';
import { LineEnds } from '../../core/merge/line-ends.ts';
import type { Replacement } from '../../core/merge/replacement.ts';
import { type Fit, type LineEdit, type LinePlace, findLines } from '../matching/find-lines.ts';
import { indentOf } from '../matching/line-forms.ts';
import { LineIndex } from '../../core/merge/line-index.ts';
import { nearestMatch } from '../matching/nearest-match.ts';
import { inOneGo } from '../../domain/lifetime/steps.ts';
import type { Hunk } from './patch.ts';

/** A text with hunks applied. */
export interface PatchedText {
  readonly text: string;
  /** Sentences about hunks whose place differs a little. */
  readonly notes: readonly Told[];
  /** Sentences about hunks without exactly one place, which `text` lacks. */
  readonly problems: readonly Told[];
}

/** Applies the hunks that have exactly one place; lines of context stay. */
export function applyHunks(text: string, hunks: readonly Hunk[]): PatchedText {
  const ends = new LineEnds(text);
  const body = ends.text.endsWith('\n') ? ends.text.slice(0, -1) : ends.text;
  const index = new LineIndex(body);
  const used: LinePlace[] = [];
  const notes: Told[] = [];
  const problems: Told[] = [];
  const made: Hunk[] = [];
  for (const [number, hunk] of hunks.entries()) {
    const label = hunks.length === 1 ? told`The hunk` : told`Hunk ${number + 1} of ${hunks.length}`;
    const found = findHunk(index, hunk, used, ends.text === '');
    if ('problem' in found) {
      problems.push(told`${label} ${found.problem}`);
      continue;
    }
    used.push(found.place);
    made.push(hunk);
    if (found.how === 'loose') {
      const kinds = found.place.kinds.join(', ');
      notes.push(
        told`${label} did not match exactly (${kinds}). The file's own characters were kept where old and new lines agree.`,
      );
    }
    if (found.how === 'similar')
      notes.push(
        told`${label} was made at line ${String(found.place.line + 1)}, where the context differs a little; the file's own lines were kept.`,
      );
  }
  const replacements = used
    .flatMap((place) => inOneGo(place.replace()))
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  const present = ends.text === '' ? 0 : index.lines.length;
  const lines = made.reduce((count, hunk) => count + addedBy(hunk), present);
  return { text: lines === 0 ? '' : finish(text, ends, replacements, made), notes, problems };
}

/** Lines more that a text has after it. */
function addedBy({ lines }: Hunk): number {
  return lines.reduce((count, { mark }) => count + (mark === '+' ? 1 : mark === '-' ? -1 : 0), 0);
}

/** A text of no lines gets its first ones with a final line end; else the end stays unless a hunk says so. */
function finish(
  before: string,
  ends: LineEnds,
  replacements: readonly Replacement[],
  made: readonly Hunk[],
): string {
  const text = ends.apply(replacements);
  const had = ends.text.endsWith('\n');
  const wanted = made.flatMap(({ finalLineEnd }) => finalLineEnd ?? []).at(-1);
  if (had && wanted === false) return text.replace(/\r?\n$/u, '');
  if (had || (wanted !== true && ends.text !== '')) return text;
  return `${text}${before.includes('\r\n') ? '\r\n' : '\n'}`;
}

type Found = { readonly place: LinePlace; readonly how: Fit } | { readonly problem: Told };

function findHunk(index: LineIndex, hunk: Hunk, used: readonly LinePlace[], empty: boolean): Found {
  const edit = lineEditOf(hunk);
  if (edit.wanted.length === 0) return appended(index, hunk, edit, empty);
  const { places, how } = findLines(index, edit);
  const free = places.filter((place) =>
    used.every(({ from, to }) => place.to <= from || place.from >= to),
  );
  const [place, ...others] = chosen(index, hunk, free, edit.wanted.length, used.at(-1));
  if (place !== undefined && others.length === 0) return { place, how };
  if (place !== undefined) {
    const lines = [place, ...others].map(({ line }) => line + 1);
    const shown = `${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ' …' : ''}`;
    return {
      problem: told`fits ${lines.length} places: lines ${shown}. Give more context, or an @@ line with the class or function.`,
    };
  }
  if (places.length > 0) return { problem: told`fits only where another hunk was made already.` };
  const nearest = inOneGo(nearestMatch(index.lines, edit.wanted));
  const near =
    nearest === undefined
      ? told` Read the file again.`
      : told` The nearest text, at line ${String(nearest.line)}, is:\n${nearest.text}`;
  return { problem: told`does not fit: its lines are not in the file.${near}` };
}

function lineEditOf({ lines }: Hunk): LineEdit {
  return {
    wanted: lines.filter(({ mark }) => mark !== '+').map(({ text }) => text),
    after: lines.filter(({ mark }) => mark !== '-').map(({ text }) => text),
  };
}

/** Without any context, lines can only go to the end. */
function appended(index: LineIndex, hunk: Hunk, edit: LineEdit, empty: boolean): Found {
  const line = index.lines.length;
  const at = index.end(line - 1);
  const text = edit.after.join('\n');
  const place = (written: string): Found => ({
    place: {
      line,
      from: at,
      to: at,
      *replace() {
        yield;
        return [{ from: at, to: at, text: written }];
      },
      kinds: [],
    },
    how: 'exact',
  });
  if (empty) return place(text);
  if (hunk.headers.length > 0 || (hunk.line !== undefined && hunk.atEnd !== true))
    return {
      problem: told`only adds lines and has no context; give at least one line around them.`,
    };
  return place(`\n${text}`);
}

/** The places that may be meant: where the hunk says they are, as far as it says something. */
function chosen(
  index: LineIndex,
  hunk: Hunk,
  places: readonly LinePlace[],
  length: number,
  last: LinePlace | undefined,
): readonly LinePlace[] {
  const narrower: readonly ((place: LinePlace) => boolean)[] = [
    ({ line }) => hunk.atEnd !== true || line + length === index.lines.length,
    ({ line }) => hunk.line === undefined || line + 1 === hunk.line,
    ({ line }) => isBelow(index, hunk.headers, line),
    // Hunks come in the order of the file.
    ({ from }) => last === undefined || from >= last.to,
  ];
  let left = places;
  for (const allows of narrower) {
    if (left.length <= 1) return left;
    const fewer = left.filter(allows);
    if (fewer.length > 0) left = fewer;
  }
  return left;
}

/** True for a line in the blocks that begin with the headers, the last one innermost. */
function isBelow({ lines }: LineIndex, headers: readonly string[], line: number): boolean {
  const first = lines.slice(line).find((text) => text.trim() !== '') ?? '';
  let indent = indentOf(first).length;
  let wanted = headers.length - 1;
  for (let at = line - 1; at >= 0 && wanted >= 0; at -= 1) {
    const text = lines[at] ?? '';
    const own = indentOf(text).length;
    if (text.trim() === '' || own >= indent) continue;
    if (text.trim().startsWith(headers[wanted] ?? '')) wanted -= 1;
    // The end of a signature of several lines: what encloses is as far in as it.
    indent = /^\s*[)\]}]/u.test(text) ? own + 1 : own;
  }
  return wanted < 0;
}
