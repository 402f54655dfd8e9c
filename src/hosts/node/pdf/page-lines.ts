export interface PlacedCharacter {
  readonly char: string;
  readonly fontSize: number;
  readonly bbox: { readonly x: number; readonly width: number };
}

/** A gap wider than this share of the size of the letters is the space between two words. */
const WORD_GAP = 0.15;

/** The text of a line. Most programs that write PDF leave spaces out and move the pen instead. */
export function lineText(characters: readonly PlacedCharacter[]): string {
  let text = '';
  let end: number | undefined;
  for (const { char, bbox, fontSize } of characters) {
    const gap = end === undefined ? 0 : bbox.x - end;
    if (gap > WORD_GAP * fontSize && !text.endsWith(' ') && char !== ' ') text += ' ';
    text += char;
    end = bbox.x + bbox.width;
  }
  return text.trimEnd();
}
