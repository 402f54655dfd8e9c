import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { clientEntry, isEntry } from './client-entry.ts';
import { nameFor } from './server-name.ts';

/** Definitions by name, in Belay's words. */
export type FoundServers = Readonly<Record<string, Json>>;

/** Paths to the servers in what clients write, the surer first. */
const PLACES: readonly (readonly string[])[] = [
  ['mcpServers'], // Claude, Cursor, Cline, Windsurf, Gemini, Copilot, Continue (as a list)
  ['servers'], // VS Code's mcp.json
  ['mcp', 'servers'], // VS Code's settings.json
  ['mcp', 'mcpServers'],
  ['context_servers'], // Zed
  ['mcp_servers'], // Codex
  ['belay.mcp.servers'],
  ['amp.mcpServers'],
  ['experimental', 'modelContextProtocolServers'], // Continue, older
  ['mcp'], // opencode
];

/** The servers in a client's file, or in a part of one; `undefined`: there are none in it. */
export function clientServers(value: unknown): FoundServers | undefined {
  if (isEntry(value)) return named([value]);
  if (!isJsonObject(value)) return Array.isArray(value) ? listed(value, undefined) : undefined;
  for (const place of PLACES) {
    const [outer, inner] = place.length > 1 ? [value[place[0] ?? ''], place[1]] : [value, place[0]];
    const found = isJsonObject(outer) ? outer[inner ?? ''] : undefined;
    const inputs = (isJsonObject(outer) ? outer['inputs'] : undefined) ?? value['inputs'];
    if (isJsonObject(found)) return entries(found, inputs);
    if (Array.isArray(found)) return listed(found, inputs);
  }
  const all = Object.values(value);
  return all.length > 0 && all.every(isEntry) ? entries(value, undefined) : undefined;
}

function entries(found: JsonObject, inputs: Json | undefined): FoundServers {
  return Object.fromEntries(
    Object.entries(found).map(([name, entry]) => [
      name,
      isJsonObject(entry) ? clientEntry(entry, inputs) : entry,
    ]),
  );
}

function listed(found: readonly unknown[], inputs: Json | undefined): FoundServers | undefined {
  return found.length > 0 && found.every(isEntry) ? named(found, inputs) : undefined;
}

/** Definitions that have their name in them, or none. */
function named(found: readonly JsonObject[], inputs?: Json): FoundServers {
  const servers = new Map<string, JsonObject>();
  for (const entry of found) {
    const definition = clientEntry(entry, inputs);
    const given = entry['name'];
    const name = typeof given === 'string' && given !== '' ? given : nameFor(definition);
    servers.set(freeName(name, servers), definition);
  }
  return Object.fromEntries(servers);
}

/** A name that is not taken: with a number where it is. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}
