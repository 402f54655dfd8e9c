// A server built with `@modelcontextprotocol/sdk` 1.x, as most servers that people run: over stdio, and made for HTTP
// by the test that imports it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

export function olderServer(): McpServer {
  const server = new McpServer({ name: 'older', version: '1.0.0' });
  server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
  );
  server.registerTool('ask', { description: 'Asks for a name.' }, async () => {
    const { action, content } = await server.server.elicitInput({
      mode: 'form',
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    return { content: [{ type: 'text', text: `${action} ${String(content?.['name'])}` }] };
  });
  server.registerTool('wait', { description: 'Waits.' }, async ({ signal }) => {
    await delay(60_000, undefined, { signal });
    return { content: [] };
  });
  server.registerTool('add-later', { description: 'Adds a tool.' }, () => {
    server.registerTool('late', { description: 'Came later.' }, () => ({
      content: [{ type: 'text', text: 'late, but here' }],
    }));
    return { content: [] };
  });
  server.registerResource('note', 'demo://note', { title: 'A note' }, ({ href }) => ({
    contents: [{ uri: href, text: 'Hello.' }],
  }));
  server.registerPrompt('greet', { argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }],
  }));
  return server;
}

if (process.argv[1] === import.meta.filename)
  await olderServer().connect(new StdioServerTransport());
