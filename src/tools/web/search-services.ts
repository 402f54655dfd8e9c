import { makeVisible } from '../../domain/text/honest-text.ts';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { WebRequest } from '../../core/ports/web.ts';
import { readUrl } from '../../core/permissions/network/request-guard.ts';
import type { SearchService } from '../../domain/settings/web-settings.ts';

export interface Hit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

export interface Search {
  readonly query: string;
  /** Results at most. */
  readonly count: number;
}

interface Service {
  /** Absent: the person's own server. */
  readonly origin?: string;
  readonly request: (
    base: URL,
    search: Search,
    key: string,
  ) => Pick<WebRequest, 'url' | 'headers' | 'body'>;
  /** The list of results in an answer. */
  readonly hits: (answer: JsonObject) => Json | undefined;
  /** The member of a result that holds its text. */
  readonly text: string;
}

export const SERVICES: Readonly<Record<SearchService, Service>> = {
  searxng: {
    request: (base, { query }) => ({
      url: at(base, 'search', { q: query, format: 'json' }),
      headers: { accept: 'application/json' },
    }),
    hits: ({ results }) => results,
    text: 'content',
  },
  brave: {
    origin: 'https://api.search.brave.com',
    request: (base, { query, count }, key) => ({
      url: at(base, 'res/v1/web/search', { q: query, count: String(count) }),
      headers: { accept: 'application/json', 'x-subscription-token': key },
    }),
    hits: ({ web }) => (isJsonObject(web) ? web['results'] : undefined),
    text: 'description',
  },
  tavily: {
    origin: 'https://api.tavily.com',
    request: (base, { query, count }, key) => ({
      url: at(base, 'search', {}),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({ query, max_results: count }),
    }),
    hits: ({ results }) => results,
    text: 'content',
  },
};

function at(base: URL, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url;
}

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 500;

/** The results of an answer, at most `count`; those without a web address are left out. `undefined`: it is no answer of the service. */
export function hitsIn(
  service: SearchService,
  body: Uint8Array,
  count: number,
): readonly Hit[] | undefined {
  const answer = parsed(new TextDecoder().decode(body));
  const found = isJsonObject(answer) ? SERVICES[service].hits(answer) : undefined;
  // Brave leaves the list out when it found nothing.
  if (found === undefined && service === 'brave' && isJsonObject(answer)) return [];
  if (!Array.isArray(found)) return undefined;
  return (found as readonly Json[])
    .flatMap((one): Hit | readonly Hit[] => {
      if (!isJsonObject(one)) return [];
      const { title, url } = one;
      const read = typeof url === 'string' ? readUrl(url) : { problem: '' };
      if (!('url' in read)) return [];
      const text = words(one[SERVICES[service].text], LONGEST_TEXT);
      return { title: words(title, LONGEST_TITLE) || read.url.host, url: read.url.href, text };
    })
    .slice(0, count);
}

/** Text without tags, in one line. */
function words(value: Json | undefined, most: number): string {
  if (typeof value !== 'string') return '';
  const plain = value.slice(0, 4 * most).replaceAll(/<\/?[a-z][^<>]{0,100}>/giu, '');
  return makeVisible(plain.replaceAll(/\s+/gu, ' ').trim()).slice(0, most).toWellFormed();
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
