import type { Tokens } from 'marked';
import type { MarkdownToken } from './syntax.ts';

type Level = 2 | 3 | 4 | 5 | 6;

/** A heading with its place in the outline of the page. */
export interface Heading extends Tokens.Heading {
  level?: Level;
}

/** The level of a message's own heading, below which all of its headings are. */
export const MESSAGE: Level = 2;

/**
 * Gives headings their levels: an answer may begin with any number of `#`, and leave some out; in the outline of the
 * page no level is left out.
 * @param before the level of the heading before them
 * @returns that of the last one
 */
export function levelHeadings(tokens: readonly MarkdownToken[], before: Level): Level {
  let last = before;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading: Heading = token;
      last = Math.min(token.depth + MESSAGE, last + 1, 6) as Level;
      heading.level = last;
    } else if (token.type === 'list') {
      for (const item of token.items) last = levelHeadings(item.tokens as MarkdownToken[], last);
    } else if (
      token.type === 'blockquote' ||
      token.type === 'details' ||
      token.type === 'footnote'
    ) {
      last = levelHeadings(token.tokens as MarkdownToken[], last);
    }
  }
  return last;
}
