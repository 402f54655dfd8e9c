/** A symbol's place by its text and, roughly, its line. */
export type Address =
  | {
      readonly kind: 'found';
      /** 1-based; columns in UTF-16 code units, of the symbol's own name. */
      readonly line: number;
      readonly column: number;
      /** The name at that place. */
      readonly name: string;
      /** The line that was asked for is another one. */
      readonly moved: boolean;
      readonly onLine: number;
    }
  /** Several are equally near. */
  | { readonly kind: 'ambiguous'; readonly name: string; readonly lines: readonly number[] }
  /** Not near the line; `lines` are where it is in the file, none when it is not there at all. */
  | { readonly kind: 'missing'; readonly name: string; readonly lines: readonly number[] };

/** A line number of a model is trusted this far: it comes from text that was read before an edit or two. */
const NEAR = 20;

const WORD = /[\p{L}\p{N}_$\u200c\u200d]/u;

/**
 * Finds a symbol by its text: a name, or one with what is before it (`route.points`, `new Route`).
 * Without a line it must occur once.
 */
export function addressOf(text: string, asked: string, line?: number): Address {
  const wanted = withoutArguments(asked);
  const name = lastNameOf(wanted);
  const occurrences = occurrencesOf(text, wanted, name);
  const lines = [...new Set(occurrences.map((one) => one.line))];
  if (line === undefined) {
    const [only] = occurrences;
    if (only === undefined) return { kind: 'missing', name, lines: [] };
    if (lines.length > 1) return { kind: 'ambiguous', name, lines };
    return { kind: 'found', ...only, name, moved: false, onLine: occurrences.length };
  }
  const nearest = Math.min(...lines.map((one) => Math.abs(one - line)));
  if (nearest > NEAR) return { kind: 'missing', name, lines };
  const near = lines.filter((one) => Math.abs(one - line) === nearest);
  if (near.length > 1) return { kind: 'ambiguous', name, lines: near };
  const there = occurrences.filter((one) => one.line === near[0]);
  const [first] = there;
  if (first === undefined) return { kind: 'missing', name, lines };
  return { kind: 'found', ...first, name, moved: nearest > 0, onLine: there.length };
}

/** `length(route)` is about `length`; `items[0]` about `items`. */
function withoutArguments(asked: string): string {
  const trimmed = asked.trim().replace(/^`(.*)`$/su, '$1');
  const cut = trimmed.replace(/[(<[;:,{=].*$/su, '').trim();
  return cut === '' ? trimmed : cut;
}

/** The name that is meant: the last one. A symbol without any letter is meant as it is. */
function lastNameOf(wanted: string): string {
  return wanted.match(/[\p{L}\p{N}_$\u200c\u200d]+/gu)?.at(-1) ?? wanted;
}

interface Occurrence {
  readonly line: number;
  readonly column: number;
}

function occurrencesOf(text: string, wanted: string, name: string): readonly Occurrence[] {
  if (wanted === '') return [];
  const inside = Math.max(0, wanted.lastIndexOf(name));
  const found: Occurrence[] = [];
  for (const [index, content] of linesOf(text).entries()) {
    for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + 1)) {
      if (isWhole(content, at, wanted)) found.push({ line: index + 1, column: at + inside + 1 });
    }
  }
  if (found.length > 0 || wanted === name) return found;
  // `Route.length` may be how it is spoken of, not how it is written.
  return occurrencesOf(text, name, name);
}

/** Not a part of a longer name. */
function isWhole(content: string, at: number, wanted: string): boolean {
  const before = content.charAt(at - 1);
  const after = content.charAt(at + wanted.length);
  const starts = !WORD.test(wanted.charAt(0)) || before === '' || !WORD.test(before);
  const ends = !WORD.test(wanted.charAt(wanted.length - 1)) || after === '' || !WORD.test(after);
  return starts && ends;
}

/** As an editor counts them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/u);
}
