import assert from 'node:assert/strict';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

describe('settings of what the model is told', function () {
  this.timeout(60_000);

  const firstRequest = async (settings: Readonly<Record<string, unknown>>) => {
    await using test = await TestEngine.open({ script: () => say('Fine.'), settings });
    const { agent } = test.engine;
    const { id } = await agent.sessions.create({ model: 'claude-haiku-4-5' });
    await agent.send(id, { text: 'hello' });
    const end = await agent.runs.settled(id);
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const body = test.server.all
      .map((request) => request.body)
      .find(({ tools }) => tools !== undefined);
    assert.ok(body);
    const blocks = body.system as readonly { readonly text: string }[];
    const system = blocks.map(({ text }) => text);
    return { body: body as unknown as Readonly<Record<string, unknown>>, system };
  };

  it('E12, E13: by default nothing is sent, and the instructions are Belay’s', async () => {
    const { body, system } = await firstRequest({});
    assert.ok(!('temperature' in body) && !('top_p' in body));
    assert.match(system[0] ?? '', /^You are Belay/);
  });

  it('E12: the temperature that is set', async () => {
    const { body } = await firstRequest({ 'model.temperature': 0 });
    assert.equal(body['temperature'], 0);
  });

  it('E13: the system prompt is replaced and added to', async () => {
    const { system } = await firstRequest({
      'systemPrompt.replace': ' You are a pirate. ',
      'systemPrompt.add': 'Say arr.',
    });
    assert.equal(system[0], 'You are a pirate.');
    assert.match(system[1] ?? '', /^Mode: .*\n\nThe person wants of you:\nSay arr\./s);
  });
});
