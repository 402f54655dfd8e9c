import type { Token } from 'marked';
import { decodeEntities } from './entities.ts';
import { type LinkTarget, linkTarget } from './links.ts';
import type { MarkdownToken } from './syntax.ts';

/** Lines that a text names, "lines 10–16", with the file that the same sentence names. */
export interface LinePlace {
  /** In the text of the token. */
  readonly from: number;
  readonly to: number;
  readonly target: Extract<LinkTarget, { readonly kind: 'file' }>;
}

/** A cheap look before the slower one. */
const MAY_NAME = /[lz行]\S{0,6}\s{0,3}\d|\d\s?行/iu;
const LINES =
  /(?<![\p{L}\p{N}_])(?:(?:lines?|zeilen?|lignes?|líneas?|linhas?|righe|riga)\s{1,3}|L)(?<from>\d{1,7})(?:\s{0,2}(?:[-–—]|to|through|bis|à|al?)\s{0,2}L?\d{1,7})?(?![\p{L}\p{N}_])|第?\s?(?<row>\d{1,7})(?:\s?[-–—~〜至到]\s?\d{1,7})?\s?行/giu;
const SENTENCE_END = /[.!?。！？](?=\s|$)|\n\s*\n/gu;
const WORD = /[^\s"'`()<>[\]{}|,;*=…]+/gu;
const FILE = /^(?:\.\/)?(?:[\p{L}\p{N}_.@+-]+\/)*[\p{L}\p{N}_.@+-]*\.[a-zA-Z][\w-]{0,15}(?=$|:\d)/u;
/** Characters of a block that are looked at. */
const LONGEST = 10_000;

interface Stretch {
  readonly token: Token;
  readonly start: number;
  readonly text: string;
}

/** Finds the lines that the texts of a block name, by token. */
export function linePlaces(tokens: readonly Token[]): ReadonlyMap<Token, readonly LinePlace[]> {
  const found = new Map<Token, LinePlace[]>();
  const stretches: Stretch[] = [];
  flatten(tokens, stretches);
  const text = stretches.map((one) => one.text).join('');
  if (text.length > LONGEST || !MAY_NAME.test(text)) return found;
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  for (const match of text.matchAll(LINES)) {
    const { index } = match;
    const end = index + match[0].length;
    const stretch = stretches.find(
      ({ start, text: own, token }) =>
        token.type === 'text' && index >= start && end <= start + own.length,
    );
    if (stretch === undefined) continue;
    const from = ends.findLast((one) => one <= index) ?? 0;
    const to = ends.find((one) => one >= end) ?? text.length;
    const path = nearestFile(text.slice(from, to), index - from, end - from);
    if (path === undefined) continue;
    const line = Number(match.groups?.['from'] ?? match.groups?.['row']);
    const place = {
      from: index - stretch.start,
      to: end - stretch.start,
      target: { kind: 'file', path, line } as const,
    };
    found.set(stretch.token, [...(found.get(stretch.token) ?? []), place]);
  }
  return found;
}

/** The file of a sentence that is named nearest to a stretch of it. */
function nearestFile(sentence: string, from: number, to: number): string | undefined {
  let nearest: { readonly path: string; readonly away: number } | undefined;
  for (const { 0: word, index } of sentence.matchAll(WORD)) {
    const path = FILE.exec(word.replace(/[.:!?]+$/u, ''))?.[0];
    if (path === undefined || path.split('/').includes('..')) continue;
    const away = index >= to ? index - to : from - index - word.length;
    if (nearest === undefined || away < nearest.away) nearest = { path, away };
  }
  return nearest?.path;
}

function flatten(tokens: readonly Token[], into: Stretch[]): void {
  for (const one of tokens) {
    const token = one as MarkdownToken;
    if ((token.type === 'text' && token.tokens !== undefined) || isMark(token))
      flatten(token.tokens ?? [], into);
    else {
      const last = into.at(-1);
      const start = last === undefined ? 0 : last.start + last.text.length;
      into.push({ token, start, text: textOf(token) });
    }
  }
}

function isMark(
  token: MarkdownToken,
): token is Extract<MarkdownToken, { type: 'strong' | 'em' | 'del' }> {
  return token.type === 'strong' || token.type === 'em' || token.type === 'del';
}

/** The text of a token as it is shown; of a link to a file its path. */
function textOf(token: MarkdownToken): string {
  switch (token.type) {
    case 'text':
      return token.escaped === true ? token.text : decodeEntities(token.text);
    case 'codespan':
    case 'escape':
      return token.text;
    case 'br':
      return '\n';
    case 'link': {
      const target = linkTarget(token.href);
      return target?.kind === 'file' ? target.path : '\uFFFC';
    }
    default:
      return '\uFFFC';
  }
}
