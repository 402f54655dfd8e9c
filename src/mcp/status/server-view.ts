import { sentenceOf } from '../../domain/failure.ts';
import type { Told } from '../../domain/text/told.ts';
import type { ServerOrigin } from '../config/config.ts';
import type { Connection } from '../connection/connection.ts';
import type { ServerIdentity, ServerState } from './server-status.ts';

/** Sentences about tools in a server's status; the log has all. */
const MAX_TOOL_PROBLEMS = 10;

export interface McpServerView {
  readonly name: string;
  readonly origin: ServerOrigin;
  /** The setting or file it is written in. */
  readonly place: string;
  /** Absolute; absent: a setting. */
  readonly file?: string;
  readonly hash: string;
  /** The command line or the address, as written. */
  readonly summary: string;
  readonly state: ServerState;
  /** Sentences for the person. */
  readonly reason?: Told;
  /** Milliseconds since the epoch. */
  readonly retryAt?: number;
  /** A restart by hand begins the sign-in. */
  readonly signIn?: boolean;
  readonly remote: boolean;
  /** It needs values that the person types; a sign-out forgets them, too. */
  readonly typed: boolean;
  /** Faults and ignored parts of its definition, and tools that are left out. */
  readonly problems: readonly Told[];
  readonly tools: number;
  /** Its name for itself. */
  readonly server?: ServerIdentity;
  /** The revision of the protocol, as a date. */
  readonly revision?: string;
}

export function viewOf(connection: Connection): McpServerView {
  const { definition, status, session, offered } = connection;
  const { name, origin, place, file, hash, summary, problems } = definition;
  return {
    name,
    origin,
    place,
    ...(file === undefined ? {} : { file }),
    hash,
    summary,
    ...status,
    remote: definition.target?.kind === 'http',
    typed: definition.inputs.length > 0,
    problems: [
      ...problems.map(sentenceOf),
      ...(session?.toolProblems.slice(0, MAX_TOOL_PROBLEMS) ?? []),
    ],
    tools: offered.length,
    ...(session?.server === undefined ? {} : { server: session.server }),
    ...(session?.revision === undefined ? {} : { revision: session.revision }),
  };
}
