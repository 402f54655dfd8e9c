import { parentPort } from 'node:worker_threads';
import type { PageText, WebPage } from '../../../core/ports/web.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';
import { decoded, pageText } from './page-text.ts';

/** The entry point of the thread, in a process of its own, that reads one page; whatever the page does, it does it here. */
export interface PageQuestion {
  readonly page: Pick<WebPage, 'body' | 'mediaType' | 'charset'>;
  /** Characters of the text that are wanted. */
  readonly most: number;
}

async function answer({ page, most }: PageQuestion): Promise<PageText> {
  const { body, mediaType, charset } = page;
  const { title, text } = await pageText(decoded(body, mediaType, charset), mediaType);
  const clean = cleanText(text);
  return {
    ...(title === undefined ? {} : { title: cleanText(title) }),
    text: clean.slice(0, most),
    characters: clean.length,
  };
}

const port = parentPort;
// A failure ends the thread, and whoever asked is told why.
port?.once('message', (question: PageQuestion) => {
  void answer(question).then((answered) => port.postMessage(answered));
});
