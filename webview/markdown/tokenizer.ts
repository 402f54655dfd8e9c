import { Lexer, Tokenizer, type Tokens } from 'marked';
import { FencedCode } from './fences.ts';

/**
 * Characters of Chinese, Japanese and Korean text, letters and punctuation: blocks of Unicode without the
 * ideographic space.
 */
const CJK = String.raw`\u1100-\u11ff\u2e80-\u2fff\u3001-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee\u{20000}-\u{3ffff}`;

const BASE = Lexer.rules.inline.gfm;

/**
 * Builds the expression that finds the marks which may end emphasis or a struck text, with the groups that marked
 * reads: 1 and 2 only close, 3 and 4 only open, 5 and 6 do both. A CJK character is as good as a letter and as good
 * as punctuation: next to a mark it never keeps the mark from opening or closing. All else is as in CommonMark.
 */
function buildClosers(run: string, punct: string, letter: string): string {
  const end = `(${run})(?!${run.slice(0, -1)})`;
  const asPunct = `(?:${punct}|[${CJK}])`;
  const asLetter = `(?:${letter}|[${CJK}])`;
  return [
    `${asPunct}(${run})(?=\\s|$)`,
    `${letter}${end}(?=\\s|${punct}|$)`,
    `(?:\\s|${punct})(${run})(?=${letter})`,
    `\\s${end}(?=${asPunct})`,
    `${asPunct}${end}(?=${asPunct})`,
    `${asLetter}(${run})(?=${asLetter})`,
  ].join('|');
}

/** Punctuation next to asterisks; a tilde is none there, as in GitHub's markdown. */
const PUNCT = `(?![*~${CJK}])[\\p{P}\\p{S}]`;
const TILDE_PUNCT = `(?![~${CJK}])[\\p{P}\\p{S}]`;
const LETTER = `[^\\s\\p{P}\\p{S}${CJK}]`;
/** Text that marked passes over before it looks for asterisks. */
const SKIPPED = String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|[^*]+(?=[^*])`;

/** The rules for asterisks and tildes. */
const CJK_RULES = {
  ...BASE,
  // Of a rare CJK character or an emoji, marked gives the last half.
  punctuation: new RegExp(`^(?![*_])[\\s\\p{P}\\p{S}${CJK}\\udc00-\\udfff]`, 'u'),
  emStrongLDelim: new RegExp(`^\\*+(?:(${PUNCT})|([^\\s*]))?`, 'u'),
  emStrongRDelimAst: new RegExp(
    `${SKIPPED}|${buildClosers('\\*+', PUNCT, `(?:${LETTER}|~)`)}`,
    'gu',
  ),
  delLDelim: new RegExp(`^~~(?:(${TILDE_PUNCT})|[^\\s~])`, 'u'),
  delRDelim: new RegExp(`[^~]+(?=[^~])|${buildClosers('~~', TILDE_PUNCT, LETTER)}`, 'gu'),
};

/**
 * Reads markdown as people write it: emphasis next to CJK text, two tildes strike and one is only a tilde, and blocks of
 * markdown may hold fenced blocks.
 */
export class AnswerTokenizer extends Tokenizer {
  /** The text that is read, if more of it may follow. */
  growing = '';

  /** True for a rest of the text to which more may be added. */
  grows(rest: string): boolean {
    return this.growing.endsWith(rest);
  }

  override fences(src: string): Tokens.Code | undefined {
    const fenced = FencedCode.read(src);
    if (fenced?.isMarkdown !== true) return super.fences(src);
    const end = fenced.findEnd(src, !this.grows(src));
    return {
      type: 'code',
      raw: src.slice(0, end?.to),
      lang: fenced.info,
      text: fenced.codeIn(src, end),
    };
  }

  override emStrong(
    src: string,
    maskedSrc: string,
    before?: string,
  ): Tokens.Em | Tokens.Strong | undefined {
    // The rules of underscores stay those of CommonMark.
    this.rules.inline = src.startsWith('*') ? CJK_RULES : BASE;
    return super.emStrong(src, maskedSrc, before);
  }

  override del(src: string, maskedSrc: string, before?: string): Tokens.Del | undefined {
    this.rules.inline = CJK_RULES;
    return super.del(src, maskedSrc, before);
  }
}
