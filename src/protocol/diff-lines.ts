/** A row of a short diff. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
  /** 1-based, in the new file for added and context lines, in the old one for removed ones. */
  readonly line: number | null;
  /** The row has no text: it says that this side has no newline at its end, and the other side has one. */
  readonly end?: true;
}

/** A piece of a row; `changed`: its words are not in the row it is paired with. */
export interface DiffPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Added rows that are compared with a removed one. */
const MAX_CANDIDATES = 12;
/** Characters of a row by which it is compared with others. */
const MAX_COMPARED_CHARS = 2000;
/** Comparisons of words between two rows; with more, all between the first and the last difference is marked. */
const MAX_WORD_COMPARISONS = 40_000;
/** Part of the words that two rows must share to be paired. */
const MIN_SIMILARITY = 0.4;

/** Reads the lines of one hunk of a unified diff. */
export function readHunk(
  lines: Iterable<string>,
  oldStart: number,
  newStart: number,
): readonly DiffLine[] {
  const rows: DiffLine[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  for (const line of lines) {
    const text = line.slice(1);
    const last = rows.at(-1)?.kind;
    if (line.startsWith('+')) {
      rows.push({ kind: 'added', text, line: newLine });
      newLine += 1;
    } else if (line.startsWith('-')) {
      rows.push({ kind: 'removed', text, line: oldLine });
      oldLine += 1;
    } else if (line.startsWith(' ')) {
      rows.push({ kind: 'context', text, line: newLine });
      oldLine += 1;
      newLine += 1;
    } else if (line.startsWith('\\') && (last === 'added' || last === 'removed')) {
      rows.push({ kind: last, text: '', line: null, end: true });
    }
  }
  // A new or deleted file, or both sides: the newline is not what changed.
  const isChange =
    oldLine > oldStart && newLine > newStart && rows.filter(({ end }) => end).length === 1;
  return isChange ? rows : rows.filter(({ end }) => end !== true);
}

/** Pairs removed rows with the most similar of the added rows after them, in order. */
export function pairRows(rows: readonly DiffLine[]): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let from = 0;
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'removed' || row.end) continue;
    const start = rows.findIndex(({ kind }, at) => at > index && kind !== 'removed');
    from = Math.max(from, start);
    let best = { at: -1, similarity: MIN_SIMILARITY };
    for (let at = from; at < from + MAX_CANDIDATES && rows[at]?.kind === 'added'; at += 1) {
      const similarity = compareRows(row.text, rows[at]?.text ?? '');
      if (similarity > best.similarity) best = { at, similarity };
    }
    if (start < 0 || best.at < 0) continue;
    pairs.push([index, best.at]);
    from = best.at + 1;
  }
  return pairs;
}

/**
 * Cuts rows to a number of characters: a pair around its first difference, another row at its end. An ellipsis
 * stands for what is left out.
 */
export function cutRows(rows: readonly DiffLine[], maxChars: number): readonly DiffLine[] {
  if (rows.every(({ text }) => text.length <= maxChars)) return rows;
  const starts = new Map<number, number>();
  for (const [removed, added] of pairRows(rows)) {
    const [before, after] = [rows[removed]?.text ?? '', rows[added]?.text ?? ''];
    const longest = Math.max(before.length, after.length);
    if (longest <= maxChars) continue;
    const start = Math.min(
      countCommon(before, after) - Math.floor(maxChars / 4),
      longest - maxChars,
    );
    starts.set(removed, start).set(added, start);
  }
  return rows.map((row, index) => ({ ...row, text: cut(row.text, starts.get(index) ?? 0) }));

  function cut(text: string, start: number): string {
    const from = Math.max(0, start);
    const kept = text.slice(from, from + maxChars);
    return `${from > 0 ? '…' : ''}${kept}${from + maxChars < text.length ? '…' : ''}`;
  }
}

/** Divides rows into pieces, by the words that a removed row and the added row paired with it do not share. */
export function splitRows(rows: readonly DiffLine[]): readonly (readonly DiffPiece[])[] {
  const pieces = rows.map(({ text }): readonly DiffPiece[] => [{ text, changed: false }]);
  for (const [removed, added] of pairRows(rows)) {
    const before = toWords(rows[removed]?.text ?? '');
    const after = toWords(rows[added]?.text ?? '');
    const shared = findShared(before, after);
    pieces[removed] = toPieces(before, after, new Set(shared.map(([at]) => at)));
    pieces[added] = toPieces(after, before, new Set(shared.map(([, at]) => at)));
  }
  return pieces;
}

/** The words of a row as pieces; one of which no word changed is divided where the other row has more. */
function toPieces(
  words: readonly string[],
  others: readonly string[],
  shared: ReadonlySet<number>,
): readonly DiffPiece[] {
  const pieces: { text: string; changed: boolean }[] = [];
  const gap = shared.size === words.length ? countCommon(words, others) : -1;
  for (const [at, text] of words.entries()) {
    if (at === gap) pieces.push({ text: '', changed: true });
    // A space between two changed words belongs to them.
    const isBetween = text.trim() === '' && at > 0 && at < words.length - 1;
    const changed = !shared.has(at) || (isBetween && !shared.has(at - 1) && !shared.has(at + 1));
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  }
  if (words.length === gap) pieces.push({ text: '', changed: true });
  return pieces;
}

/** Finds words that two rows share, in order: those at both ends, and the longest common subsequence between them. */
function findShared(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const lead = countCommon(before, after);
  const [a, b] = [before.slice(lead), after.slice(lead)];
  const tail = countCommon(a.toReversed(), b.toReversed());
  const [rows, columns] = [a.length - tail, b.length - tail];
  const shared = Array.from({ length: lead }, (_, at): [number, number] => [at, at]);
  for (let back = 1; back <= tail; back += 1)
    shared.push([before.length - back, after.length - back]);
  if (rows * columns > MAX_WORD_COMPARISONS) return shared;
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        a[row] === b[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (a[row] === b[column]) {
      shared.push([lead + row, lead + column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return shared;
}

/** Counts the words, or characters, that both begin with. */
function countCommon(before: ArrayLike<string>, after: ArrayLike<string>): number {
  let count = 0;
  while (count < before.length && before[count] === after[count]) count += 1;
  return count;
}

/** Compares two rows: 0 when they share no word, 1 when all. */
function compareRows(before: string, after: string): number {
  const toSample = (text: string): readonly string[] =>
    toWords(text.slice(0, MAX_COMPARED_CHARS)).filter((word) => word.trim() !== '');
  const [a, b] = [toSample(before), toSample(after)];
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += word.length;
    left.set(word, count - 1);
  }
  return (2 * shared) / Math.max(1, a.join('').length + b.join('').length);
}

function toWords(text: string): readonly string[] {
  return text.match(/\p{Ideographic}|[\p{L}\p{N}\p{M}_$]+|\s+|[^\p{L}\p{N}\p{M}_$\s]/gu) ?? [];
}
