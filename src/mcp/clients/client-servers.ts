import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { inputsIn } from '../config/variables.ts';
import { nameFor } from './server-name.ts';

/** Definitions by name, in Belay's words. */
export type FoundServers = Readonly<Record<string, Json>>;

/** Paths to the servers: what most clients write, VS Code's `mcp.json` and settings, and Belay's setting. */
const PLACES = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['belay.mcp.servers']] as const;

/** Other names of a transport. */
const TRANSPORTS: Readonly<Record<string, string | undefined>> = {
  local: 'stdio',
  'streamable-http': 'http',
  streamableHttp: 'http',
};

/** Numbers from which on a time counts as milliseconds: no one waits a quarter of an hour for a call. */
const MILLISECONDS_FROM = 1000;

/** Fields of clients that say nothing about how a server is reached. */
const SILENT: ReadonlySet<string> = new Set(['name', 'description', 'gallery', 'version']);

/** Finds the servers in a client's file, or in a part of one; `undefined`: there are none in it. */
export function clientServers(value: unknown): FoundServers | undefined {
  if (!isJsonObject(value)) return undefined;
  if (isEntry(value)) {
    const definition = readEntry(value, undefined);
    const { name } = value;
    const given = typeof name === 'string' && name !== '' ? name : nameFor(definition);
    return { [given]: definition };
  }
  for (const place of PLACES) {
    const [first, second] = place;
    const outer = second === undefined ? value : value[first];
    const servers = isJsonObject(outer) ? outer[second ?? first] : undefined;
    if (isJsonObject(outer) && isJsonObject(servers)) return readEntries(servers, outer['inputs']);
  }
  const all = Object.values(value);
  return all.length > 0 && all.every(isEntry) ? readEntries(value, undefined) : undefined;
}

const isEntry = (value: unknown): value is JsonObject =>
  isJsonObject(value) && (Object.hasOwn(value, 'command') || Object.hasOwn(value, 'url'));

function readEntries(servers: JsonObject, inputs: Json | undefined): FoundServers {
  return Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [
      name,
      isJsonObject(entry) ? readEntry(entry, inputs) : entry,
    ]),
  );
}

/** Reads a definition. `inputs`: those that VS Code keeps next to the servers. */
function readEntry(entry: JsonObject, inputs: Json | undefined): JsonObject {
  const { type, timeout } = entry;
  const used = inputsIn(entry);
  const declared = Array.isArray(inputs)
    ? inputs.filter((one) => isJsonObject(one) && used.some((id) => id === one['id']))
    : [];
  const fields = {
    ...(declared.length === 0 ? {} : { inputs: declared }),
    ...entry,
    ...(typeof type === 'string' ? { type: TRANSPORTS[type] ?? type } : {}),
    ...(typeof timeout === 'number' && timeout >= MILLISECONDS_FROM
      ? { timeout: timeout / 1000 }
      : {}),
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SILENT.has(name)));
}

/** A name that is not taken: with a number where it is. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}
