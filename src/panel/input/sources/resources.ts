import * as l10n from '@vscode/l10n';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import { outputOf } from '../../../mcp/tools/result.ts';
import type { Mention } from '../../../domain/mention.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { mentionRow, tokensOfCharacters, type MentionSource, type ScoredRow } from '../source.ts';
import { type Offered, type ServerOffers, shortWord, textIn } from './server-offers.ts';
import { templateAt, type TemplatePlace } from './uri-template.ts';

const MOST = 10;
/** Files come first. */
const BEHIND_FILES = -150;
/** A resource whose address is typed. */
const TYPED = 4000;

type Resource = Omit<Mention, 'tokens'>;

/** The resources of MCP servers, and those of templates, whose variables are completed by the server. */
export function resourceSource(
  offers: ServerOffers,
  reader: Pick<MentionReader, 'bySource'>,
): MentionSource {
  return {
    id: 'resource',
    trigger: '@',
    search: async (query, signal, byKind) => {
      if (offers.names.length === 0 || (query === '' && byKind !== true)) return [];
      const server = offers.names.find((name) => query.startsWith(`${name}:`));
      const typed =
        server === undefined
          ? []
          : await addresses(offers, server, query.slice(server.length + 1), signal);
      if (typed.length > 0) return typed;
      const [resources, templates] = await Promise.all([
        offers.list('resources'),
        offers.list('templates'),
      ]);
      return [
        ...resources.map((one) => found(query, one)),
        ...templates.map((one) => templateRow(query, one)),
      ]
        .flatMap((row) => row ?? [])
        .toSorted((left, right) => right.score - left.score)
        .slice(0, MOST);
    },
    take: (ref, sessionId) =>
      reader.bySource(
        'mcp_resource',
        async ({ signal }) => {
          const { server, uri } = placeIn(ref);
          const { contents } = await offers.read(server, uri, signal);
          return outputOf({
            content: contents.map((resource) => ({ type: 'resource', resource })),
          });
        },
        sessionId,
      ),
    weigh: async (ref) => {
      const { server, uri } = placeIn(ref);
      const listed = await offers.list('resources');
      const size = listed.find((one) => one.server === server && one.entry['uri'] === uri)?.entry[
        'size'
      ];
      return typeof size === 'number' ? tokensOfCharacters(size) : null;
    },
  };
}

/** A mention of a resource. */
export function resourceMention(server: string, uri: string, name = ''): Resource {
  const label = `${server}:${shortWord(name) || shortWord(uri)}`;
  const ref = JSON.stringify([server, uri]);
  return {
    source: 'resource',
    ref,
    label: label.replaceAll('@', '＠'),
    detail: uri.slice(0, 4000),
    icon: 'database',
  };
}

function placeIn(ref: string): { readonly server: string; readonly uri: string } {
  const [server, uri] = JSON.parse(ref) as readonly unknown[];
  return { server: textIn(server), uri: textIn(uri) };
}

function found(query: string, { server, entry }: Offered): ScoredRow | undefined {
  const uri = textIn(entry['uri']);
  const name = shortWord(entry['title']) || shortWord(entry['name']);
  const worth = worthOf(query, server, name, uri);
  if (worth === undefined) return undefined;
  const row = mentionRow(resourceMention(server, uri, name), worth);
  return { ...row, detail: shortWord(entry['description']) || uri };
}

function worthOf(query: string, server: string, name: string, uri: string): number | undefined {
  const words = fuzzyScore(query, `${server}/${name.replaceAll('/', ' ')}`);
  const address = fuzzyScore(query, uri);
  const worth = Math.max(words ?? -1, address ?? -1);
  return worth < 0 ? undefined : worth + BEHIND_FILES;
}

/** A template is typed on: its address up to its first variable. */
function templateRow(query: string, { server, entry }: Offered): ScoredRow | undefined {
  const template = textIn(entry['uriTemplate']);
  const name = shortWord(entry['title']) || shortWord(entry['name']);
  const worth = worthOf(query, server, name, template);
  if (worth === undefined) return undefined;
  const begin = template.split('{', 1)[0] ?? '';
  return {
    label: `${server}:${name}`,
    detail: shortWord(template),
    icon: 'symbol-parameter',
    score: worth,
    does: { kind: 'insert', text: `@${server}:${begin}` },
  };
}

/** Addresses of templates that begin as what is typed, with the values that the server suggests. */
async function addresses(
  offers: ServerOffers,
  server: string,
  typed: string,
  signal: AbortSignal,
): Promise<readonly ScoredRow[]> {
  const templates = (await offers.list('templates')).filter((one) => one.server === server);
  const rows = await Promise.all(
    templates.map(async ({ entry }) => {
      const template = textIn(entry['uriTemplate']);
      const place = templateAt(template, typed);
      if (place === undefined) return [];
      const values = await offers.complete(
        server,
        {
          ref: { type: 'ref/resource', uri: template },
          argument: { name: place.variable, value: place.value },
          context: { arguments: { ...place.given } },
        },
        signal,
      );
      const all = [...new Set([place.value, ...values])].filter((value) => value !== '');
      if (all.length === 0)
        return [
          {
            label: place.variable,
            detail: l10n.t('Type a value for {0}', shortWord(template)),
            icon: 'symbol-parameter',
            score: TYPED,
            does: { kind: 'hint' as const },
          },
        ];
      return all
        .slice(0, MOST)
        .map((value, index) => valueRow(server, place, value, TYPED - index));
    }),
  );
  return rows.flat();
}

function valueRow(server: string, place: TemplatePlace, value: string, score: number): ScoredRow {
  const uri = `${place.before}${encodeURIComponent(value)}${place.after}`;
  if (place.isLast)
    return { ...mentionRow(resourceMention(server, uri), score), detail: l10n.t('Resource') };
  return {
    label: `${server}:${uri}`,
    detail: `${place.variable} = ${value}`,
    icon: 'symbol-parameter',
    score,
    does: { kind: 'insert', text: `@${server}:${uri}` },
  };
}
