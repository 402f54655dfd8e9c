import type { WebPage } from '../../../src/core/ports/web.ts';

const SIZE = 5_000_000;

const filled = (piece: string): string => `<body>hello${piece.repeat(SIZE / piece.length)}`;

/** Pages of 5 MB, by what they are of. */
export const HOSTILE_PAGES: Readonly<Record<string, () => string>> = {
  'ordinary paragraphs': () => filled('<p>Some <b>words</b> and a <a href="https://x.y">link</a>.'),
  'nested blocks': () => filled('<div>'),
  'nested words': () => filled('<b>'),
  'nested lists': () => filled('<ul><li>a'),
  'line breaks': () => filled('<br>'),
  'one attribute': () => `<body><p title="${'a'.repeat(SIZE)}">hello</p>`,
  'open tags': () => filled('<a '),
  comments: () => filled('<!--'),
  entities: () => filled('&amp;'),
  'a long table': () => `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(SIZE / 30)}</table>`,
  'a wide table': () => `<table><tr>${'<td>a</td>'.repeat(SIZE / 10)}</tr></table>`,
  'a cell over many columns': () => '<table><tr><td colspan=100000000>a</td></tr></table>',
};

/** A page as it comes from a server. */
export const pageOf = (html: string): WebPage => ({
  kind: 'page',
  url: new URL('http://127.0.0.1/'),
  status: 200,
  mediaType: 'text/html',
  body: Buffer.from(html),
  cut: false,
});
