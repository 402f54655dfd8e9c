import assert from 'node:assert/strict';
import { inEnglish } from '../../src/domain/text/told.ts';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { textOf } from '../../src/domain/message.ts';
import { settingsFrom } from '../../src/domain/settings/read-settings.ts';
import { FoundModels, serverOrigins } from '../../src/providers/found/found-models.ts';
import { chatSay, startChatServer } from '../support/chat-server/chat-server.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { FakeEditorModels } from '../support/fake-editor-models.ts';
import { say } from '../support/model-server/turn.ts';

/** Enough on a machine that is busy with other tests; the product's limit has a test of its own. */
const waitMs = 20_000;

const OLLAMA = {
  '/api/tags': { models: [{ name: 'qwen:latest' }, { name: 'small:1b' }] },
  '/api/ps': { models: [{ name: 'small:1b', model: 'small:1b', context_length: 4096 }] },
  '/api/show': {
    capabilities: ['completion', 'tools', 'vision'],
    parameters: 'stop "<end>"\nnum_ctx                        16384',
    model_info: { 'qwen.context_length': 262_144 },
  },
};
const LM_STUDIO = {
  '/api/v0/models': {
    data: [
      { id: 'embed', type: 'embeddings', state: 'loaded', max_context_length: 2048 },
      { id: 'idle', type: 'llm', state: 'not-loaded', max_context_length: 131_072 },
      {
        id: 'eyes',
        type: 'vlm',
        state: 'loaded',
        max_context_length: 131_072,
        loaded_context_length: 8192,
      },
    ],
  },
};
const LLAMA = {
  '/props': { default_generation_settings: { n_ctx: 12_288 }, modalities: { vision: false } },
  '/v1/models': { data: [{ id: '/models/gemma.gguf', meta: { n_ctx_train: 131_072 } }] },
};

/** A host without a key, whose settings can change. */
const keyless = (found: FoundModels, settings: Readonly<Record<string, unknown>> = {}) => ({
  found,
  apiKey: () => Promise.resolve(undefined),
  settings: settingsFrom(
    (key) => settings[key],
    ({ message }) => {
      throw new Error(inEnglish(message));
    },
  ),
});

