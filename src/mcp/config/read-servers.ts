import { tells } from '../../domain/failure.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { wordSet } from '../../domain/text/words.ts';
import {
  SERVERS_SETTING,
  type ServerDefinition,
  type ServerOrigin,
  type ServerPlace,
  parseServer,
} from './config.ts';
import type { Variables } from './variables.ts';

export interface ServerSource extends ServerPlace {
  /** The servers by name as this place alone has them, never merged with another. */
  readonly servers: unknown;
  /** A sentence: why this place cannot be read. */
  readonly problem?: Told;
}

/** A definition, and what it is read from again when its `${input:ID}` have values. */
export interface PlacedServer {
  readonly definition: ServerDefinition;
  readonly place: ServerPlace;
  readonly raw: unknown;
}

/** Puts places together by name. The person's win; of one person's the earlier; a later one may switch a server off. */
export function readServers(
  sources: readonly ServerSource[],
  variables: Variables,
): readonly PlacedServer[] {
  const found = new Map<string, PlacedServer>();
  for (const source of sources.toSorted((a, b) => rank(a.origin) - rank(b.origin))) {
    const problem = problemOf(source);
    if (problem !== undefined) found.set(problem.definition.name, problem);
    const { servers, ...place } = source;
    for (const [name, raw] of Object.entries(isJsonObject(servers) ? servers : {})) {
      const own = found.get(name);
      if (own === undefined && isSwitch(raw)) continue;
      const definition = parseServer(name, raw, place, variables);
      found.set(
        name,
        own === undefined
          ? { definition, place, raw }
          : { ...own, definition: merge(own.definition, raw, definition) },
      );
    }
  }
  return [...found.values()].toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
}

/** A place that cannot be read stands in the list like a server, under its own name. */
function problemOf(source: ServerSource): PlacedServer | undefined {
  const { origin, label = SERVERS_SETTING, file, servers, problem } = source;
  const wrong =
    problem ??
    (servers === undefined || servers === null || isJsonObject(servers)
      ? undefined
      : told`is not an object with a definition for each name`);
  if (wrong === undefined) return undefined;
  const said = told`${label} ${wrong}. No server of it is started.`;
  const definition: ServerDefinition = {
    name: label,
    origin,
    place: label,
    ...(file === undefined ? {} : { file }),
    enabled: true,
    hash: '',
    summary: '',
    filter: { without: [] },
    inputs: [],
    problems: [{ server: label, field: '', ...tells(said) }],
  };
  return { definition, place: source, raw: undefined };
}

/** Only `enabled: false` or `disabled: true`, for a server that is defined elsewhere. */
function isSwitch(raw: unknown): boolean {
  return switchesOff(raw) && Object.keys(raw).every((field) => SWITCHES.has(field));
}

const SWITCHES = wordSet('enabled disabled');

const switchesOff = (raw: unknown): raw is JsonObject =>
  isJsonObject(raw) && (raw['enabled'] === false || raw['disabled'] === true);

function rank(origin: ServerOrigin): number {
  return origin === 'user' ? 0 : 1;
}

function merge(own: ServerDefinition, raw: unknown, read: ServerDefinition): ServerDefinition {
  if (switchesOff(raw)) return { ...own, enabled: false };
  if (read.hash === own.hash) return own;
  const said =
    read.origin === own.origin
      ? told`The MCP server “${own.name}” is defined in ${read.place}, too. The one in ${own.place} is used; rename one of them to have both.`
      : told`The MCP server “${own.name}” is defined by the workspace, too. Your own definition is used; rename one of them to have both.`;
  return { ...own, problems: [...own.problems, { server: own.name, field: '', ...tells(said) }] };
}
