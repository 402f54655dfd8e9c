import assert from 'node:assert/strict';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
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
    const second = await test.engine.agent.runs.settled(sessionId);
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
    assert.equal((await again.engine.agent.runs.settled(sessionId))?.reason, 'done');
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
      return (await test.engine.agent.runs.settled(sessionId))?.reason;
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
    test.engine.agent.runs.cancel(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'canceled');
    assert.equal(bodies(test).length, 1);
    await test.engine.agent.send(sessionId, { text: 'Again.' });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
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
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
  });

  it('D4: stopped while it waits to try again, the trace says what it waited for, and Continue goes on', async () => {
    await using test = await TestEngine.open({
      script: inOrder(fail(529, 'overloaded_error', 'busy'), say('Here after all.')),
      settings: { 'advanced.modelRetryDelaySeconds': 60 },
    });
    const sessionId = await test.start('Hello?');
    await test.event('model.waiting');
    test.engine.agent.runs.cancel(sessionId);
    const end = await test.engine.agent.runs.settled(sessionId);
    assert.deepEqual([end?.reason, end?.canContinue], ['canceled', true]);
    assert.partialDeepStrictEqual((await test.messages(sessionId)).at(-1)?.parts, [
      {
        type: 'finish',
        reason: 'canceled',
        detail: 'It waited to try again: The model is overloaded (HTTP 529).',
      },
    ]);
    await test.engine.agent.continueRun(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    const sent = bodies(test).at(-1)?.messages ?? [];
    assert.ok(
      sent.every(({ role }) => role === 'user'),
      'nothing empty was sent',
    );
  });

  it('B9: the wait before the next attempt can be ended by the person', async () => {
    await using test = await TestEngine.open({
      script: inOrder(fail(529, 'overloaded_error', 'busy'), say('Here.')),
      settings: { 'advanced.modelRetryDelaySeconds': 60 },
    });
    const sessionId = await test.start('Hello?');
    assert.equal(test.engine.agent.runs.retryNow('another session'), false);
    await test.event('model.waiting');
    assert.equal(test.engine.agent.runs.retryNow(sessionId), true);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.equal(test.engine.agent.runs.retryNow(sessionId), false, 'nothing waits any more');
    assert.equal(test.server.requests.length, 2);
    const [first, second] = test.ofType('model.waiting');
    assert.ok((second?.until ?? Infinity) < (first?.until ?? 0), 'the countdown is at its end');
  });

  it('E6: what was written before the stream broke stays in sight, and is kept when no other attempt gets through', async () => {
    const test = await TestEngine.open({
      script: inOrder(
        say('The beginning of an answer. '.repeat(20), {
          cut: { how: 'reset', at: { events: 12 } },
        }),
        fail(503, 'api_error', 'gone'),
      ),
      settings: { 'advanced.modelRetryDelaySeconds': 0.01, 'advanced.modelRetries': 1 },
    });
    await using _ = test;
    const { end, sessionId } = await test.run('Write.');
    assert.equal(end?.reason, 'failure');
    assert.match(end?.failure?.message ?? '', /broke off while it was written\. Then:/u);
    assert.deepEqual(test.ofType('message.discarded'), [], 'it was never taken from the screen');
    const last = (await test.messages(sessionId)).at(-1);
    assert.match(textOf(last ?? { parts: [] }), /^The beginning/u);
    assert.partialDeepStrictEqual(last?.parts.at(-1), {
      type: 'finish',
      reason: 'failed',
      detail: end?.failure?.message,
    });
  });

  it('E6: what broke off makes way when the next attempt has something to show', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        say('The beginning of an answer. '.repeat(20), {
          cut: { how: 'reset', at: { events: 12 } },
        }),
        say('Whole.'),
      ),
      settings: { 'advanced.modelRetryDelaySeconds': 0.01 },
    });
    const { sessionId } = await test.run('Write.');
    assert.equal(textOf((await test.messages(sessionId)).at(-1) ?? { parts: [] }), 'Whole.');
    const order = test.events
      .map(({ type }) => type)
      .filter((type) => /^(?:message\.(?:discarded|started)|model\.waiting)$/u.test(type));
    assert.deepEqual(order, [
      'message.started',
      'model.waiting',
      'message.discarded',
      'message.started',
    ]);
  });

  it('B15: a stop during tools is the finish reason of the answer that called them, also on disk', async () => {
    const first = await TestEngine.open({
      script: inOrder(
        calls(call('run_command', { command: 'sleep 30' }), call('read_file', { path: 'a.txt' })),
        say('Gone on.'),
      ),
      files: { 'a.txt': 'a\n' },
    });
    const sessionId = await first.start('Go.');
    await first.event('tool.started');
    first.engine.agent.runs.cancel(sessionId);
    await first.engine.agent.runs.settled(sessionId);
    await first.close();
    await using test = await TestEngine.open({ script: () => say('Gone on.'), after: first });
    const answer = (await test.messages(sessionId)).findLast(({ role }) => role === 'assistant');
    assert.deepEqual(answer?.parts.at(-1), { type: 'finish', reason: 'canceled' });
    await test.engine.agent.send(sessionId, { text: 'Go on.' });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
  });

  it('B4: a denial is the finish reason of the answer whose call was denied; what follows is canceled', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', { command: 'touch one' }),
          call('run_command', { command: 'touch two' }),
        ),
        say('I see.'),
      ),
      settings: { 'permissions.mode': 'ask' },
    });
    test.human.decide = async () => Promise.resolve({ allowed: false });
    const { end, sessionId } = await test.run('Go.');
    assert.equal(end?.reason, 'done', 'the model answers to the denial');
    const messages = await test.messages(sessionId);
    const answers = messages.filter(({ role }) => role === 'assistant');
    assert.deepEqual(
      answers.map(({ parts }) => parts.at(-1)),
      [
        { type: 'finish', reason: 'permission_denied' },
        { type: 'finish', reason: 'end_turn' },
      ],
    );
    assert.deepEqual(
      messages.flatMap(toolResultsOf).map(({ state }) => state),
      ['denied', 'canceled'],
    );
  });
});
