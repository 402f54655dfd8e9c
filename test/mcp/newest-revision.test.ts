import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { eraMemory } from '../../src/mcp/connection/era.ts';
import { Harness, contextOf, textOf } from './support/harness.ts';
import { modernServer } from './support/modern-server.ts';

const file = fileURLToPath(new URL('support/modern-server.ts', import.meta.url));

/** What a server of the newest revision must do, however it is reached. */
function servesTheNewestRevision(harness: Harness): void {
  it('E8: is spoken to in its own revision, and its tools are offered and called', async () => {
    assert.equal(textOf(await harness.call('add', { a: 40, b: 2 })), '{"sum":42}');
    const [view] = harness.hub.servers();
    assert.equal(view?.revision, '2026-07-28');
    assert.equal(view.server?.name, 'modern');
  });

  it('D4: a call ends when its signal fires', async () => {
    const tool = await harness.tool('wait');
    const stop = new AbortController();
    const call = tool.run({}, contextOf({ signal: stop.signal }));
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(call, { name: 'AbortError' });
    assert.equal(textOf(await harness.call('add', { a: 1, b: 1 })), '{"sum":2}');
  });

  it('E10: what it says against the arguments is a failed result', async () => {
    assert.equal((await harness.call('add', { a: 'forty' })).isError, true);
  });
}

describe('MCP: the newest revision of the protocol', () => {
  describe('over standard input and output', () => {
    const harness = new Harness();

    before(() => harness.configure({ modern: { command: process.execPath, args: [file] } }));
    after(() => harness.hub.dispose());
    servesTheNewestRevision(harness);

    it('a tool that is added later is noticed', async () => {
      await harness.call('add-later');
      await harness.until(() => harness.hub.servers()[0]?.tools === 4, 'four tools');
      assert.equal(textOf(await harness.call('late')), 'late, but here');
    });
  });

  it('a server that was remembered as an older one and is not any more is started anew', async () => {
    const eras = eraMemory();
    const harness = new Harness({ eras });
    try {
      harness.configure({ modern: { command: process.execPath, args: [file, 'new-only'] } });
      const hash = harness.hub.servers()[0]?.hash ?? '';
      eras.set(hash, 'legacy');
      assert.equal(textOf(await harness.call('add', { a: 1, b: 2 })), '{"sum":3}');
      assert.equal(eras.get(hash), 'modern');
    } finally {
      await harness.hub.dispose();
    }
    assert.deepEqual(harness.processes(), []);
  });

  describe('over HTTP', () => {
    const harness = new Harness();
    /** It has one more tool. */
    let more = false;
    const handler = createMcpHandler(() => modernServer(more));
    const server = createServer((request, response) => void serve(request, response));

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const body = Buffer.concat(await request.toArray());
      const init = {
        method: request.method ?? 'GET',
        headers: new Headers(request.headers as Record<string, string>),
        signal: gone.signal,
        ...(body.length === 0 ? {} : { body }),
      };
      const answer = await handler.fetch(new Request(`http://${request.headers.host}/mcp`, init));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    }

    before(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      harness.configure({ modern: { url: `http://127.0.0.1:${port}/mcp` } });
    });
    after(async () => {
      await harness.hub.dispose();
      await handler.close();
      server.closeAllConnections();
      server.close();
    });
    servesTheNewestRevision(harness);

    it('hears what it subscribed to, and of tools that changed, over its one stream', async () => {
      const heard: string[] = [];
      const own = new Harness({
        support: {
          onEvent: (_server, method, params) =>
            void heard.push(`${method} ${String((params as { uri?: unknown }).uri)}`),
        },
      });
      const { port } = server.address() as AddressInfo;
      own.configure({ modern: { url: `http://127.0.0.1:${port}/mcp` } });
      try {
        await own.hub.tools();
        const { signal } = new AbortController();
        const connection = own.hub.server('modern') ?? assert.fail('no server');
        await connection.use(async (offers) => offers.subscribe('demo://a'), signal);
        const updates = (uri: string): number =>
          heard.filter((one) => one === `notifications/resources/updated ${uri}`).length;
        handler.notify.resourceUpdated('demo://other');
        handler.notify.resourceUpdated('demo://a');
        await own.until(() => updates('demo://a') === 1, 'the update');
        assert.equal(updates('demo://other'), 0, 'nobody subscribed to it');
        await connection.use(async (offers) => offers.unsubscribe('demo://a'), signal);
        more = true;
        handler.notify.toolsChanged();
        await own.until(() => own.hub.servers()[0]?.tools === 4, 'the new tool');
        handler.notify.resourceUpdated('demo://a');
        assert.equal(textOf(await own.call('late')), 'late, but here');
        assert.equal(updates('demo://a'), 1, 'no more after the end of the subscription');
      } finally {
        more = false;
        await own.hub.dispose();
      }
    });
  });
});
