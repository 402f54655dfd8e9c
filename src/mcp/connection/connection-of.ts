import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { McpHub } from '../hub.ts';
import type { Connection } from './connection.ts';

/** The connection of a server by its name. Throws `not_found` when it was removed meanwhile. */
export function connectionOf(hub: Pick<McpHub, 'server'>, name: string): Connection {
  const connection = hub.server(name);
  if (connection === undefined)
    throw fault('not_found', told`The MCP server “${name}” is not there any more.`);
  return connection;
}
