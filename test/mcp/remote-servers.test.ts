import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BelayError } from '../../src/domain/failure.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import type { McpHubOptions } from '../../src/mcp/hub.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type EverythingServer, freePort, startEverything } from './support/everything-server.ts';
import { contextOf, Harness, saidOf, textOf } from './support/harness.ts';
import { WebServer, hold, result } from './support/web-server.ts';

/** Runs a test with one remote server, and ends both sides afterwards. */
async function withWeb(
  server: WebServer,
  test: (harness: Harness, url: string) => Promise<void>,
  definition: JsonObject = {},
  options: Partial<McpHubOptions> = {},
): Promise<void> {
  const harness = new Harness(options);
  const url = await server.listen();
  harness.configure({ web: { url, ...definition } });
  try {
    await test(harness, url);
  } finally {
    await harness.hub.dispose();
    await server.close();
  }
}

async function failure(call: Promise<unknown>): Promise<BelayError> {
  try {
    await call;
  } catch (thrown) {
    assert.ok(thrown instanceof BelayError, String(thrown));
    return thrown;
  }
  return assert.fail('the call did not fail');
}

/** A server that answers every request with one status. */
const refusing = (status: number): WebServer =>
  new WebServer(
    (_call, _request, response) => void response.writeHead(status).end('<html>no</html>'),
  );

