/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's client has properties for handlers, no event target */
import {
  type FetchLike,
  type JSONRPCMessage,
  type Transport,
  Client,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../core/ports/clock.ts';
import type { Era, EraMemory } from './era.ts';
import type { ListedTool } from '../tools/listed-tool.ts';
import type { ConnectProblem } from './problem.ts';
import type { ServerLog } from '../status/server-log.ts';
import type { ProcessExit } from '../transport/server-process.ts';
import {
  type AnsweringParts,
  answerRequests,
  capabilitiesFor,
  openPages,
} from '../requests/answering.ts';
import type { SignInOptions } from '../auth/sign-in-flow.ts';
import type { Session, SessionParts } from './session.ts';
import { repairContent } from '../transport/odd-content.ts';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';

/** Milliseconds; the caller's signal ends the handshake earlier. */
const handshakeTimeout = 120_000;

export interface OpenOptions {
  /** Of the definition; the key of the era memory. */
  readonly hash: string;
  readonly client: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly log: ServerLog;
  readonly eras: EraMemory;
  readonly local: {
    /** Ours; what a local server gets of it is chosen by `serverEnvironment`. */
    readonly environment: Readonly<Record<string, string | undefined>>;
    /** Working directory of a local server whose definition names none. */
    readonly folder: string;
  };
  readonly fetch: FetchLike;
  readonly answering: AnsweringParts;
  readonly signIn: Pick<SignInOptions, 'credentials' | 'open'>;
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

/** A client that is not connected yet. `probe`: milliseconds for the answer that tells the era. */
export function clientOf(options: OpenOptions, probe = handshakeTimeout): Client {
  const { client: info, log, answering } = options;
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probe } },
    capabilities: capabilitiesFor(answering.person),
  });
  answerRequests(client, answering);
  client.onerror = (error) => note(log, error);
  return client;
}

/** A session's ways out: news of the server, and pages that a tool needs first. */
export function sessionHooks({
  answering,
}: OpenOptions): Pick<SessionParts, 'onEvent' | 'openPages'> {
  return {
    onEvent: answering.onEvent,
    openPages: async (pages, signal) => openPages(answering, pages, signal),
  };
}

/** Negotiates over a new transport. Rejects with the SDK's errors, or when the signal fires. */
export async function connect(
  client: Client,
  transport: Transport,
  options: OpenOptions,
  era: Era | undefined,
): Promise<void> {
  const watched = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (client.getProtocolEra() === 'modern') completeResult(message);
    repairContent(message);
    watched?.(message, extra);
  };
  const prior = era === 'legacy' ? { prior: { kind: 'legacy' as const } } : {};
  const connected = client.connect(transport, { timeout: handshakeTimeout, ...prior });
  await untilAborted(connected, options.signal);
}

/** A result that does not say what it is is complete (2026-07-28); the SDK takes it for a fault. */
function completeResult(message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message)) return;
  (message.result as Record<string, unknown>)['resultType'] ??= 'complete';
}

/** Tells of the end of an established connection, also when it came just before. */
export function watchEnd(client: Client, ended: () => void): void {
  client.onclose = ended;
  if (client.transport === undefined) ended();
}

export function note(log: ServerLog, error: Error): void {
  log.add('belay', error.message);
}
