import { choice, text } from './setting.ts';

export const SEARCH_SERVICES = {
  searxng: 'A SearXNG server, at the address of `belay.webSearch.url`.',
  brave: 'Brave Search, with a key.',
  tavily: 'Tavily, with a key.',
} as const;

export type SearchService = keyof typeof SEARCH_SERVICES;

/** Settings about searching the web. */
export const WEB_SETTINGS = {
  'webSearch.service': choice<SearchService>(
    'searxng',
    SEARCH_SERVICES,
    'application',
    'Where agents search the web. They can once it is set up: an address for SearXNG, a key for the others (*Belay: Set Up Web Search…*).',
  ),
  'webSearch.url': text(
    '',
    'application',
    'Address of a SearXNG server that answers in JSON, such as `http://localhost:8080`. It may be in your own network. Empty: none.',
    '^$|^https?://.*',
  ),
};
