import { fileTarget, type LinkTarget } from './links.ts';

/** A piece of a text: a path with a line, or what stands between two of them. */
export interface Piece {
  readonly text: string;
  /** Where it leads; `undefined`: nowhere. */
  readonly target?: Extract<LinkTarget, { readonly kind: 'file' }>;
}

/** The most characters of a possible path, so that each is looked at in a bounded time. */
const LONGEST = 300;
/** The line is what tells a path from other words; without one nothing is looked at. */
const NUMBERED = /:\d/u;
const WORD = /[^\s"'`()<>[\]{}|,;*=…]+/gu;
const PATH =
  /^(?<path>(?:\.\/)?(?:[\p{L}\p{N}_.@+-]+\/)*[\p{L}\p{N}_.@+-]*\.[a-zA-Z][\w-]{0,15}):(?<line>\d{1,7})(?::\d{1,5}|-\d{1,7})?(?<rest>[.:!?]*)$/u;

/**
 * Finds paths of the workspace with a line, the form that answers are asked to name places in: `src/a.ts:24`,
 * `src/a.ts:24:5`, `src/a.ts:24-30`. Never an absolute one, one that leads out, or anything with a scheme.
 */
export function pathsIn(text: string): readonly Piece[] {
  if (!NUMBERED.test(text)) return [{ text }];
  const pieces: Piece[] = [];
  let taken = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const found = pathWithLine(word);
    if (found === undefined) continue;
    if (index > taken) pieces.push({ text: text.slice(taken, index) });
    pieces.push(found);
    taken = index + found.text.length;
  }
  if (taken < text.length) pieces.push({ text: text.slice(taken) });
  return pieces;
}

/** A word as a path with a line, without the punctuation behind it. */
function pathWithLine(word: string): Required<Piece> | undefined {
  if (word.length > LONGEST) return undefined;
  const groups = PATH.exec(word)?.groups;
  const path = groups?.['path'];
  if (path === undefined || path.split('/').includes('..')) return undefined;
  const text = word.slice(0, word.length - (groups?.['rest'] ?? '').length);
  const target = fileTarget(text);
  if (target?.kind !== 'file') return undefined;
  return { text, target };
}
