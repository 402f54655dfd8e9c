import { Lexer, Tokenizer, type Tokens } from 'marked';

/**
 * Characters of Chinese, Japanese and Korean text, letters and punctuation: blocks of Unicode without the
 * ideographic space.
 */
const CJK = String.raw`\u1100-\u11ff\u2e80-\u2fff\u3001-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}`;

const BASE = Lexer.rules.inline.gfm;

/**
 * Builds the expression that finds the marks which may end emphasis or a struck text, with the groups that marked
 * reads: 1 and 2 only close, 3 and 4 only open, 5 and 6 do both. A CJK character is as good as a letter and as good
 * as punctuation: next to a mark it never keeps the mark from opening or closing. All else is as in CommonMark.
 */
function buildClosers(run: string, punct: string, letter: string): string {
  const end = `(${run})(?!${run.slice(0, -1)})`;
  return [
    `(?:${punct}|[${CJK}])(${run})(?=\\s|$)`,
    `${letter}${end}(?=\\s|${punct}|$)`,
    `(?:\\s|${punct})(${run})(?=${letter})`,
    `\\s${end}(?=${punct}|[${CJK}])`,
    `(?:${punct}|[${CJK}])${end}(?=${punct}|[${CJK}])`,
    `(?:${letter}|[${CJK}])(${run})(?=${letter}|[${CJK}])`,
  ].join('|');
}

/** Punctuation next to asterisks; a tilde is none there, as in GitHub's markdown. */
const PUNCT = `(?![*~${CJK}])[\\p{P}\\p{S}]`;
const TILDE_PUNCT = `(?![~${CJK}])[\\p{P}\\p{S}]`;
const LETTER = `[^\\s\\p{P}\\p{S}${CJK}]`;
/** What marked passes over before it looks for asterisks. */
const SKIPPED = String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|[^*]+(?=[^*])`;

/** The rules for asterisks and tildes. */
const CJK_RULES = {
  ...BASE,
  punctuation: new RegExp(`^(?![*_])[\\s\\p{P}\\p{S}${CJK}]`, 'u'),
  emStrongLDelim: new RegExp(`^\\*+(?:(${PUNCT})|([^\\s*]))?`, 'u'),
  emStrongRDelimAst: new RegExp(
    `${SKIPPED}|${buildClosers('\\*+', PUNCT, `(?:${LETTER}|~)`)}`,
    'gu',
  ),
  delLDelim: new RegExp(`^~~(?:(${TILDE_PUNCT})|[^\\s~])`, 'u'),
  delRDelim: new RegExp(`[^~]+(?=[^~])|${buildClosers('~~', TILDE_PUNCT, LETTER)}`, 'gu'),
};

/** Reads markdown as people write it: emphasis next to CJK text, and two tildes strike, one is only a tilde. */
export class AnswerTokenizer extends Tokenizer {
  override emStrong(
    src: string,
    maskedSrc: string,
    before?: string,
  ): Tokens.Em | Tokens.Strong | undefined {
    // The rules of underscores stay those of CommonMark.
    this.rules.inline = src.startsWith('*') ? CJK_RULES : BASE;
    return super.emStrong(src, maskedSrc, wholeCharacter(src, maskedSrc, before));
  }

  override del(src: string, maskedSrc: string, before?: string): Tokens.Del | undefined {
    this.rules.inline = CJK_RULES;
    return super.del(src, maskedSrc, wholeCharacter(src, maskedSrc, before));
  }
}

/** The character before the rest of a text, of which the lexer gives the last half. */
function wholeCharacter(src: string, text: string, before = ''): string {
  const at = text.length - src.length;
  return /[\udc00-\udfff]/u.test(before) ? text.slice(Math.max(0, at - 2), at) : before;
}
