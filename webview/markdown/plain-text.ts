import * as l10n from '@vscode/l10n';
import type { Token } from 'marked';
import { decodeEntities } from './entities.ts';
import { answerLexer, type MarkdownToken } from './syntax.ts';

/** Markdown as it is read aloud: without marks, code blocks and tables by name; at most so many characters. */
export function plainText(markdown: string, limit: number): string {
  // Marks are a small part of a text: what is behind four times the limit is not read.
  const tokens = answerLexer().lex(markdown.slice(0, limit * 4));
  const text = spoken(tokens).replaceAll(/\s+/gu, ' ').trim();
  return text.length <= limit ? text : `${text.slice(0, limit).trimEnd()}…`;
}

function spoken(tokens: readonly Token[]): string {
  return tokens.map((token) => spokenToken(token as MarkdownToken)).join('');
}

function spokenToken(token: MarkdownToken): string {
  switch (token.type) {
    case 'code':
      return token.lang === undefined || token.lang === ''
        ? ` (${l10n.t('code')}). `
        : ` (${l10n.t('{0} code', token.lang)}). `;
    case 'table':
      return ` (${l10n.t('a table')}). `;
    case 'list':
      return token.items.map((item) => ` ${spoken(item.tokens)}. `).join('');
    case 'paragraph':
    case 'heading':
    case 'blockquote':
      return ` ${spoken(token.tokens ?? [])} `;
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return spoken(token.tokens);
    case 'text':
      return token.tokens === undefined ? decodeEntities(token.text) : spoken(token.tokens);
    case 'codespan':
    case 'escape':
      return token.text;
    case 'image':
      return ` (${l10n.t('image: {0}', token.text)}) `;
    case 'checkbox':
      return `${token.checked ? l10n.t('done') : l10n.t('open')}: `;
    case 'details':
      return ` ${spoken(token.summary)}: ${spoken(token.tokens)} `;
    case 'footnote':
      return ` ${l10n.t('Note {0}', token.label)}: ${spoken(token.tokens)} `;
    case 'formula':
      return ` ${token.text} `;
    case 'footnoteMark':
    case 'space':
    case 'br':
    case 'hr':
    case 'def':
      return ' ';
    default:
      return token.raw;
  }
}
