/**
 * Characters that a person does not see and a model obeys, or that change what a person sees:
 * controls but tab and line feed (ESC and CR among them), bidirectional controls and zero-width
 * characters (both are of category Cf, like the visible number signs of Arabic, which stay), fillers, Unicode tags and supplementary variation selectors. The joiners U+200C and
 * U+200D are treated apart.
 */
const hidden =
  /(?![\t\n\u200C\u200D\u0600-\u0605\u06DD\u070F\u08E2])[\p{Cc}\p{Cf}]|\u034F|[\u115F\u1160]|[\u180B-\u180F]|\u3164|\uFFA0|[\u{E0000}-\u{E0FFF}]/gu;

/** A joiner belongs to an emoji or to a script that needs it (Persian, Hindi …); elsewhere it hides something. */
const strayJoiner =
  /(?<!(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])(?:\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier}))[\u200C\u200D]/gu;

/** One selector chooses the shape of a character; more in a row carry hidden data. */
const strayVariation = /(?<=[\uFE00-\uFE0F])[\uFE00-\uFE0F]/gu;

/** A flag of a region (England, Scotland …) is spelled with tags after a black flag, and stays whole. */
const regionFlag = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/gu;

/**
 * Text of a server without hidden characters. Line ends become line feeds; emoji and text written
 * from right to left stay whole. It is for what the model reads.
 */
export function cleanText(text: string): string {
  return clean(text, () => '');
}

/** The same, but each hidden character is shown as `⟨U+202E⟩`. It is for what a person decides on. */
export function visibleText(text: string): string {
  return clean(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

function clean(text: string, replace: (character: string) => string): string {
  const lines = text.replaceAll(/\r\n|[\u2028\u2029]/gu, '\n');
  let result = '';
  let from = 0;
  for (const flag of lines.matchAll(regionFlag)) {
    result += cleanPlain(lines.slice(from, flag.index), replace) + flag[0];
    from = flag.index + flag[0].length;
  }
  return result + cleanPlain(lines.slice(from), replace);
}

function cleanPlain(text: string, replace: (character: string) => string): string {
  return [hidden, strayJoiner, strayVariation].reduce(
    (cleaned, pattern) => cleaned.replace(pattern, replace),
    text,
  );
}
