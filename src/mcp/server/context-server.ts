import { Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ContextTools } from './context-tools.ts';

const INSTRUCTIONS =
  'What the person has before them in VS Code and what Belay, the coding agent there, changed. Everything only reads.';

/** An MCP server of both eras over the tools; one for each connection, or request where there are no connections. */
export function contextServer(tools: ContextTools, version: string): Server {
  const server = new Server(
    { name: 'belay', title: 'Belay', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await tools.list()).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const input = (params.arguments ?? {}) as JsonObject;
    const { text, isError } = await tools.call(params.name, input, mcpReq.signal);
    return { content: [{ type: 'text', text }], isError };
  });
  return server;
}