describe('models that are there without a setting', function () {
  this.timeout(60_000);
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  });
  const serve = async (pages: Readonly<Record<string, unknown>>, answer = 'From this machine.') => {
    const server = await startChatServer({ script: () => chatSay(answer), pages, strict: false });
    stops.push(() => server.close());
    return server;
  };
  const strange = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const windowsOf = (found: FoundModels): readonly unknown[] =>
    found.instances.flatMap(({ id, listed = [] }) =>
      listed.map((model) => [id, model.id, model.contextWindow, model.vision]),
    );

  it('local servers are found with the windows that their models really have', async () => {
    const [ollama, lmstudio, llamacpp] = await Promise.all(
      [OLLAMA, LM_STUDIO, LLAMA].map((pages) => serve(pages)),
    );
    const found = new FoundModels({
      waitMs,
      origins: {
        ollama: ollama?.origin ?? '',
        lmstudio: lmstudio?.origin ?? '',
        llamacpp: llamacpp?.origin ?? '',
      },
    });
    assert.deepEqual(windowsOf(found), [], 'nothing is asked before the first look');
    await found.look();
    assert.deepEqual(windowsOf(found), [
      ['ollama', 'qwen:latest', 16_384, true],
      ['ollama', 'small:1b', 4096, true],
      ['lmstudio', 'eyes', 8192, true],
      ['lmstudio', 'idle', 32_768, false],
      ['llamacpp', '/models/gemma.gguf', 12_288, false],
    ]);
  });

  it('another program at the port is no such server, and one that never answers costs the limit', async () => {
    const thief = await serve(OLLAMA);
    const origins = {
      ollama: await strange((response) =>
        response.writeHead(302, { location: `${thief.origin}/api/tags` }).end(),
      ),
      lmstudio: await strange((response) => response.end('<html>hello</html>')),
      llamacpp: await strange(() => undefined),
    };
    const found = new FoundModels({ origins });
    await found.look();
    assert.deepEqual(windowsOf(found), []);
    assert.deepEqual(
      [...new Set(found.instances.map(({ id }) => id))],
      ['ollama', 'lmstudio', 'llamacpp'],
    );
    assert.equal(
      serverOrigins({ BELAY_LOCAL_SERVERS: '{"ollama":"http://evil.example:1"}' })?.['ollama'],
      undefined,
    );
    assert.equal(serverOrigins({}), undefined);
  });

  it('a look does not wait for a server that is slow; what it tells later counts', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const origin = await strange((response) => asked.resolve(response));
    let questions = 0;
    const send: typeof fetch = async (...given) => {
      questions += 1;
      return fetch(...given);
    };
    // A look is none that comes within two seconds of the last one.
    let now = 0;
    const clock = mock.method(performance, 'now', () => now);
    const found = new FoundModels({ origins: { lmstudio: origin }, waitMs: 1, fetch: send });
    const told = Promise.withResolvers<void>();
    found.onChange(() => told.resolve());
    await found.look();
    assert.deepEqual(windowsOf(found), []);
    const response = await asked.promise;
    now += 60_000;
    await found.look();
    clock.mock.restore();
    assert.equal(questions, 1, 'it is not asked again while it thinks');
    response.end(JSON.stringify(LM_STUDIO['/api/v0/models']));
    await told.promise;
    assert.equal(windowsOf(found).length, 2);
  });

  it('the first choice: a key, then the editor, then this machine, then the demo; the person’s word wins', async () => {
    const ollama = await serve(OLLAMA);
    const editor = new FakeEditorModels();
    editor.offer([]);
    const found = new FoundModels({ editor, waitMs, origins: { ollama: ollama.origin } });
    const settings: Record<string, unknown> = {};
    await using test = await TestEngine.open({
      script: () => say(''),
      host: keyless(found, settings),
    });
    const { engine } = test;
    assert.equal(engine.modelFor(false), 'demo');
    await found.look();
    assert.equal(engine.modelFor(false), 'ollama/qwen:latest');
    const { id } = await engine.agent.sessions.create({ model: engine.modelFor(false) });
    const told = Promise.withResolvers<void>();
    const listening = found.onChange(() => told.resolve());
    editor.offer(['sample/plain', 'sample/helpful']);
    await told.promise;
    listening.dispose();
    // One that calls tools comes before one that does not.
    assert.equal(engine.modelFor(false), 'editor/sample/helpful');
    assert.equal(
      engine.agent.sessions.optionsOf(id).model,
      'ollama/qwen:latest',
      'a session keeps its model',
    );
    const info = engine.catalog.lookup('editor/sample/helpful');
    assert.deepEqual(
      [info.contextWindow, info.thinking, info.prices, info.provider],
      [60_000, false, undefined, 'editor'],
    );
    assert.match(engine.modelFor(true), /^claude/u);
    settings['model.name'] = 'demo';
    assert.equal(engine.modelFor(true), 'demo');
  });

  it('a session without a chosen model keeps the one it began with', async () => {
    const editor = new FakeEditorModels();
    const found = new FoundModels({ editor, origins: {} });
    await using test = await TestEngine.open({
      script: () => say(''),
      host: keyless(found),
    });
    const { agent } = test.engine;
    await found.look();
    test.engine.modelFor(false);
    const { id } = await agent.sessions.create();
    await agent.send(id, { text: 'Hello' });
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    const told = Promise.withResolvers<void>();
    found.onChange(() => told.resolve());
    editor.offer(['sample/slow']);
    await told.promise;
    assert.equal(test.engine.modelFor(false), 'editor/sample/slow');
    assert.equal(agent.sessions.optionsOf(id).model, 'editor/sample/helpful');
    // It is gone: that is said, and nobody answers in its place.
    await agent.send(id, { text: 'Still there?' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.failure?.code, 'model_not_found');
    assert.match(end.failure.message, /VS Code no longer has sample\/helpful/u);
  });

  it('the editor’s model works in a session, tools included, without a key', async () => {
    const editor = new FakeEditorModels();
    const found = new FoundModels({ editor, origins: {} });
    await using test = await TestEngine.open({ script: () => say(''), host: { found } });
    await found.look();
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'editor/sample/helpful' });
    await agent.send(id, { text: 'call list_files {"path":"."}' });
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    const messages = await test.messages(id);
    assert.match(textOf(messages.at(-1) ?? { parts: [] }), /^The tool gave: /u);
    assert.equal(messages.at(-1)?.model, 'editor/sample/helpful');
    assert.equal(test.server.all.length, 0);
  });

  it('a local server is used, and when it goes in the middle of a run that is said by its name; a chain goes on', async () => {
    const ollama = await serve(OLLAMA);
    const found = new FoundModels({ waitMs, origins: { ollama: ollama.origin } });
    const settings: Record<string, unknown> = {
      'permissions.mode': 'auto',
      'advanced.modelRetryDelaySeconds': 0.01,
      'advanced.modelRetries': 1,
    };
    await using test = await TestEngine.open({
      script: () => say(''),
      host: keyless(found, settings),
    });
    await found.look();
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'ollama/qwen:latest' });
    await agent.send(id, { text: 'Hello' });
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    assert.equal(ollama.requests.at(-1)?.body.model, 'qwen:latest');
    assert.equal(ollama.requests.at(-1)?.headers.authorization, undefined);
    ollama.use(() => {
      void stops.splice(0).map((stop) => stop());
      return { chunks: [{ choices: [{ delta: { content: 'Half' } }] }], end: 'reset' };
    });
    await agent.send(id, { text: 'Again' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.failure?.code, 'network', JSON.stringify(end));
    assert.match(end.failure.message, /Ollama.*127\.0\.0\.1:\d+.*cannot be reached.*kept/u);
    settings['model.fallbacks'] = ['demo'];
    await agent.send(id, { text: 'help' });
    assert.equal((await agent.runs.settled(id))?.reason, 'done');
    assert.equal((await test.messages(id)).at(-1)?.model, 'demo');
  });

  it('Ollama: an answer to a conversation that it has cut is not taken, and its real window is learned', async () => {
    const pages = { ...OLLAMA, '/api/ps': { models: [] as object[] } };
    const ollama = await serve(pages);
    const found = new FoundModels({ waitMs, origins: { ollama: ollama.origin } });
    await using test = await TestEngine.open({ script: () => say(''), host: { found } });
    await found.look();
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'ollama/qwen:latest' });
    pages['/api/ps'].models.push({ name: 'qwen:latest', context_length: 1000 });
    await agent.send(id, { text: 'Hello' });
    const end = await agent.runs.settled(id);
    assert.match(
      JSON.stringify(end),
      /context window of 1,000 tokens, and has answered without the beginning/u,
    );
    assert.equal(test.engine.catalog.lookup('ollama/qwen:latest').contextWindow, 1000);
  });

  it('a server that the person has set up is offered once, as theirs', async () => {
    const ollama = await serve(OLLAMA);
    const found = new FoundModels({ waitMs, origins: { ollama: ollama.origin } });
    const baseUrl = ollama.url.replace('127.0.0.1', 'localhost');
    await using test = await TestEngine.open({
      script: () => say(''),
      settings: {
        'model.providers': { mine: { preset: 'ollama', baseUrl, models: ['qwen:latest'] } },
      },
      host: { found },
    });
    await found.look();
    const offered = test.engine.catalog.models.map(({ id }) => id);
    assert.deepEqual(
      offered.filter((one) => /qwen|small/u.test(one)),
      ['mine/qwen:latest'],
    );
    assert.equal(test.engine.names.addressOf('ollama/small:1b').instance.id, 'ollama');
  });
});
