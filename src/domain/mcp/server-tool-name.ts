import { withoutEnd } from '../text/text-end.ts';

/** Characters of a server's name in a tool's name; the rest is for the tool. */
const LONGEST_SERVER = 24;

/** Characters that model APIs take in a name. */
export const plainName = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, '_');

/** A server's name as it stands in the names of its tools. */
export const serverPartOf = (server: string): string =>
  withoutEnd(plainName(server).slice(0, LONGEST_SERVER), '_');

/** The name is one of a tool of an MCP server: `mcp__server__tool`. */
export const isServerTool = (name: string): boolean => name.startsWith('mcp__');
