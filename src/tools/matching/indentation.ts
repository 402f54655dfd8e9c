import { indentOf } from './line-forms.ts';

/** Turns the indentation of a line that a model wrote into that of the file. */
export type Indent = (line: string) => string;

/** Widths of a tab that are tried, in blanks. */
const TAB_WIDTHS = [2, 4, 8, 3];

/**
 * The change of indentation that makes wanted lines fit: one shift, or tabs for blanks and back.
 * `undefined`: another structure. Lines for which `counts` is false do not say anything.
 */
export function indentBetween(
  wanted: readonly string[],
  present: readonly string[],
  counts: (index: number) => boolean = () => true,
): Indent | undefined {
  const filled = wanted.flatMap((line, index) =>
    line.trim() !== '' && counts(index)
      ? [[indentOf(line), indentOf(present[index] ?? '')] as const]
      : [],
  );
  return filled.length === 0 ? undefined : (shift(filled) ?? converted(filled));
}

type Pair = readonly [wanted: string, present: string];

function shift(pairs: readonly Pair[]): Indent | undefined {
  const [[given, there] = ['', '']] = pairs;
  const fits = pairs.every(
    ([wanted, present]) =>
      wanted.startsWith(given) &&
      present.startsWith(there) &&
      wanted.slice(given.length) === present.slice(there.length),
  );
  if (!fits) return undefined;
  return (line) =>
    line.trim() !== '' && line.startsWith(given) ? there + line.slice(given.length) : line;
}

function converted(pairs: readonly Pair[]): Indent | undefined {
  for (const width of TAB_WIDTHS) {
    for (const convert of [toTabs(width), toBlanks(width)]) {
      const inner = shift(pairs.map(([wanted, present]) => [convert(wanted), present]));
      if (inner === undefined) continue;
      return (line) => {
        const own = indentOf(line);
        return inner(convert(own) + line.slice(own.length));
      };
    }
  }
  return undefined;
}

const toTabs =
  (width: number) =>
  (indent: string): string =>
    indent.replaceAll(' '.repeat(width), '\t');

const toBlanks =
  (width: number) =>
  (indent: string): string =>
    indent.replaceAll('\t', ' '.repeat(width));
