import { HostMemory } from '../../../src/core/permissions/network/allowed-hosts.ts';
import { LocalPages, webTo } from '../../support/web/local-pages.ts';
import type { Sample } from './samples.ts';

export const WEB_SAMPLES = {
  fetch_url: {
    good: { url: 'http://127.0.0.1/page' },
    bad: [[{ url: 'http://127.0.0.1/', max_chars: 1 }, /"max_chars" must be/u]],
    changes: false,
    huge: { url: 'http://127.0.0.1/huge', max_chars: 200_000 },
    missing: { url: 'http://127.0.0.1/nowhere' },
    slow: { url: 'http://127.0.0.1/slow' },
    needsNoFolder: { url: 'http://127.0.0.1/page' },
    parts: () => ({
      web: {
        web: webTo(samplePages()),
        hosts: new HostMemory({ always: () => ['127.0.0.1'], never: () => [] }, true),
        search: {
          service: () => 'searxng',
          url: () => 'http://127.0.0.1',
          key: async () => Promise.resolve(undefined),
        },
      },
    }),
  },
  web_search: {
    good: { query: 'good' },
    bad: [
      [{ query: '' }, /"query" needs at least 1/u],
      [{ query: 'a', count: 21 }, /"count" must be at most 20/u],
    ],
    changes: false,
    missing: { query: 'nowhere' },
    slow: { query: 'slow' },
    needsNoFolder: { query: 'good' },
  },
} satisfies Readonly<Record<string, Sample>>;

let pages: Promise<LocalPages> | undefined;

/** One server for all samples; it holds up no process. */
function samplePages(): Promise<LocalPages> {
  pages ??= LocalPages.open((request, response) => {
    response.setHeader('content-type', 'text/html');
    const search = new URL(request.url ?? '', 'http://a').searchParams.get('q');
    if (search === 'good')
      response.end(
        JSON.stringify({ results: [{ title: 'One', url: 'https://a.example/', content: 'x' }] }),
      );
    else if (search === 'slow') return;
    else if (request.url === '/page') response.end('<h1>Title</h1><p>A page.</p>');
    else if (request.url === '/huge')
      response.end(`<p>${'many words of a page '.repeat(20_000)}</p>`);
    else if (request.url !== '/slow') response.writeHead(404).end('<p>There is nothing.</p>');
  });
  return pages;
}
