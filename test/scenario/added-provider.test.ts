import assert from 'node:assert/strict';
import { defaultInstance } from '../../src/providers/anthropic/instance.ts';
import { textOf } from '../../src/domain/message.ts';
import { environmentKeyOf } from '../../src/providers/environment-keys.ts';
import { chatSay, startChatServer } from '../support/chat-server/chat-server.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

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

  it('removed, its name is nobody else’s: nothing is sent, and it is said', async () => {
    await using test = await TestEngine.open({
      script: () => say('not asked'),
      host: { instances: [defaultInstance(() => '')] },
    });
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'my-box/gpt-x' });
    await agent.send(id, { text: 'hello' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.failure?.code, 'model_not_found');
    assert.match(end?.failure?.message ?? '', /no provider “my-box”.*Nothing was sent/);
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
});
