import assert from 'node:assert/strict';
import type { Transport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { fault } from '../../../src/domain/failure.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import { AppHost, type AppHostParts } from '../../../src/window/apps/app-host.ts';

const look = {
  theme: 'dark',
  variables: { '--font-sans': 'Sans' },
  width: 300,
  height: 200,
} as const;
const result = { content: [{ type: 'text', text: 'cold' }], structuredContent: { t: -3 } };

/** An app written with the official library, and the host that it talks to. */
async function connect(parts: Partial<AppHostParts> = {}) {
  const called: string[] = [];
  const transport: Transport = {
    start: async () => undefined,
    send: async (message) => host.receive(structuredClone(message)),
    close: async () => undefined,
  };
  const host: AppHost = new AppHost(
    {
      call: { input: { city: 'Chicago' }, result },
      version: '1.2.3',
      post: (message) =>
        queueMicrotask(() => transport.onmessage?.(structuredClone(message) as never)),
      callTool: async (name, input) => {
        called.push(`call ${name} ${JSON.stringify(input)}`);
        return result;
      },
      readResource: async (uri) => [{ uri, text: 'inside' }],
      openLink: async (url) => void called.push(`open ${url}`),
      offerMessage: async (text) => void called.push(`say ${text}`),
      log: (line) => called.push(`log ${line}`),
      close: () => called.push('close'),
      ...parts,
    },
    look,
  );
  const app = new App({ name: 'app', version: '1' }, {}, { autoResize: false });
  const shown: JsonObject[] = [];
  app.ontoolinput = (params) => void shown.push(params as JsonObject);
  app.ontoolresult = (params) => void shown.push(params as unknown as JsonObject);
  await app.connect(transport);
  return { app, host, shown, called };
}

const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('apps of MCP servers: the host', () => {
  it('an app of the official library is told who shows it, how it looks, the call and its result', async () => {
    const { app, shown } = await connect();
    assert.deepEqual(app.getHostVersion(), { name: 'Belay', version: '1.2.3' });
    const { theme, containerDimensions, displayMode } = app.getHostContext() ?? {};
    assert.deepEqual(
      { theme, containerDimensions, displayMode },
      {
        theme: 'dark',
        containerDimensions: { width: 300, height: 200 },
        displayMode: 'fullscreen',
      },
    );
    await settled();
    assert.deepEqual(shown, [{ arguments: { city: 'Chicago' } }, result]);
  });

  it('answers calls, resources, links, messages and logs', async () => {
    const { app, called } = await connect();
    const answer = await app.callServerTool({ name: 'more', arguments: { n: 1 } });
    assert.deepEqual(answer.structuredContent, { t: -3 });
    const read = await app.readServerResource({ uri: 'demo://a' });
    assert.deepEqual(read.contents, [{ uri: 'demo://a', text: 'inside' }]);
    await app.openLink({ url: 'https://example.com/' });
    await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Hello' }] });
    await app.sendLog({ level: 'info', data: 'a line' });
    await app.requestTeardown();
    await settled();
    assert.deepEqual(called, [
      'call more {"n":1}',
      'open https://example.com/',
      'say Hello',
      'log "a line"',
      'close',
    ]);
  });

  it('tells of another look', async () => {
    const { app, host } = await connect();
    const themes: unknown[] = [];
    app.onhostcontextchanged = ({ theme }) => void themes.push(theme);
    host.looksLike({ ...look, theme: 'light' });
    await settled();
    assert.deepEqual(themes, ['light']);
  });

  it('after three noes nothing more is asked', async () => {
    let asked = 0;
    const { app } = await connect({
      openLink: async () => {
        asked += 1;
        throw fault('permission', 'The person said no.');
      },
    });
    for (let tries = 0; tries < 6; tries += 1)
      await assert.rejects(app.openLink({ url: 'https://example.com/' }), /said no/u);
    assert.equal(asked, 3);
  });

  it('of what an app asks at once only so much is answered, and what is unknown is refused', async () => {
    const waiting = Promise.withResolvers<JsonObject>();
    const { app } = await connect({ callTool: async () => waiting.promise });
    const calls = Array.from({ length: 20 }, () => app.callServerTool({ name: 'x' }));
    const ends = Promise.allSettled(calls);
    await settled();
    waiting.resolve(result);
    const refused = (await ends).filter(({ status }) => status === 'rejected').length;
    assert.equal(refused, 12);
  });

  it('what is no message is passed over', async () => {
    const { host, called } = await connect();
    for (const odd of [null, 1, [], {}, { jsonrpc: '2.0', id: 1 }, { jsonrpc: '2.0', method: 7 }])
      host.receive(odd);
    host.receive({ jsonrpc: '2.0', id: 1, method: '__proto__' });
    host.receive({ jsonrpc: '2.0', id: 2, method: 'ui/message', params: { content: [7] } });
    await settled();
    assert.deepEqual(called, []);
  });
});
