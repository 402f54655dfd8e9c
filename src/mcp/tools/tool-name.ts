import { createHash } from 'node:crypto';
import { plainName, serverPartOf } from '../../domain/mcp/server-tool-name.ts';

/** The longest tool name that model APIs take. */
const longestName = 64;

/** A tool's name here: `mcp__server__tool`, at most 64 of `[A-Za-z0-9_-]`, else hashed. */
export function toolName(server: string, tool: string): string {
  const serverPart = serverPartOf(server);
  const toolPart = plainName(tool);
  const name = `mcp__${serverPart}__${toolPart}`;
  const unchanged =
    serverPart === server && toolPart === tool && serverPart !== '' && toolPart !== '';
  // With "__" or "_" at its start, "a" + "_b" and "a_" + "b" could give the same name.
  if (unchanged && !/__|^_/.test(serverPart) && name.length <= longestName) return name;
  return withHash(name, `${server}\0${tool}`);
}

/** Another name for a tool whose name is taken. */
export function alternativeName(name: string, server: string, tool: string, count: number): string {
  return withHash(name, `${server}\0${tool}\0${count}`);
}

function withHash(name: string, identity: string): string {
  const piece = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `${name.slice(0, longestName - piece.length - 1)}_${piece}`;
}
