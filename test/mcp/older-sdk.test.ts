import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ContextListener } from '../../src/mcp/server/context-listener.ts';
import { contextServer } from '../../src/mcp/server/context-server.ts';
import type { ContextTools } from '../../src/mcp/server/context-tools.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { Harness, contextOf, textOf } from './support/harness.ts';
import { olderServer } from './support/older-sdk-server.ts';

const file = fileURLToPath(new URL('support/older-sdk-server.ts', import.meta.url));
const SECRET = 'a-secret-of-the-test';

/** Answers every form with a name. */
const harness = (): Harness =>
  new Harness({
    support: {
      person: {
        fillForm: async () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
        openPage: async () => Promise.reject(new Error('no page')),
        sample: async () => Promise.resolve(undefined),
        signIn: async () => Promise.resolve(false),
      },
    },
  });

describe('MCP: programs built with the SDK 1.x', function () {
  this.timeout(60_000);

  function serves(
    start: () => Promise<{ readonly own: Harness; readonly close: () => Promise<void> }>,
  ): void {
    let own: Harness;
    let close: () => Promise<void>;
    before(async () => ({ own, close } = await start()));
    after(async () => {
      await own.hub.dispose();
      await close();
    });

    it('is spoken to in its revision: tools, forms, resources and prompts', async () => {
      assert.equal(textOf(await own.call('add', { a: 40, b: 2 })), '{"sum":42}');
      assert.equal((await own.call('add', { a: 'forty' })).isError, true);
      assert.equal(textOf(await own.call('ask')), 'accept Ada');
      assert.equal(own.hub.servers()[0]?.revision, '2025-11-25');
      const connection = own.hub.server('older') ?? assert.fail('no server');
      const { signal } = new AbortController();
      const note = await connection.use(async (offers) => offers.read('demo://note'), signal);
      assert.match(JSON.stringify(note), /Hello\./u);
      const prompt = await connection.use(
        async (offers) => offers.prompt('greet', { name: 'Ada' }),
        signal,
      );
      assert.match(JSON.stringify(prompt), /Greet Ada\./u);
    });

    it('stops a call, and offers a tool that comes later', async () => {
      const tool = await own.tool('wait');
      const stop = new AbortController();
      const call = tool.run({}, contextOf({ signal: stop.signal }));
      setTimeout(() => stop.abort(), 50);
      await assert.rejects(call, { name: 'AbortError' });
      await own.call('add-later');
      await own.until(() => own.hub.servers()[0]?.tools === 5, 'five tools');
      assert.equal(textOf(await own.call('late')), 'late, but here');
    });
  }

  describe('a server over standard input and output', () => {
    serves(async () => {
      const own = harness();
      own.configure({ older: { command: process.execPath, args: [file] } });
      return Promise.resolve({ own, close: async () => Promise.resolve() });
    });
  });

  describe('a server over HTTP', () => {
    serves(async () => {
      const transports = new Map<string, StreamableHTTPServerTransport>();
      const server = http.createServer((request, response) => {
        void (async () => {
          const id = request.headers['mcp-session-id'];
          let transport = typeof id === 'string' ? transports.get(id) : undefined;
          if (transport === undefined) {
            const created = new StreamableHTTPServerTransport({
              sessionIdGenerator: () => randomUUID(),
              onsessioninitialized: (session) => void transports.set(session, created),
            });
            transport = created;
            await olderServer().connect(created);
          }
          await transport.handleRequest(request, response);
        })();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const own = harness();
      own.configure({ older: { url: `http://127.0.0.1:${port}/mcp` } });
      return {
        own,
        close: async () => {
          for (const transport of transports.values()) await transport.close();
          server.closeAllConnections();
          server.close();
        },
      };
    });
  });

  it('a client of it uses the context server over HTTP', async () => {
    const tools: ContextTools = {
      list: async () =>
        Promise.resolve([
          {
            name: 'diagnostics',
            description: 'Problems.',
            inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
          },
        ]),
      call: async (name, input) =>
        Promise.resolve({ text: `${name} ${JSON.stringify(input)}`, isError: false }),
    };
    const listener = await ContextListener.open(() => contextServer(tools, '1'), SECRET);
    const client = new Client({ name: 'older', version: '1' });
    try {
      const requestInit = { headers: { authorization: `Bearer ${SECRET}` } };
      const transport = new StreamableHTTPClientTransport(new URL(listener.url), { requestInit });
      await client.connect(transport);
      assert.equal(client.getServerVersion()?.name, 'belay');
      const listed = await client.listTools();
      assert.deepEqual(
        listed.tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
        [['diagnostics', true]],
      );
      const { content } = await client.callTool({
        name: 'diagnostics',
        arguments: { path: 'a.ts' },
      });
      assert.deepEqual(content, [{ type: 'text', text: 'diagnostics {"path":"a.ts"}' }]);
    } finally {
      await client.close();
      await listener.dispose();
    }
  });

  it('a client of it uses the context server over standard input and output', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-older-'));
    const client = new Client({ name: 'older', version: '1' });
    try {
      const args = [await headlessProgram(), '--serve-context', '--workspace', folder];
      args.push('--data', path.join(folder, 'data'), '--person', path.join(folder, 'data'));
      await client.connect(new StdioClientTransport({ command: process.execPath, args }));
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['pending_changes'],
      );
      const { content } = await client.callTool({ name: 'pending_changes', arguments: {} });
      assert.match(JSON.stringify(content), /Nothing waits for a decision/u);
    } finally {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
