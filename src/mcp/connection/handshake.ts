/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's client has properties for handlers, no event target */
import { type FetchLike, type Transport, Client } from '@modelcontextprotocol/client';
import type { Clock } from '../../core/ports/clock.ts';
import type { Era, EraMemory } from './era.ts';
import type { ListedTool } from '../tools/listed-tool.ts';
import type { ConnectProblem } from './problem.ts';
import type { ServerLog } from '../status/server-log.ts';
import type { ProcessExit } from '../transport/server-process.ts';
import type { Session } from './session.ts';
import { untilAborted } from '../../domain/until-aborted.ts';

/** Milliseconds a local server may take to answer the probe before it counts as one of the older kind. */
const probeTimeout = 10_000;
/** Milliseconds; the caller's signal ends the handshake earlier. */
const handshakeTimeout = 120_000;

export interface OpenOptions {
  /** Of the definition; the key of the era memory. */
  readonly hash: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly eras: EraMemory;
  /** Ours; what a local server gets of it is chosen by `serverEnvironment`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working directory of a local server whose definition names none. */
  readonly folder: string;
  readonly fetch: FetchLike;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The established connection ended by itself. `how`: where it was a process. */
  readonly onClosed: (how: ProcessExit | undefined) => void;
  /** The server sends more than anybody can use; it has been cut off. */
  readonly onFlood: () => void;
}

export interface Established {
  readonly session: Session;
  readonly tools: readonly ListedTool[];
}

export type Opened = Established | { readonly problem: ConnectProblem };

/** A client that is not connected yet. */
export function clientOf({ client: info, log }: OpenOptions): Client {
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeout } },
  });
  client.onerror = (error) => note(log, error);
  return client;
}

/** Negotiates over a new transport. Rejects with the SDK's errors, or when the signal fires. */
export async function connect(
  client: Client,
  transport: Transport,
  options: OpenOptions,
  era: Era | undefined,
): Promise<void> {
  const prior = era === 'legacy' ? { prior: { kind: 'legacy' as const } } : {};
  const connected = client.connect(transport, { timeout: handshakeTimeout, ...prior });
  await untilAborted(connected, options.signal);
}

/** Tells of the end of an established connection, also when it came just before. */
export function watchEnd(client: Client, ended: () => void): void {
  client.onclose = ended;
  if (client.transport === undefined) ended();
}

export function note(log: ServerLog, error: Error): void {
  log.add('belay', error.message);
}
