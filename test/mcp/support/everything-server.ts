import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { everything } from './harness.ts';

export interface EverythingServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The real server over HTTP or SSE. It listens on all interfaces: each test keeps it only as long as it must. */
export async function startEverything(transport: 'http' | 'sse'): Promise<EverythingServer> {
  const port = await freePort();
  const mode = transport === 'http' ? 'streamableHttp' : 'sse';
  const child = spawn(process.execPath, [everything, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const url = `http://127.0.0.1:${port}/${transport === 'http' ? 'mcp' : 'sse'}`;
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined) return { url, stop };
    await wait(100);
  }
  await stop();
  throw new Error('the server did not start');
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