describe('MCP: remote servers', function () {
  this.timeout(30_000);

  describe('server-everything over streamable HTTP', () => {
    const harness = new Harness();
    let server: EverythingServer;

    before(async () => {
      server = await startEverything('http');
      harness.configure({ remote: { url: server.url } });
    });
    after(async () => {
      await harness.hub.dispose();
      await server.stop();
    });

    it('E8: offers and calls its tools', async () => {
      assert.equal(textOf(await harness.call('echo', { message: 'far' })), 'Echo: far');
      assert.equal(harness.hub.servers()[0]?.revision, '2025-11-25');
    });

    it('E10: a server that dies in a call fails the call soon, not at the time limit', async () => {
      const tool = await harness.tool('trigger-long-running-operation');
      const events: string[] = [];
      const context = contextOf({ emit: ({ type }) => void events.push(type) });
      const call = tool.run({ duration: 600, steps: 3000 }, context);
      await harness.until(() => events.length > 0, 'the call is under way');
      await server.stop();
      const { code, message } = await failure(call);
      assert.equal(code, 'network');
      assert.match(message, /“remote” ended during the call/);
      assert.notEqual(harness.state('remote'), 'ready');
    });
  });

  it('E8: server-everything over the older SSE transport', async () => {
    const server = await startEverything('sse');
    const harness = new Harness();
    try {
      harness.configure({ remote: { url: server.url } });
      assert.equal(textOf(await harness.call('echo', { message: 'old' })), 'Echo: old');
      await server.stop();
      await harness.until(() => harness.state('remote') !== 'ready', 'the loss is noticed');
    } finally {
      await harness.hub.dispose();
      await server.stop();
    }
  });

  it('sends the headers of the definition, with variables resolved', () => {
    const server = new WebServer();
    return withWeb(
      server,
      async (harness) => {
        await harness.call('echo');
        assert.ok(server.headers.every((headers) => headers['x-key'] === 'k-123'));
      },
      { headers: { 'X-Key': 'k-${env:BELAY_TEST_KEY}' } },
      { environment: { BELAY_TEST_KEY: '123' } },
    );
  });

  it('a redirect to another origin is not followed: headers go nowhere else', async () => {
    const thief = new WebServer();
    const target = await thief.listen();
    const server = new WebServer((_call, _request, response) => {
      response.writeHead(307, { location: target }).end();
    });
    try {
      await withWeb(server, async (harness) => {
        assert.deepEqual(await harness.hub.tools(), []);
        assert.equal(harness.state('web'), 'failed');
        assert.match(harness.reason('web'), /redirect, which is not followed: .*use that URL/);
        assert.deepEqual(thief.seen, []);
      });
    } finally {
      await thief.close();
    }
  });

  for (const [status, sentence] of [
    [401, /asks you to sign in\./],
    [403, /refuses access \(HTTP 403\)/],
    [404, /no MCP server at 127\.0\.0\.1:\d+ \(HTTP 404\)/],
  ] as const) {
    it(`HTTP ${status} is explained and not tried again`, () =>
      withWeb(refusing(status), async (harness) => {
        assert.deepEqual(await harness.hub.tools(), []);
        const [view] = harness.hub.servers();
        assert.equal(view?.state, 'failed');
        assert.match(saidOf(view), sentence);
        assert.equal(view.retryAt, undefined);
      }));
  }

  it('HTTP 503 is explained and tried again', () =>
    withWeb(refusing(503), async (harness) => {
      await harness.hub.tools();
      const [view] = harness.hub.servers();
      assert.match(saidOf(view), /has a problem \(HTTP 503\)/);
      assert.notEqual(view?.retryAt, undefined);
    }));

  it('a page that is no MCP server is a readable failure', () =>
    withWeb(refusing(200), async (harness) => {
      await harness.hub.tools();
      assert.equal(harness.state('web'), 'failed');
      assert.match(harness.reason('web'), /does not speak the Model Context Protocol/);
    }));

  it('an address where nothing listens is named', async () => {
    const harness = new Harness();
    harness.configure({ web: { url: `http://127.0.0.1:${await freePort()}/mcp` } });
    await harness.hub.tools();
    assert.match(harness.reason('web'), /Nothing answers at 127\.0\.0\.1:\d+/);
    await harness.hub.dispose();
  });

  it('a server that never answers fails after the time for the handshake', () => {
    const clock = new FakeClock();
    const server = new WebServer((_call, _request, response) => hold(response));
    return withWeb(
      server,
      async (harness) => {
        const tools = harness.hub.tools();
        await clock.advance(5000);
        assert.deepEqual(await tools, []);
        await harness.until(() => server.seen.length > 0, 'asked');
        await clock.advance(25_000);
        await harness.until(() => harness.state('web') === 'failed', 'failed');
        assert.match(harness.reason('web'), /did not answer within 30 s/);
      },
      {},
      { clock, patienceMs: 5000 },
    );
  });

  for (const status of [404, 400]) {
    it(`a session that the server forgot (HTTP ${status}) is opened again, and the call made once more`, () => {
      let session = 0;
      const server = new WebServer((call, request, response) => {
        if (call.method === 'initialize')
          response.setHeader('mcp-session-id', `s${(session += 1)}`);
        else if (request.method === 'POST' && call.method === 'tools/call') {
          if (request.headers['mcp-session-id'] === 's1') response.writeHead(status).end('gone');
        }
      });
      return withWeb(server, async (harness) => {
        assert.equal(textOf(await harness.call('echo', { a: 1 })), '{"a":1}');
        assert.equal(session, 2);
        assert.equal(server.seen.filter((seen) => seen === 'POST tools/call').length, 2);
      });
    });
  }

  it('a session that is forgotten each time is a failure, not a loop', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method === 'initialize') response.setHeader('mcp-session-id', 'same');
      else if (call.method === 'tools/call') response.writeHead(404).end();
    });
    return withWeb(server, async (harness) => {
      const { message } = await failure(harness.call('echo'));
      assert.match(message, /refused the call/);
      assert.equal(server.seen.filter((seen) => seen === 'POST tools/call').length, 2);
    });
  });

  it('says goodbye to a session', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method === 'initialize') response.setHeader('mcp-session-id', 'one');
    });
    return withWeb(server, async (harness) => {
      await harness.hub.tools();
      await harness.hub.dispose();
      assert.ok(server.seen.includes('DELETE'));
    });
  });

  it('E10: an answer that breaks off fails the call at once, and says that the effect is not known', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': working\n\n', () => response.destroy());
    });
    return withWeb(server, async (harness) => {
      const { message } = await failure(harness.call('echo'));
      assert.match(message, /broke before the answer was complete/);
      assert.match(message, /may have done its work/);
      assert.equal(harness.state('web'), 'ready');
    });
  });

  it('E10: one call that the server cannot serve fails alone; the others go on', () => {
    const held: (() => void)[] = [];
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      if (call.params?.name === 'odd') response.writeHead(503).end('busy');
      else {
        hold(response);
        held.push(() => result(call, response, { content: [{ type: 'text', text: 'late' }] }));
      }
    });
    return withWeb(server, async (harness) => {
      const long = harness.call('echo');
      await harness.until(() => held.length === 1, 'the long call is under way');
      const lists = server.seen.length;
      const { code, message } = await failure(harness.call('odd'));
      assert.equal(code, 'overloaded');
      assert.match(message, /did not get through .* HTTP 503: .*busy.* not known/);
      await harness.until(
        () => server.seen.length > lists + 1,
        'the server was asked whether it is there',
      );
      assert.equal(harness.state('web'), 'ready');
      held[0]?.();
      assert.equal(textOf(await long), 'late');
    });
  });

  it('a server that is gone is noticed by the call, and found again when it is back', async () => {
    const server = new WebServer();
    await withWeb(server, async (harness, url) => {
      await harness.call('echo');
      await server.close();
      assert.equal((await failure(harness.call('echo'))).code, 'network');
      await harness.until(() => harness.state('web') === 'failed', 'noticed');
      await server.listen(Number(new URL(url).port));
      assert.equal(textOf(await harness.call('echo', { a: 2 })), '{"a":2}');
      assert.equal(harness.state('web'), 'ready');
    });
  });

  it('an event stream that ends properly without an answer fails the call, too', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    });
    return withWeb(server, async (harness) => {
      assert.match((await failure(harness.call('echo'))).message, /broke before the answer/);
    });
  });

  it('an answer in an event stream that ends right after it is taken', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      const answer = {
        jsonrpc: '2.0',
        id: call.id,
        result: { content: [{ type: 'text', text: 'quick' }] },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(answer)}\n\n`);
    });
    return withWeb(server, async (harness) => {
      assert.equal(textOf(await harness.call('echo')), 'quick');
    });
  });

  it('E3: an answer beyond all bounds fails the call alone, as JSON and as an event', () => {
    const huge = 'z'.repeat(20 * 2 ** 20);
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      if (call.params?.name === 'echo') {
        result(call, response, { content: [{ type: 'text', text: huge }] });
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: {"jsonrpc":"2.0","id":${call.id},"result":{"content":[{"type":"text","text":"${huge}"}]}}\n\n`,
      );
    });
    return withWeb(server, async (harness) => {
      assert.match((await failure(harness.call('echo'))).message, /larger than 16 MB/);
      assert.match((await failure(harness.call('odd'))).message, /larger than 16 MB/);
      assert.equal(harness.state('web'), 'ready');
    });
  });

  it('leaves out structured content over the limits and keeps the text, as JSON and as an event', () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]);
    const structuredContent = Object.fromEntries(keys) as JsonObject;
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      const content = [{ type: 'text', text: 'all of it' }];
      if (call.params?.name === 'echo') {
        result(call, response, { content, structuredContent });
        return;
      }
      const text = JSON.stringify(content);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: a comment\n\nid: 1\r\ndata: {"jsonrpc":"2.0","id":${call.id},\r\n`);
      response.end(`data: "result":{"content":${text},"structuredContent":${deep}}}\r\n\r\n`);
    });
    return withWeb(server, async (harness) => {
      for (const tool of ['echo', 'odd'])
        assert.deepEqual(
          (await harness.call(tool)).content.map((part) => 'text' in part && part.text),
          [
            'all of it',
            "[The answer's structured content has more than 10,000 values or 100 levels and was left out; the text is complete.]",
          ],
        );
    });
  });

  it('E3: an answer of 200 MB is not read to its end, as JSON and as an event', () => {
    const piece = Buffer.alloc(2 ** 20, 'z');
    const sent: number[] = [];
    const server = new WebServer((call, _request, response) => {
      if (call.method !== 'tools/call') return;
      const isEvent = call.params?.name === 'odd';
      const type = isEvent ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      const at = sent.push(0) - 1;
      const pieces = function* (): Generator<string | Buffer> {
        const start = `{"jsonrpc":"2.0","id":${call.id},"result":{"content":[{"type":"text","text":"`;
        yield isEvent ? `data: ${start}` : start;
        for (let count = 1; count <= 200; count += 1) {
          sent[at] = count;
          yield piece;
        }
        yield isEvent ? '"}]}}\n\n' : '"}]}}';
      };
      // Who stops reading breaks it off.
      pipeline(Readable.from(pieces()), response).catch(() => undefined);
    });
    return withWeb(server, async (harness) => {
      for (const [at, tool] of ['echo', 'odd'].entries()) {
        assert.match((await failure(harness.call(tool))).message, /larger than 16 MB/);
        assert.ok((sent[at] ?? Infinity) < 100, `${sent[at]} MB were taken`);
      }
      assert.equal(harness.state('web'), 'ready');
      assert.equal(sent.length, 2, 'nothing is asked for again');
    });
  });

  it('D4: a call ends when its signal fires, and the server is told', () => {
    const server = new WebServer((call, _request, response) => {
      if (call.method === 'tools/call') hold(response);
    });
    return withWeb(server, async (harness) => {
      const tool = await harness.tool('echo');
      const stop = new AbortController();
      const call = tool.run({}, contextOf({ signal: stop.signal }));
      await harness.until(() => server.seen.includes('POST tools/call'), 'the call is under way');
      stop.abort();
      await assert.rejects(call, { name: 'AbortError' });
      await harness.until(() => server.seen.includes('POST notifications/cancelled'), 'cancelled');
    });
  });
});
