/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's client has properties for handlers, no event target */
import type { FetchLike, JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import {
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { SignIn } from '../auth/sign-in.ts';
import type { HttpServer } from '../config/config.ts';
import { FloodGuard } from '../transport/flood-guard.ts';
import type { Established, OpenOptions, Opened } from './handshake.ts';
import { clientOf, connect, note, sessionHooks, watchEnd } from './handshake.ts';
import { HttpGuard, streamRetries } from '../transport/http-guard.ts';
import { type ConnectProblem, remoteProblem, statusOf } from './problem.ts';
import { Session } from './session.ts';

/** Milliseconds for telling a remote server that its session is over. */
const goodbyeTimeout = 1000;

/** Reaches a remote server by streamable HTTP, else SSE. Rejects only when the signal fires. */
export async function openRemote(target: HttpServer, options: OpenOptions): Promise<Opened> {
  const first = target.transport === 'sse' ? undefined : await reach(target, options, 'http');
  if (first !== undefined && ('session' in first || target.transport === 'http')) return first;
  // Servers of before 2025 refuse the request of the newer transport with one of these.
  const status = first === undefined ? undefined : statusOf(first.thrown);
  if (first !== undefined && status !== 400 && status !== 404 && status !== 405) return first;
  const second = await reach(target, options, 'sse');
  return 'session' in second || first === undefined ? second : first;
}

type RemoteAttempt = Established | { readonly problem: ConnectProblem; readonly thrown: unknown };

async function reach(
  target: HttpServer,
  options: OpenOptions,
  kind: 'http' | 'sse',
): Promise<RemoteAttempt> {
  const { clock, log, signal } = options;
  const lost = (): void => options.onClosed(undefined);
  const guard = new HttpGuard({
    fetch: signedFetch(target, options),
    clock,
    deliver: (message) => transport.onmessage?.(message),
    onLost: lost,
  });
  const transport = transportOf(kind, target, guard);
  watchMessages(transport, guard, options);
  const streamable = transport instanceof StreamableHTTPClientTransport ? transport : undefined;
  const release = async (): Promise<void> => {
    guard.dispose();
    if (streamable !== undefined) await sayGoodbye(streamable);
  };
  const hasServerSession = (): boolean => streamable?.sessionId !== undefined;
  try {
    const client = clientOf(options);
    const session = new Session({
      client,
      clock,
      log,
      release,
      hasServerSession,
      ...sessionHooks(options),
    });
    await connect(
      client,
      transport,
      options,
      kind === 'sse' ? 'legacy' : options.eras.get(options.hash),
    );
    if (kind === 'sse') {
      // Its one stream carries all answers; the SDK would open it again and wait for them for ever.
      client.onerror = (error) => (error instanceof SseError ? lost() : note(log, error));
    }
    const tools = await session.listTools(signal);
    watchEnd(client, lost);
    return { session, tools };
  } catch (thrown) {
    guard.dispose();
    await transport.close().catch(() => {});
    signal.throwIfAborted();
    return { problem: remoteProblem(thrown, target.url), thrown };
  }
}

/** Signs in where the server asks for it; not where the person wrote a token into the definition. */
function signedFetch({ url, headers, oauth }: HttpServer, options: OpenOptions): FetchLike {
  const { client, fetch, signal, signIn } = options;
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return fetch;
  return new SignIn({ server: url, client, settings: oauth, fetch, signal, ...signIn }).fetch;
}

function transportOf(
  kind: 'http' | 'sse',
  { url, headers }: HttpServer,
  guard: HttpGuard,
): SSEClientTransport | StreamableHTTPClientTransport {
  const shared = { fetch: guard.fetch, requestInit: { headers: { ...headers } } };
  if (kind === 'sse') return new SSEClientTransport(new URL(url), shared);
  return new StreamableHTTPClientTransport(new URL(url), {
    ...shared,
    reconnectionScheduler: guard.reconnect,
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: streamRetries + 1,
    },
  });
}

function watchMessages(transport: Transport, guard: HttpGuard, options: OpenOptions): void {
  const flood = new FloodGuard(options.clock, () => {
    options.onFlood();
    void transport.close();
  });
  transport.onmessage = (message: JSONRPCMessage) => {
    flood.count();
    guard.observe(message);
  };
}

async function sayGoodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  const timer = new AbortController();
  const wait = delay(goodbyeTimeout, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([transport.terminateSession().catch(() => {}), wait]);
  timer.abort();
}
