import type { ToolSpec } from '../../domain/models/model.ts';
import { FIND_TOOL } from '../tool-call/find-tool.ts';
import { USE_TOOL } from '../tool-call/use-tool.ts';
import { fingerprint } from './fingerprint.ts';

/**
 * Fingerprints of what a resumed run compares (C8): the system prompt with Belay's own tools, and the tools of servers,
 * with a dash between. The order of tools does not count: those that came late in a run are the last ones in it.
 */
export function promptHash(system: readonly string[], tools: readonly ToolSpec[]): string {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const describe = (isWanted: (tool: ToolSpec) => boolean): readonly unknown[] =>
    sorted
      .filter(isWanted)
      .map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  const own = fingerprint(JSON.stringify([system, describe((tool) => !isFromServer(tool))]));
  return `${own}-${fingerprint(JSON.stringify(describe(isFromServer)))}`;
}

/** The tools of servers, and those whose description depends on them. */
const isFromServer = ({ name, server }: ToolSpec): boolean =>
  server !== undefined || name === USE_TOOL || name === FIND_TOOL;

/** The same hash where the tools of servers are not known yet. */
export const withoutServers = (hash: string): string => `${hash.split('-', 1).join('')}-`;

/** True when the prompt and tools of now are those on record; the tools of servers count where they are known. */
export function isSamePrompt(recorded: string, now: string): boolean {
  return now.endsWith('-') ? withoutServers(recorded) === now : recorded === now;
}
