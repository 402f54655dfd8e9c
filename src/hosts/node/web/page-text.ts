import type { PageText } from '../../../core/ports/web.ts';
import { wordsOf } from '../../../domain/text/words.ts';

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** The text of a body, by its mark, its header, its own declaration, else UTF-8. */
export function decoded(body: Uint8Array, mediaType: string, charset: string | undefined): string {
  const named = markOf(body) ?? charset ?? (HTML.has(mediaType) ? declaredIn(body) : undefined);
  return decoderFor(named).decode(body);
}

function markOf(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function declaredIn(body: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 2048));
  return /<meta[^<>]{1,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}(?<name>[\w.:-]+)/iu.exec(head)
    ?.groups?.['name'];
}

function decoderFor(name: string | undefined): TextDecoder {
  try {
    return new TextDecoder(name ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}

/** The readable part of a page as text with headings, lists, tables and the targets of links. */
export async function pageText(
  text: string,
  mediaType: string,
): Promise<Pick<PageText, 'title' | 'text'>> {
  if (!HTML.has(mediaType)) return { text };
  // 0.2 MB of code that most sessions never need.
  const { convert } = await import('html-to-text');
  const title = titleIn(text);
  const page = convert(text, {
    wordwrap: false,
    limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth: 200 },
    baseElements: { selectors: ['main', 'article', '[role=main]', 'body'], orderBy: 'selectors' },
    selectors: [
      {
        selector: 'a',
        options: { ignoreHref: false, hideLinkHrefIfSameAsText: true, noAnchorUrl: true },
      },
      // A picture is its words; its address is of no use and would only tempt to fetch it.
      { selector: 'img', format: 'skip' },
      ...wordsOf('script style noscript template svg iframe object form nav footer').map(
        (selector) => ({ selector, format: 'skip' }),
      ),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      {
        selector: 'table',
        format: 'dataTable',
        options: { uppercaseHeaderCells: false, maxColumnWidth: 80 },
      },
      { selector: 'pre', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      // Text that a browser does not show is meant for somebody else.
      { selector: '[hidden]', format: 'skip' },
      { selector: '[aria-hidden=true]', format: 'skip' },
    ],
  });
  const readable = page.replace(/\n{3,}/gu, '\n\n').trim();
  return { ...(title === undefined ? {} : { title }), text: readable };
}

function titleIn(html: string): string | undefined {
  const found = /<title[^<>]{0,500}>(?<title>[^<]{1,500})<\/title>/iu.exec(html.slice(0, 200_000));
  const title = found?.groups?.['title']?.replace(/\s+/gu, ' ').trim();
  return title === '' ? undefined : title;
}
