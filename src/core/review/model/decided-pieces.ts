import type { Json } from '../../../domain/data/json.ts';
import { type Content, type FileReview, linesOf } from './file-review.ts';
import { type Hunk, fingerprint } from './hunks.ts';

/** Lines that a piece is known by, on each side. */
const PROBES = 3;
/** Characters of a line that a piece may be known by; longer ones are passed over. */
const LONGEST = 160;

/**
 * A change that is not pending any more. What became of it is asked of the file, by lines that only this
 * change put in or took away; the decision counts where they tell nothing.
 */
export interface Piece {
  readonly path: string;
  /** The same for the same lines taken away and put in. */
  readonly key: string;
  readonly made: 'accepted' | 'rejected';
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** `undone`: it was accepted, and is not in the file any more. */
export type PieceState = 'accepted' | 'rejected' | 'undone';

/** @param review as it was before the decision */
export function pieceOf(
  { path, baseline, document }: Pick<FileReview, 'path' | 'baseline' | 'document'>,
  { removed, added }: Pick<Hunk, 'removed' | 'added'>,
  made: Piece['made'],
): Piece {
  const key = fingerprint(`${removed.join('\n')}\0${added.join('\n')}`);
  return {
    path,
    key,
    made,
    added: onlyIn(added, linesOf(baseline)),
    removed: onlyIn(removed, linesOf(document)),
  };
}

/** @param content of the file, as far as it is known */
export function stateIn({ made, added, removed }: Piece, content: Content | undefined): PieceState {
  if (content === undefined || added.length + removed.length === 0) return made;
  const lines = linesOf(content);
  if (added.some((line) => lines.includes(line))) return 'accepted';
  if (removed.every((line) => lines.includes(line)))
    return made === 'accepted' ? 'undone' : 'rejected';
  // Neither of them: it was changed further, and the decision is the last that is known.
  return added.length === 0 ? 'accepted' : made;
}

/** Lines that a decision of their own replaces leave their piece decided, once and for all. */
export function settledBy(piece: Piece, { removed }: Pick<Hunk, 'removed'>): Piece {
  return piece.added.some((line) => removed.includes(line))
    ? { ...piece, added: [], removed: [] }
    : piece;
}

export function pieceToJson({ path, key, made, added, removed }: Piece): Json {
  return [path, key, made, [...added], [...removed]];
}

export function pieceFrom(value: Json): Piece | undefined {
  if (!Array.isArray(value)) return undefined;
  const [path, key, made, added, removed] = value as readonly Json[];
  if (typeof path !== 'string' || typeof key !== 'string') return undefined;
  if (made !== 'accepted' && made !== 'rejected') return undefined;
  return { path, key, made, added: textsIn(added), removed: textsIn(removed) };
}

function textsIn(value: Json | undefined): readonly string[] {
  const all: readonly Json[] = Array.isArray(value) ? value : [];
  return all.filter((one) => typeof one === 'string');
}

function onlyIn(lines: readonly string[], others: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const line of lines) {
    if (found.length === PROBES) break;
    if (line.trim() === '' || line.length > LONGEST || found.includes(line)) continue;
    if (!others.includes(line)) found.push(line);
  }
  return found;
}
