import {
  Lexer,
  Marked,
  type MarkedToken,
  type Token,
  type TokenizerExtension,
  type Tokens,
} from 'marked';
import { FencedCode } from './fences.ts';
import { displayFormula, inlineFormula } from './formulas.ts';
import { AnswerTokenizer } from './tokenizer.ts';

/** A formula, as TeX. */
export interface Formula {
  readonly type: 'formula';
  readonly raw: string;
  readonly text: string;
  /** On a line of its own. */
  readonly display: boolean;
}

/** A part that is unfolded with a click. */
export interface Details {
  readonly type: 'details';
  readonly raw: string;
  readonly open: boolean;
  readonly summary: Token[];
  readonly tokens: Token[];
}

/** The text of a footnote. */
export interface Footnote {
  readonly type: 'footnote';
  readonly raw: string;
  readonly label: string;
  readonly tokens: Token[];
}

/** The mark of a footnote; text where there is no such note. */
export interface FootnoteMark {
  readonly type: 'footnoteMark';
  readonly raw: string;
  readonly label: string;
}

/** A piece of an answer: GitHub's markdown, formulas, footnotes, and of HTML `<details>` with its `<summary>` alone. */
export type MarkdownToken = MarkedToken | Formula | Details | Footnote | FootnoteMark;

const OPENING = /^ {0,3}<details( open)?>[ \t]*\n?/iu;
const SUMMARY = /^\s*<summary>(?<text>[^\n]{0,1000}?)<\/summary>[ \t]*\n?/iu;
/** Details in details beyond this many are text. */
const DEEPEST = 8;

let depth = 0;

const details: TokenizerExtension = {
  name: 'details',
  level: 'block',
  tokenizer(src): (Details & Tokens.Generic) | undefined {
    const opening = OPENING.exec(src);
    if (opening === null || depth >= DEEPEST) return undefined;
    const from = opening[0].length;
    const { tokenizer } = this.lexer.options;
    const grows = tokenizer instanceof AnswerTokenizer && tokenizer.grows(src);
    const end = endOfDetails(src, from, grows);
    const inner = src.slice(from, end.from);
    const summary = SUMMARY.exec(inner);
    const { state } = this.lexer;
    const { top } = state;
    state.top = true;
    depth += 1;
    try {
      return {
        type: 'details',
        raw: src.slice(0, end.to),
        open: opening[1] !== undefined,
        summary: this.lexer.inline(summary?.groups?.['text'] ?? '', []),
        tokens: this.lexer.blockTokens(inner.slice(summary?.[0].length ?? 0), []),
      };
    } finally {
      depth -= 1;
      state.top = top;
    }
  },
};

/** Where details end: at their closing tag, or with the text, which is still being written. */
function endOfDetails(
  src: string,
  start: number,
  grows: boolean,
): { readonly from: number; readonly to: number } {
  let level = 1;
  for (let at = start; at < src.length;) {
    const rest = src.slice(at);
    const fenced = FencedCode.read(rest);
    if (fenced !== undefined) {
      at += fenced.findEnd(rest, !grows)?.to ?? rest.length;
      continue;
    }
    const next = src.indexOf('\n', at);
    const end = next === -1 ? src.length : next + 1;
    const line = src.slice(at, end);
    for (const tag of line.matchAll(/<(\/?)details(?: open)?>/giu)) {
      level += tag[1] === '' ? 1 : -1;
      if (level === 0) {
        const from = at + tag.index;
        const after = line.slice(tag.index + tag[0].length);
        return { from, to: after.trim() === '' ? end : from + tag[0].length };
      }
    }
    at = end;
  }
  return { from: src.length, to: src.length };
}

const NOTE =
  /^ {0,3}\[\^(?<label>[^\]\s]{1,40})\]:[ \t]*(?<text>[^\n]*(?:\n(?!\s*\n| {0,3}\[\^[^\]\s]{1,40}\]:)[^\n]+|\n(?:[ \t]*\n)*(?: {2,4}|\t)[^\n]+)*)(?:\n|$)/u;

const footnote: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  tokenizer(src): (Footnote & Tokens.Generic) | undefined {
    const found = NOTE.exec(src);
    const { label, text } = found?.groups ?? {};
    if (found === null || label === undefined || text === undefined) return undefined;
    const tokens = this.lexer.blockTokens(text.replaceAll(/\n(?: {2,4}|\t)/gu, '\n'), []);
    return { type: 'footnote', raw: found[0], label, tokens };
  },
};

const footnoteMark: TokenizerExtension = {
  name: 'footnoteMark',
  level: 'inline',
  start: (src) => indexOf(src, '[^'),
  tokenizer(src): (FootnoteMark & Tokens.Generic) | undefined {
    const found = /^\[\^(?<label>[^\]\s]{1,40})\](?!\()/u.exec(src);
    const label = found?.groups?.['label'];
    return found === null || label === undefined
      ? undefined
      : { type: 'footnoteMark', raw: found[0], label };
  },
};

const formulaBlock: TokenizerExtension = {
  name: 'formulaBlock',
  level: 'block',
  start(src) {
    // Of this paragraph only: each is looked through once.
    const end = src.indexOf('\n\n');
    const paragraph = end === -1 ? src : src.slice(0, end);
    for (const { index } of paragraph.matchAll(/\n {0,3}(?:\$\$|\\\[)/gu))
      if (displayFormula(src.slice(index + 1)) !== undefined) return index + 1;
    return undefined;
  },
  tokenizer: (src): (Formula & Tokens.Generic) | undefined => {
    const found = displayFormula(src);
    return found === undefined ? undefined : { type: 'formula', display: true, ...found };
  },
};

const formula: TokenizerExtension = {
  name: 'formula',
  level: 'inline',
  start(src) {
    const found = /\$|\\[([]/u.exec(src);
    return found?.index;
  },
  tokenizer: (src): (Formula & Tokens.Generic) | undefined => {
    const found = inlineFormula(src);
    return found === undefined ? undefined : { type: 'formula', ...found };
  },
};

function indexOf(src: string, text: string): number | undefined {
  const at = src.indexOf(text);
  return at === -1 ? undefined : at;
}

const { defaults } = new Marked({
  gfm: true,
  extensions: [details, footnote, footnoteMark, formulaBlock, formula],
});

/** A lexer for an answer, or the open end of one. `growing`: the text that it is for, if more of it may follow. */
export function answerLexer(growing = ''): Lexer {
  const tokenizer = new AnswerTokenizer();
  tokenizer.growing = growing;
  return new Lexer({ ...defaults, tokenizer });
}
