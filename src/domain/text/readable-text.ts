/** A fence of a code block, and the marks at the start of other lines: quotes, headings, items, boxes. */
const FENCE = /^\s*(?:```+|~~~+)/u;
const LEAD = /^(?:\s*(?:>|#{1,6}(?=\s)|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)))+\s*/u;
/** Of a line without blanks around it. */
const TABLE_RULE = /^\|?(?:\s*:?-{3,}:?\s*\|)+(?:\s*:?-{3,}:?)?$/u;
/** Code, pictures and links, escapes, and marks of emphasis; those within a word are letters. */
const INLINE =
  /(?<!`)`+(?<code>[^`\n]+)`+|!?\[(?<words>[^\][\n]{0,500})\]\([^()\n]{0,2000}\)|\\(?<escaped>[!-/:-@[-`{-~])|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|(?<![\p{L}\p{N}_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu;

/** Markdown about as it reads on the screen, without its marks; in one pass, whatever the text. */
export function readableText(markdown: string): string {
  let inCode = false;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    else if (inCode) lines.push(line);
    else if (!TABLE_RULE.test(line.trim())) lines.push(readableLine(line));
  }
  return lines.join('\n');
}

function readableLine(line: string): string {
  const words = line.replace(LEAD, '');
  const cells = words.trimStart().startsWith('|') ? words.replaceAll('|', ' ') : words;
  return cells.replace(INLINE, (...match) => {
    const { code, words: shown, escaped } = match.at(-1) as Readonly<Record<string, string>>;
    return code ?? shown ?? escaped ?? '';
  });
}
