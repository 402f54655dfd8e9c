import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import type { Transport } from '@modelcontextprotocol/client';
import { App } from '@modelcontextprotocol/ext-apps';
import { fault } from '../../../src/domain/failure.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { FakeClock } from '../../support/fake-clock.ts';
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
      input: {
        offer: async (text) => void called.push(`say ${text}`),
        keep: async (text) => void called.push(`context ${text}`),
      },
      save: async (files) => {
        for (const { name, bytes } of files)
          called.push(`save ${name} ${new TextDecoder().decode(bytes)}`);
      },
      log: (line) => called.push(`log ${line}`),
      stopped: (why) => called.push(`stopped ${why}`),
      clock: new FakeClock(),
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

  it('takes what an app gives for the next message: texts and structured content, within bounds', async () => {
    const { app, called } = await connect();
    assert.deepEqual(app.getHostCapabilities()?.updateModelContext, {
      text: {},
      structuredContent: {},
    });
    await app.updateModelContext({
      content: [
        { type: 'text', text: 'Two seats' },
        { type: 'text', text: 'are chosen.' },
      ],
      structuredContent: { seats: ['1A', '1B'] },
    });
    await app.updateModelContext({ content: [] });
    await app.updateModelContext({});
    assert.deepEqual(called, [
      'context Two seats\nare chosen.\n{"seats":["1A","1B"]}',
      'context ',
      'context ',
    ]);
    for (const [params, why] of [
      [{ content: [{ type: 'text', text: 'x'.repeat(16_001) }] }, /at most 16000 characters/u],
      [{ structuredContent: { text: 'x'.repeat(16_000) } }, /at most 16000 characters/u],
      [{ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }, /texts and struct/u],
    ] as const)
      await assert.rejects(app.updateModelContext(params as never), why);
    assert.equal(called.length, 3);
  });

  it('gives files to the person, and never a path', async () => {
    const { app, called } = await connect();
    assert.equal(app.getHostCapabilities()?.downloadFile !== undefined, true);
    const blob = Buffer.from('x,y').toString('base64');
    await app.downloadFile({
      contents: [
        { type: 'resource', resource: { uri: 'file:///a/../../etc/pass wd.csv', blob } },
        { type: 'resource_link', uri: 'demo://a', name: '..\\..\\b:c.txt' },
        { type: 'resource', resource: { uri: 'demo://..', text: 't' } },
      ],
    });
    assert.deepEqual(called, ['save pass wd.csv x,y', 'save b_c.txt inside', 'save file t']);
    for (const contents of [[], [{ type: 'resource', resource: { uri: 'a', blob: '%' } }]])
      await assert.rejects(app.downloadFile({ contents } as never), /1 to 20 files|base64/u);
    const { app: other } = await connect({
      save: async () => {
        throw fault('permission', told`The person said no.`);
      },
    });
    const contents = [{ type: 'resource' as const, resource: { uri: 'a', text: 't' } }];
    await assert.rejects(other.downloadFile({ contents }), /said no/u);
  });

  it('an app that calls without end is cut off, and the person is told once', async () => {
    let calls = 0;
    const { app, called, host } = await connect({
      callTool: async () => {
        calls += 1;
        return result;
      },
    });
    for (let turn = 0; turn < 295; turn += 1) await app.callServerTool({ name: 'x' });
    for (let turn = 0; turn < 1000; turn += 1)
      host.receive({ jsonrpc: '2.0', id: `${turn}`, method: 'tools/call', params: { name: 'x' } });
    await settled();
    assert.ok(calls <= 300, String(calls));
    const told = called.filter((one) => one.startsWith('stopped'));
    assert.equal(told.length, 1);
    assert.match(
      told[0] ?? '',
      /more than 300 times within a minute\. Close it and open it again/u,
    );
  });

  it('its size is the tab’s: what it says of it is heard and changes nothing', async () => {
    const { app, called } = await connect();
    await app.sendSizeChanged({ width: 1e9, height: -1 });
    await settled();
    assert.deepEqual(called, []);
    assert.equal((await app.callServerTool({ name: 'x' })).isError, undefined);
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
        throw fault('permission', told`The person said no.`);
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
