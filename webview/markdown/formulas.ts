/** A formula at the beginning of a text. */
interface FoundFormula {
  /** With what encloses it. */
  readonly raw: string;
  /** TeX. */
  readonly text: string;
}

/** Characters of a formula; a longer one is text. */
const LONGEST_FORMULA = 3000;

const DISPLAYED = [
  ['$$', '$$'],
  ['\\[', '\\]'],
] as const;

/** A formula on lines of its own: `$$…$$`, `\[…\]`. */
export function displayFormula(src: string): FoundFormula | undefined {
  const indent = /^ {0,3}/u.exec(src)?.[0] ?? '';
  for (const [open, close] of DISPLAYED) {
    const found = enclosed(src.slice(indent.length), open, close);
    const rest = found && /^[ \t]*(?:\n|$)/u.exec(src.slice(indent.length + found.raw.length));
    if (found && rest) return { raw: `${indent}${found.raw}${rest[0]}`, text: found.text };
  }
  return undefined;
}

/** A text between two marks, without an empty line in it. */
function enclosed(src: string, open: string, close: string): FoundFormula | undefined {
  if (!src.startsWith(open)) return undefined;
  const end = src.slice(0, LONGEST_FORMULA).indexOf(close, open.length);
  const text = end === -1 ? '' : src.slice(open.length, end);
  if (text.trim() === '' || /\n\s*\n/u.test(text)) return undefined;
  return { raw: src.slice(0, end + close.length), text: text.trim() };
}

/** Nothing blank inside the marks, and no word or price behind them. */
const DOLLARS =
  /^\$(?<text>(?![\s$])(?:[^$\n\\]|\\[^\n]){0,1000}?(?:[^\s$\\]|\\[^\s\n]))\$(?![\p{L}\p{N}$])/u;

/** A formula within a line: `$…$`, `\(…\)`; also one in the marks of a line of its own. */
export function inlineFormula(
  src: string,
): (FoundFormula & { readonly display: boolean }) | undefined {
  for (const [open, close] of DISPLAYED) {
    const found = enclosed(src, open, close);
    if (found !== undefined) return { ...found, display: true };
  }
  const inLine = enclosed(src, '\\(', '\\)');
  if (inLine !== undefined) return { ...inLine, display: false };
  const one = DOLLARS.exec(src);
  const text = one?.groups?.['text'];
  return one === null || text === undefined || !isMath(text)
    ? undefined
    : { raw: one[0], text, display: false };
}

const FUNCTIONS =
  /^(?:sin|cos|tan|cot|log|ln|lg|exp|max|min|lim|sup|inf|det|dim|ker|gcd|lcm|mod|arg|deg)$/u;

/** True for what is no price, no variable of a shell and no sentence between two dollar signs. */
function isMath(text: string): boolean {
  if (/[\\^_=<>]/u.test(text)) return !/^[A-Z_]{2,}\b/u.test(text);
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  if (words.length === 0) return !/^[\d.,]*\s[\d.,\s]*$/u.test(text);
  if (/^[A-Za-z]{1,3}$/u.test(text)) return true;
  return !/^\d/u.test(text) && words.every((word) => FUNCTIONS.test(word));
}
