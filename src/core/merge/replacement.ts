/** A place in a text, by characters (UTF-16 units), and what goes there. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with its replacements, which do not overlap and are in order. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, text: replacement } of replacements) {
    result += text.slice(at, from) + replacement;
    at = to;
  }
  return result + text.slice(at);
}
