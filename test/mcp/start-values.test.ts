import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { credentialMemory } from '../../src/mcp/auth/credential-book.ts';
import { inputBook } from '../../src/mcp/config/input-book.ts';
import type { ServerInput } from '../../src/mcp/config/server-inputs.ts';
import { serverFiles, serversOfFile } from '../../src/mcp/config/server-files.ts';
import { Harness, contextOf, root, textOf, wicked } from './support/harness.ts';
import { WebServer } from './support/web-server.ts';

/** The environment of the server that a harness runs. */
const environmentOf = async (harness: Harness): Promise<Record<string, string>> =>
  JSON.parse(textOf(await harness.call('environment', { values: true }))) as Record<string, string>;

const SECRET = 'hX7-pq9-ZZ1-k3v';

describe('MCP: what a server gets at its start', function () {
  this.timeout(30_000);
  const asked: [ServerInput, string][] = [];
  let answer: (input: ServerInput) => Promise<string | undefined>;
  const secrets: string[] = [];
  let harness: Harness;
  let storage: ReturnType<typeof credentialMemory>;

  const start = (): Harness =>
    new Harness({
      inputs: inputBook(storage, async (input, server) => {
        asked.push([input, server]);
        return answer(input);
      }),
      support: { onSecret: (value) => secrets.push(value) },
    });

  beforeEach(() => {
    asked.length = 0;
    secrets.length = 0;
    answer = async ({ id }) => `typed ${id}`;
    storage = credentialMemory();
    harness = start();
  });
  afterEach(() => harness.hub.dispose());

  const needy = (): JsonObject => ({
    ...wicked('good'),
    env: { PIN: '${input:pin}', NAME: '${input:name}-${input:pin}' },
    inputs: [{ id: 'name', description: 'Your name' }],
  });

  it('values are asked for when the person starts it, kept, and not asked for again', async () => {
    harness.configure({ a: needy() });
    await harness.hub.tools();
    assert.equal(harness.state('a'), 'failed');
    assert.match(harness.reason('a'), /needs a value from you: “pin”\. Restart it to type it/u);
    assert.equal(asked.length, 0, 'nobody is asked without having begun it');
    await harness.hub.connect('a');
    const { PIN, NAME } = await environmentOf(harness);
    assert.deepEqual([PIN, NAME], ['typed pin', 'typed name-typed pin']);
    assert.deepEqual(
      asked.map(([{ id, password }, server]) => [id, password, server]),
      [
        ['pin', true, 'a'],
        ['name', false, 'a'],
      ],
    );
    assert.deepEqual(secrets, ['typed pin']);
    await harness.hub.dispose();
    harness = start();
    harness.configure({ a: needy() });
    assert.equal((await environmentOf(harness))['PIN'], 'typed pin');
    assert.equal(asked.length, 2);
    await harness.hub.signOut('a');
    await harness.hub.restart('a');
    assert.equal(asked.length, 4, 'forgotten with the sign-in');
  });

  it('a person who gives no value has one clear state, and others go on', async () => {
    answer = async () => undefined;
    harness.configure({ a: needy(), b: wicked('good') });
    await harness.hub.tools();
    await harness.hub.connect('a');
    assert.match(harness.reason('a'), /needs a value from you/u);
    assert.equal(harness.state('b'), 'ready');
  });

  it('a question that nobody answers holds neither a stop nor the end up', async () => {
    answer = async () => new Promise(() => undefined);
    harness.configure({ a: needy() });
    await harness.hub.tools();
    const connecting = harness.hub.connect('a');
    await harness.until(() => asked.length === 1, 'asked');
    await harness.hub.stop('a');
    await connecting;
    assert.equal(harness.state('a'), 'stopped');
  });

  it('security: what was typed for one server goes to no other, nor to a changed one of a workspace', async () => {
    const definition = needy();
    harness.configure({ a: definition, b: definition });
    await harness.hub.connect('a');
    assert.equal(harness.state('a'), 'ready');
    await harness.hub.connect('b');
    assert.deepEqual(new Set(asked.map(([, server]) => server)), new Set(['a', 'b']));
    asked.length = 0;
    harness.configure({ w: definition }, 'workspace');
    await harness.hub.connect('w');
    assert.equal(asked.length, 2);
    harness.configure(
      { w: { ...definition, args: [...(definition['args'] as string[]), 'x'] } },
      'workspace',
    );
    await harness.hub.connect('w');
    assert.equal(asked.length, 4, 'another definition');
  });

  it('an address is judged when its value is known', async () => {
    const web = new WebServer();
    const url = new URL(await web.listen());
    answer = async () => (asked.length === 1 ? 'file:///x' : url.host);
    const definition = { url: '${input:scheme}', inputs: [{ id: 'scheme' }] };
    harness.configure({ a: definition });
    await harness.hub.connect('a');
    assert.match(harness.reason('a'), /`url` with file:/u);
    harness.configure({
      b: { url: 'http://${input:host}/mcp', headers: { 'X-Key': '${input:host}' } },
    });
    await harness.hub.connect('b');
    assert.equal(harness.state('b'), 'ready');
    assert.equal(web.headers[0]?.['x-key'], url.host);
    await web.close();
  });

  it('the variables of `envFile` are read at each start and masked; those of `env` win', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-mcp-'));
    const envFile = path.join(folder, '.env');
    try {
      harness.configure({ a: { ...wicked('good'), envFile, env: { TWO: 'own' } } });
      await harness.hub.tools();
      assert.match(harness.reason('a'), /`envFile` does not exist/u);
      await writeFile(
        envFile,
        `# comment\nexport ONE="a b"\nTWO=file\nMODE=production\nX=${SECRET}\n`,
      );
      await harness.hub.connect('a');
      const { ONE, TWO } = await environmentOf(harness);
      assert.deepEqual([ONE, TWO], ['a b', 'own']);
      assert.deepEqual(secrets, [SECRET], 'words are none');
      await assert.rejects(harness.call('crash', { text: `no ${SECRET} in production` }));
      const said = /no \[secret hidden by Belay\] in production/u;
      assert.match(harness.log('a'), said);
      assert.match(harness.reason('a'), said);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('variables and headers that are secret by their names are masked, too', async () => {
    const web = new WebServer();
    harness.configure({
      a: { ...wicked('good'), env: { API_TOKEN: SECRET, EDITOR: 'some-editor-1' } },
      b: {
        url: await web.listen(),
        headers: { Authorization: 'Bearer 9f8e7d6c5b', 'X-Trace': 'trace-12345' },
      },
    });
    await harness.hub.tools();
    assert.deepEqual(secrets.toSorted(), ['9f8e7d6c5b', SECRET]);
    await web.close();
  });

  it('files of other clients: an edit starts what changed and leaves the other process alone', async () => {
    const [copilot, code, claude] = serverFiles('/home/me', [root]);
    assert.ok(copilot && code && claude);
    assert.deepEqual(
      [copilot, code, claude].map(({ label, origin }) => [label, origin]),
      [
        ['~/.copilot/mcp-config.json', 'user'],
        ['.vscode/mcp.json', 'workspace'],
        ['.mcp.json', 'workspace'],
      ],
    );
    const sources = (mode: string) => [
      serversOfFile(
        copilot,
        JSON.stringify({
          mcpServers: { same: { type: 'local', ...wicked('good'), tools: ['*'] } },
        }),
      ),
      serversOfFile(code, JSON.stringify({ servers: { changing: wicked(mode) } })),
      serversOfFile(claude, '{ "mcpServers": { "a": '),
    ];
    const pidOf = async (server: string): Promise<number> => {
      const tool = await harness.tool('process', server);
      return (JSON.parse(textOf(await tool.run({}, contextOf()))) as { pid: number }).pid;
    };
    harness.hub.reconfigure(sources('good'));
    const before = [await pidOf('same'), await pidOf('changing')];
    assert.deepEqual(
      harness.hub.servers().map(({ name, state, place }) => [name, state, place]),
      [
        ['.mcp.json', 'failed', '.mcp.json'],
        ['changing', 'ready', '.vscode/mcp.json'],
        ['same', 'ready', '~/.copilot/mcp-config.json'],
      ],
    );
    assert.match(harness.reason('.mcp.json'), /^\.mcp\.json is not valid JSON \(\w+, line 1\)/u);
    harness.hub.reconfigure(sources('chatty'));
    const after = [await pidOf('same'), await pidOf('changing')];
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
  });
});
