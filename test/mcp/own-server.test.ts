import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { contextTools } from '../../src/compose/mcp/context-tools.ts';
import { settingsFrom } from '../../src/domain/settings/read-settings.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { ContextListener } from '../../src/mcp/server/context-listener.ts';
import { contextServer } from '../../src/mcp/server/context-server.ts';
import { publishEndpoint } from '../../src/mcp/server/endpoints.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { FakeLanguage } from '../support/fake-language.ts';
import { headlessProgram } from '../support/headless/program.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const SECRET = 'a-secret-of-the-test';
const TOKEN = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ';
const FILES = {
  'shape.ts': `export function area() {\n  return 1; // ${TOKEN}\n}\n`,
  'user.ts': 'area();\n',
  '.env': `KEY=${TOKEN}\n`,
};
const ALL = ['diagnostics', 'editor_state', 'find_symbol', 'inspect_symbol', 'pending_changes'];

describe('Belay as an MCP server of other agents', function () {
  this.timeout(60_000);
  let test: TestEngine;
  let listener: ContextListener;
  let data: string;
  const clients: Client[] = [];

  before(async () => {
    let workspace = '';
    const language = new Proxy({} as FakeLanguage, {
      get: (_, name: keyof FakeLanguage) => {
        const fake = new FakeLanguage(workspace);
        return (fake[name] as (...given: unknown[]) => unknown).bind(fake);
      },
    });
    test = await TestEngine.open({
      files: FILES,
      settings: { 'permissions.mode': 'edit' },
      host: { language, reviewed: true },
      script: inOrder(
        calls(call('read_file', { path: 'shape.ts' })),
        calls(call('edit_file', { path: 'shape.ts', old_text: 'return 1', new_text: 'return 2' })),
        say('Done.'),
      ),
    });
    ({ workspace } = test);
    data = path.join(test.folder, 'data');
    mkdirSync(path.join(test.folder, 'outside'));
    writeFileSync(path.join(test.folder, 'outside', 'other.ts'), 'export function hidden() {}\n');
    await test.run('Change it');
    const at = (name: string) => ({ file: path.join(workspace, name), name });
    const tools = contextTools(
      {
        clock: new SystemClock(),
        log: silentLog,
        settings: settingsFrom(
          () => undefined,
          () => undefined,
        ),
        disk: { files: new NodeFileSystem() },
        person: {},
        workspace: {
          roots: () => [workspace],
          environment: () => ({ system: 'Test', date: '2026-11-23', roots: [workspace] }),
          seen: () => ({
            editors: [at('user.ts'), at('.env')],
            selection: {
              ...at('user.ts'),
              path: 'user.ts',
              fromLine: 1,
              toLine: 1,
              text: 'area()',
            },
          }),
        },
      },
      test.engine,
    );
    listener = await ContextListener.open(() => contextServer(tools, '1'), SECRET);
  });
  after(async () => {
    for (const client of clients) await client.close();
    await listener.dispose();
    await test[Symbol.asyncDispose]();
  });

  async function byHttp(era: 'legacy' | 'auto'): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era } },
    );
    clients.push(client);
    const requestInit = { headers: { authorization: `Bearer ${SECRET}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url), { requestInit }));
    return client;
  }

  async function byStdio(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const args = [await headlessProgram(), '--serve-context'];
    args.push('--workspace', test.workspace, '--data', data, '--person', data);
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    return client;
  }

  async function ask(
    client: Client,
    name: string,
    given: Record<string, unknown> = {},
  ): Promise<string> {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const texts = content.map((one) => (one.type === 'text' ? one.text : one.type));
    return `${isError === true ? 'ERROR ' : ''}${texts.join('\n')}`;
  }

  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).toSorted();

  for (const era of ['legacy', 'auto'] as const)
    it(`tells over HTTP (${era}) what the person has before them, and only reads`, async () => {
      const client = await byHttp(era);
      assert.deepEqual(await names(client), ALL);
      const { tools } = await client.listTools();
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      const state = await ask(client, 'editor_state');
      assert.match(state, /- user\.ts\n[\s\S]*Selected in user\.ts, line 1:\narea\(\)/u);
      assert.doesNotMatch(state, /\.env/u);
      assert.match(
        await ask(client, 'find_symbol', { query: 'area' }),
        /shape\.ts:1 function area/u,
      );
      const references = { path: 'shape.ts', line: 1, symbol: 'area', what: 'references' };
      assert.match(await ask(client, 'inspect_symbol', references), /user\.ts/u);
      assert.match(await ask(client, 'diagnostics'), /problem|error/iu);
      assert.match(
        await ask(client, 'pending_changes'),
        /^1 change in 1 file, .*\nshape\.ts: 1 change, \+1 −1$/u,
      );
    });

  it('shows the lines of a pending change without the secrets in them', async () => {
    const shown = await ask(await byHttp('auto'), 'pending_changes', { path: 'shape.ts' });
    assert.match(
      shown,
      /@@ -2,1 \+2,1 @@ change by edit_file\n- {2}return 1; .*hidden.*\n\+ {2}return 2;/u,
    );
    assert.ok(!shown.includes(TOKEN), shown);
  });

  it('refuses what the person would be asked about, and every tool that does something', async () => {
    const client = await byHttp('auto');
    const outside = { path: path.join(test.folder, 'outside', 'other.ts') };
    assert.match(await ask(client, 'find_symbol', outside), /^ERROR find_symbol was not run/u);
    assert.match(await ask(client, 'find_symbol', { path: '.env' }), /^ERROR find_symbol was not/u);
    const edit = { path: 'user.ts', old_text: 'area', new_text: 'x' };
    assert.match(
      await ask(client, 'edit_file', edit),
      /^ERROR There is no tool named "edit_file"/u,
    );
    assert.equal(readFileSync(path.join(test.workspace, 'user.ts'), 'utf8'), FILES['user.ts']);
    assert.match(await ask(client, 'pending_changes', { path: 1 }), /^ERROR .* path is a text/u);
  });

  it('answers no one without the secret, no web page and under no other name', async () => {
    const authorization = `Bearer ${SECRET}`;
    assert.equal(await status({}), 401);
    assert.equal(await status({ authorization: `${authorization}x` }), 401);
    assert.equal(await status({ authorization, origin: 'http://127.0.0.1' }), 403);
    assert.equal(await status({ authorization, host: 'evil.test' }), 403);
    assert.equal(await status({ authorization }, '/other'), 404);
    assert.equal(await status({ authorization }), 200);
  });

  it('over stdio relays to the window that serves; without one it tells what is on record', async () => {
    const withdraw = await publishEndpoint(data, { url: listener.url, secret: SECRET });
    // What a crashed window left behind; the next one that serves removes it.
    await publishEndpoint(data, { url: 'http://127.0.0.1:9/mcp', secret: 'other' });
    const client = await byStdio();
    assert.deepEqual(await names(client), ALL);
    assert.match(await ask(client, 'editor_state'), /user\.ts/u);
    const left = async (): Promise<number> =>
      (await readdir(path.join(data, 'context-servers'))).length;
    assert.equal(await left(), 2);
    const withdrawThird = await publishEndpoint(data, { url: listener.url, secret: SECRET });
    assert.equal(await left(), 2, 'the one where nobody listens is gone');
    await withdrawThird();
    await withdraw();
    assert.equal(await left(), 0);
    assert.deepEqual(await names(client), ['pending_changes']);
    assert.match(await ask(client, 'pending_changes'), /shape\.ts: 1 change/u);
    assert.match(
      await ask(client, 'editor_state'),
      /^ERROR editor_state needs a window of VS Code that has this folder open/u,
    );
  });

  const INITIALIZE = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  });

  /** The status of a plain request, with exactly these headers. */
  async function status(headers: Record<string, string>, place = '/mcp'): Promise<number> {
    const { port } = new URL(listener.url);
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          host: '127.0.0.1',
          port,
          path: place,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on('error', reject);
      request.end(INITIALIZE);
    });
  }
});
