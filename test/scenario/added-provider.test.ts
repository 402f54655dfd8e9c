import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { textOf } from '../../src/domain/message.ts';
import { checkInstance } from '../../src/providers/check-instance.ts';
import { environmentKeyOf } from '../../src/providers/environment-keys.ts';
import { readInstances } from '../../src/providers/instances-setting.ts';
import type { ProviderInstance } from '../../src/providers/instance.ts';
import { chatSay, startChatServer } from '../support/chat-server/chat-server.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

const only = (id: string, entry: object): ProviderInstance => {
  const [instance] = readInstances({ [id]: entry }).instances;
  assert.ok(instance);
  return instance;
};

describe('a provider of the setting model.providers', function () {
  this.timeout(60_000);

  it('its models stand in the list, answer with its own key, and a change of the setting counts at once', async () => {
    const server = await startChatServer({ script: () => chatSay('From the box.') });
    const providers: Record<string, unknown> = {};
    await using test = await TestEngine.open({
      script: () => say('not asked'),
      settings: { 'model.providers': providers },
      host: {
        keyOf: async (instance) =>
          Promise.resolve(environmentKeyOf(instance, { BELAY_KEY_MY_BOX: ' secret-of-box ' })),
      },
    });
    const listed = () => test.engine.catalog.models.map(({ id }) => id);
    assert.ok(!listed().some((id) => id.startsWith('my-box/')));
    providers['my-box'] = {
      wire: 'chat',
      baseUrl: server.url,
      name: 'My Box',
      models: [{ id: 'gpt-x', contextWindow: 64_000 }],
    };
    assert.deepEqual(
      listed().filter((id) => id.startsWith('my-box/')),
      ['my-box/gpt-x'],
    );
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'my-box/gpt-x' });
    await agent.send(id, { text: 'hello' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const answer = (await test.messages(id)).at(-1);
    assert.equal(textOf(answer ?? { parts: [] }), 'From the box.');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer secret-of-box');
    assert.equal(server.requests[0]?.body.model, 'gpt-x');
    assert.equal(test.server.all.length, 0, 'nothing went to the default provider');
    // Its key is a secret in everything that the model reads.
    await agent.send(id, { text: 'I found secret-of-box in a file.' });
    await agent.runs.settled(id);
    const last = JSON.stringify(server.requests.at(-1)?.body.messages.at(-1));
    assert.match(last, /I found \[secret hidden by Belay\] in a file/);
    await server.close();
  });

  it('without its key nothing is sent, and the sentence names it', async () => {
    const server = await startChatServer({ script: () => chatSay('not asked') });
    await using test = await TestEngine.open({
      script: () => say('not asked'),
      settings: {
        'model.providers': {
          box: { wire: 'chat', baseUrl: server.url, name: 'My Box', models: ['m'] },
        },
      },
    });
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'box/m' });
    await agent.send(id, { text: 'hello' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.failure?.code, 'auth');
    assert.match(end?.failure?.message ?? '', /no API key for My Box \(127\.0\.0\.1:\d+\)/);
    assert.equal(server.requests.length, 0);
    await server.close();
  });

  it('the check says in one sentence what a server shows of the key', async () => {
    const answers = { open: false };
    const server = createServer((request, response) => {
      const good = answers.open || request.headers.authorization === 'Bearer good-key';
      response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(good ? { data: [{ id: 'a' }, { id: 'b' }] } : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const wire of ['chat', 'messages'] as const) {
      const instance = only('box', { wire, baseUrl, name: 'Box' });
      const check = async (key?: string) =>
        checkInstance(instance, key, { signal: AbortSignal.timeout(10_000) });
      answers.open = false;
      const works = await check('good-key');
      assert.equal(works.state, 'works');
      assert.match(works.said, /^Box \(127.*\) accepts the key and lists 2 models\.$/);
      assert.deepEqual(
        works.models.map(({ id }) => id),
        ['a', 'b'],
      );
      assert.deepEqual((await check('bad-key-1')).state, 'refused');
      assert.match((await check('bad-key-1')).said, /refuses the key \(HTTP 401\)/);
      assert.match((await check()).said, /wants a key/);
      answers.open = true;
      assert.equal((await check('bad-key-1')).state, 'unclear');
      assert.equal((await check()).state, 'works');
    }
    await new Promise((resolve) => server.close(resolve));
    const gone = only('box', { wire: 'chat', baseUrl });
    const { state, said } = await checkInstance(gone, undefined, {
      signal: AbortSignal.timeout(10_000),
    });
    assert.equal(state, 'unreachable');
    assert.match(said, /cannot be reached/);
  });
});
