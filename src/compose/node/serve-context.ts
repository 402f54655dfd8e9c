import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { lazy, lazyMethods } from '../../domain/lifetime/lazy.ts';
import { contextServer } from '../../mcp/server/context-server.ts';
import { publishedEndpoints } from '../../mcp/server/endpoints.ts';
import { relayedTools } from '../../mcp/server/relayed-tools.ts';
import { contextTools } from '../mcp/context-tools.ts';
import { openEngine } from '../engine.ts';
import { printProblems } from './print-problems.ts';
import type { EngineHost } from '../engine-host.ts';

/**
 * Serves the context of the folder over standard input and output until the other side closes it: that of a window
 * that serves, and where there is none what the record says without one.
 */
export async function serveContext(host: EngineHost, version: string): Promise<void> {
  const engine = lazy(async () => {
    const opened = await openEngine({ ...host, person: { ...host.person, reviewed: true } });
    printProblems(opened);
    return opened;
  });
  let isOpen = false;
  const own = lazyMethods(async () => {
    isOpen = true;
    return contextTools(host, await engine());
  });
  const tools = relayedTools(async () => publishedEndpoints(host.store.data), own, version);
  const serving = serveStdio(() => contextServer(tools, version));
  try {
    await once(process.stdin, 'close');
  } finally {
    await serving.close();
    if (isOpen) await (await engine()).dispose();
  }
}
