import type { TextChange } from '../../core/ports/editor/language.ts';

/** A text with changes at an editor's places, in order; `undefined`: they overlap. */
export function changedText(text: string, changes: readonly TextChange[]): string | undefined {
  const starts = lineStarts(text);
  const places = changes
    .map((change, index) => ({
      from: offsetOf(text, starts, change.line, change.column),
      to: offsetOf(text, starts, change.endLine, change.endColumn),
      text: change.text,
      index,
    }))
    .toSorted(
      (left, right) => left.from - right.from || left.to - right.to || left.index - right.index,
    );
  const pieces: string[] = [];
  let at = 0;
  for (const place of places) {
    if (place.from < at || place.to < place.from) return undefined;
    pieces.push(text.slice(at, place.from), place.text);
    at = place.to;
  }
  return pieces.join('') + text.slice(at);
}

interface Line {
  readonly from: number;
  readonly to: number;
}

function lineStarts(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const found of text.matchAll(/\r\n|\r|\n/gu)) {
    lines.push({ from, to: found.index });
    from = found.index + found[0].length;
  }
  lines.push({ from, to: text.length });
  return lines;
}

function offsetOf(text: string, lines: readonly Line[], line: number, column: number): number {
  const found = lines[line - 1];
  return found === undefined ? text.length : Math.min(found.from + column - 1, found.to);
}
