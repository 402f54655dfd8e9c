import assert from 'node:assert/strict';
import { textOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);

describe('stories of sessions that go on after a stop', function () {
  this.timeout(60_000);

  it('D2: after a message that is too long for the model a shorter one is answered', async () => {
    const settings = { 'model.contextLimit': 10_000 };
    const test = await TestEngine.open({ script: () => say('Short enough.'), settings });
    const { end, sessionId } = await test.run('word '.repeat(12_000));
    assert.equal(end?.reason, 'context_limit');
    assert.equal(bodies(test).length, 0);
    await test.engine.agent.send(sessionId, { text: 'Forget that. Hello?' });
    const second = await test.engine.agent.settled(sessionId);
    assert.equal(second?.reason, 'done', JSON.stringify(second));
    assert.match(JSON.stringify(bodies(test).at(-1)?.messages), /Forget that\. Hello\?/u);
    assert.equal(
      textOf(
        (await test.messages(sessionId)).find(({ origin }) => origin === 'person') ?? { parts: [] },
      ).length,
      60_000,
      'what the person wrote is kept',
    );
    await test.close();
    await using again = await TestEngine.open({
      script: () => say('Still here.'),
      settings,
      after: test,
    });
    await again.engine.agent.send(sessionId, { text: 'And after a restart?' });
    assert.equal((await again.engine.agent.settled(sessionId))?.reason, 'done');
    assert.deepEqual(again.ofType('agent.compaction.run'), [], 'it stays shortened');
  });

  it('D2: the same in the middle of a session', async () => {
    await using test = await TestEngine.open({
      script: () => say('Short enough.'),
      settings: { 'model.contextLimit': 10_000 },
    });
    const { sessionId } = await test.run('Hello.');
    const send = async (text: string): Promise<string | undefined> => {
      await test.engine.agent.send(sessionId, { text });
      return (await test.engine.agent.settled(sessionId))?.reason;
    };
    assert.equal(await send('word '.repeat(12_000)), 'context_limit');
    assert.equal(await send('Forget that. Hello?'), 'done');
    assert.match(JSON.stringify(bodies(test).at(-1)?.messages), /Forget that\. Hello\?/u);
  });

  it('h01 D4: a countdown is canceled at once, and the session goes on', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        fail(429, 'rate_limit_error', 'slow down', { headers: { 'retry-after': '60' } }),
        say('Here.'),
      ),
    });
    const sessionId = await test.start('Hello.');
    const waiting = await test.event('model.waiting');
    assert.ok(waiting.until - waiting.at > 50_000);
    assert.match(waiting.reason, /rate limit/iu);
    test.engine.agent.cancel(sessionId);
    assert.equal((await test.engine.agent.settled(sessionId))?.reason, 'canceled');
    assert.equal(bodies(test).length, 1);
    await test.engine.agent.send(sessionId, { text: 'Again.' });
    assert.equal((await test.engine.agent.settled(sessionId))?.reason, 'done');
  });

  it('c01 to c09: a model that never does anything right ends the run in bounded time', async () => {
    await using test = await TestEngine.open({
      script: (_request, n) =>
        [
          calls(call('write_file', '{"path":')),
          calls(call('no_such_tool', {})),
          say('', { stopReason: 'tool_use' }),
          { content: [] },
        ][n % 4] ?? {},
      settings: { 'loop.maxIterations': 20 },
    });
    test.human.answer = () => Promise.resolve('Go on.');
    const { end, sessionId } = await test.run('Do it.');
    assert.ok(end !== undefined && end.reason !== 'done');
    assert.ok(end.failure?.message.endsWith('.'), end.failure?.message);
    assert.ok(bodies(test).length <= 45, `${bodies(test).length}`);
    test.server.use(() => say('Now I can.'));
    await test.engine.agent.send(sessionId, { text: 'Try again.' });
    assert.equal((await test.engine.agent.settled(sessionId))?.reason, 'done');
  });
});
