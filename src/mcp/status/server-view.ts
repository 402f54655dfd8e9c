import type { ServerOrigin } from '../config/config.ts';
import type { Connection } from '../connection/connection.ts';
import type { ServerState } from './server-status.ts';

/** One server for a view. */
export interface McpServerView {
  readonly name: string;
  readonly origin: ServerOrigin;
  readonly hash: string;
  /** The command line or the address, as written. */
  readonly summary: string;
  readonly state: ServerState;
  /** Why it is in this state, as sentences for the person. */
  readonly reason?: string;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** What is wrong or ignored in its definition. */
  readonly problems: readonly string[];
  /** How many tools it offers. */
  readonly tools: number;
  /** What it calls itself. */
  readonly server?: { readonly name: string; readonly version: string };
  /** The revision of the protocol, as a date. */
  readonly revision?: string;
}

/** What a view shows of a connection. */
export function viewOf(connection: Connection): McpServerView {
  const { definition, status, session, tools } = connection;
  const { name, origin, hash, summary, problems } = definition;
  return {
    name,
    origin,
    hash,
    summary,
    ...status,
    problems: problems.map(({ message }) => message),
    tools: tools.length,
    ...(session?.server === undefined ? {} : { server: session.server }),
    ...(session?.revision === undefined ? {} : { revision: session.revision }),
  };
}
