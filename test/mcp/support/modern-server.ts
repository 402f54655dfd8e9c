// A server of the newest revision of the protocol, over stdio; `new-only` refuses the older ones.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** A server with three tools; `add-later`, or `more`, adds a fourth. */
export function modernServer(more = false): McpServer {
  const server = new McpServer(
    { name: 'modern', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
  );
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
  );
  server.registerTool('wait', { description: 'Waits.' }, async (context) => {
    await delay(60_000, undefined, { signal: context.mcpReq.signal });
    return { content: [] };
  });
  const late = (): void =>
    void server.registerTool('late', { description: 'Came later.' }, () => ({
      content: [{ type: 'text', text: 'late, but here' }],
    }));
  server.registerTool('add-later', { description: 'Adds a tool.' }, () => {
    late();
    return { content: [] };
  });
  if (more) late();
  return server;
}

if (process.argv[1] === import.meta.filename) {
  serveStdio(() => modernServer(), { legacy: process.argv[2] === 'new-only' ? 'reject' : 'serve' });
}
