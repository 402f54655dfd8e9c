import { told } from '../../domain/text/told.ts';
import { ProtocolError } from '@modelcontextprotocol/client';
import { stat } from 'node:fs/promises';
import type { StdioServer } from '../config/config.ts';
import { serverEnvironment } from '../config/environment.ts';
import type { Era } from './era.ts';
import { FloodGuard } from '../transport/flood-guard.ts';
import type { Established, OpenOptions, Opened } from './handshake.ts';
import { clientOf, connect, sessionHooks, watchEnd } from './handshake.ts';
import { type ConnectProblem, localProblem } from './problem.ts';
import { Session } from './session.ts';
import { StdioTransport } from '../transport/stdio-transport.ts';

/** Milliseconds to answer the probe; after that a local server counts as one of the older kind. */
const probeTimeout = 10_000;

/** Starts a local server, without a probe that ended it. Rejects only when the signal fires. */
export async function openLocal(target: StdioServer, options: OpenOptions): Promise<Opened> {
  const cwd = target.cwd ?? options.local.folder;
  if ((await stat(cwd).catch(() => undefined))?.isDirectory() !== true) {
    const reason = told`The working directory ${cwd} does not exist. Check \`cwd\`.`;
    return { problem: { reason, retry: false } };
  }
  const { eras, hash } = options;
  const remembered = eras.get(hash);
  const first = await startLocal(target, cwd, options, remembered);
  if ('session' in first) return first;
  // Some older servers end when they are probed; and a server may have been updated since.
  const endedByProbe = remembered !== 'legacy' && first.ended && first.problem.retry;
  const outdated = remembered === 'legacy' && first.thrown instanceof ProtocolError;
  eras.set(hash, undefined);
  if (!outdated && !endedByProbe) return first;
  return startLocal(target, cwd, options, outdated ? undefined : 'legacy');
}

type LocalAttempt =
  | Established
  | { readonly problem: ConnectProblem; readonly thrown: unknown; readonly ended: boolean };

async function startLocal(
  target: StdioServer,
  cwd: string,
  options: OpenOptions,
  era: Era | undefined,
): Promise<LocalAttempt> {
  const { command, args } = target;
  const { clock, log } = options;
  const environment = serverEnvironment(options.local.environment, target.env);
  const flood = new FloodGuard(clock, options.onFlood);
  const transport = new StdioTransport({ command, args, environment, cwd }, log, flood);
  try {
    const client = clientOf(options, probeTimeout);
    const session = new Session({ client, clock, log, ...sessionHooks(options) });
    await connect(client, transport, options, era);
    const tools = await session.listTools(options.signal);
    watchEnd(client, () => options.onClosed(transport.exit));
    options.eras.set(options.hash, session.era);
    return { session, tools };
  } catch (thrown) {
    // First the evidence: closing ends the process, too.
    const exit = options.signal.aborted ? undefined : await transport.exitSoon();
    await transport.close();
    options.signal.throwIfAborted();
    const lastError = log.lastError();
    const problem = localProblem(thrown, { command, exit, lastError });
    return { problem, thrown, ended: exit !== undefined };
  }
}
