import assert from 'node:assert/strict';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { until } from '../support/background/window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

const lastText = (request: WireRequest | undefined): string =>
  JSON.stringify(request?.messages.at(-1)?.content ?? '');

describe('stories of lanes', () => {
  it('C7: messages sent while a run is on are answered one after the other, in order', async () => {
    await using test = await TestEngine.open({
      script: inOrder(say('one', { gapMs: 60 }), say('two'), say('three')),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('first');
    const second = await agent.send(sessionId, { text: 'second' });
    await agent.send(sessionId, { text: 'third' });
    assert.notEqual(second.queuedId, undefined);
    assert.deepEqual(
      agent.queue.list(sessionId).map((queued) => queued.text),
      ['second', 'third'],
    );
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    const texts = (await test.messages(sessionId))
      .filter((message) => message.origin !== 'environment')
      .map(textOf);
    assert.deepEqual(texts, ['first', 'one', 'second', 'two', 'third', 'three']);
    assert.deepEqual(await test.engine.store.runs.queued(sessionId), []);
  });

  it('a session that is set aside is stopped, and what is queued waits until it is brought back', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        lastText(request).includes('first')
          ? say('x'.repeat(4000), { gapMs: 50, deltaSize: 10 })
          : say('ok'),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('first');
    await test.event('message.delta');
    await agent.send(sessionId, { text: 'second' });
    await agent.removal.setAside(sessionId);
    assert.equal(agent.runs.isBusy(sessionId), false);
    assert.deepEqual(
      agent.queue.list(sessionId).map(({ text }) => text),
      ['second'],
    );
    agent.removal.bringBack(sessionId);
    await agent.send(sessionId, { text: 'third' });
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    const asked = (await test.messages(sessionId)).filter(({ origin }) => origin === 'person');
    assert.deepEqual(asked.map(textOf), ['first', 'second', 'third']);
  });

  it('C7: steering goes in at the next safe boundary of the same run', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('run_command', { command: 'sleep 0.4' })), say('noted')),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('go');
    await test.event('tool.started');
    await agent.send(sessionId, { text: 'mind the gap', how: 'steer' });
    await agent.runs.settled(sessionId);
    assert.equal(test.server.requests.length, 2);
    assert.match(lastText(test.server.requests[1]?.body), /mind the gap/u);
    assert.equal(test.ofType('agent_run.started').length, 1);
  });

  it('C7: stop and send stops the run and sends at once, before what is queued', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        lastText(request).includes('first')
          ? say('x'.repeat(4000), { gapMs: 50, deltaSize: 10 })
          : say('ok'),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('first');
    await test.event('message.delta');
    await agent.send(sessionId, { text: 'later' });
    await agent.send(sessionId, { text: 'now', how: 'stop_and_send' });
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    const asked = (await test.messages(sessionId))
      .filter((message) => message.origin === 'person')
      .map(textOf);
    assert.deepEqual(asked, ['first', 'now', 'later']);
  });

  it('C7: sessions run side by side', async () => {
    await using test = await TestEngine.open({
      script: () => calls(call('run_command', { command: 'sleep 0.3' })),
      settings: { 'loop.maxIterations': 1 },
    });
    const one = await test.start('one');
    const two = await test.start('two');
    await Promise.all([test.engine.agent.runs.settled(one), test.engine.agent.runs.settled(two)]);
    const started = test.ofType('tool.started').map((event) => event.seq);
    const finished = test.ofType('tool.finished').map((event) => event.seq);
    assert.ok(
      Math.max(...started) < Math.min(...finished),
      'the second began before the first had ended',
    );
  });

  it('D4 B15: stop keeps what is finished, answers every open call, and the next message works', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', { command: 'echo done' }),
          call('run_command', { command: 'sleep 30' }),
          call('run_command', { command: 'echo never' }),
        ),
        say('fine'),
      ),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('go');
    while (test.ofType('tool.started').length < 2)
      await new Promise((resolve) => setTimeout(resolve, 10));
    agent.runs.cancel(sessionId);
    const end = await agent.runs.settled(sessionId);
    assert.equal(end?.state, 'cancelled');
    const results = (await test.messages(sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map((result) => result.state),
      ['done', 'canceled', 'canceled'],
    );
    await agent.send(sessionId, { text: 'and now?' });
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
  });

  describe('a stop with messages waiting', () => {
    const asked = async (test: TestEngine, sessionId: string): Promise<readonly string[]> =>
      (await test.messages(sessionId)).filter(({ origin }) => origin === 'person').map(textOf);
    const script = (request: WireRequest) =>
      lastText(request).includes('first')
        ? say('x'.repeat(4000), { gapMs: 50, deltaSize: 10 })
        : say('ok');
    const idle = async ({ engine: { agent } }: TestEngine, sessionId: string): Promise<void> => {
      while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    };

    /** A run with a queued and a steered message, which is stopped. */
    async function stopped(test: TestEngine): Promise<string> {
      const { agent } = test.engine;
      const sessionId = await test.start('first');
      await test.event('message.delta');
      await agent.send(sessionId, { text: 'queued' });
      await agent.send(sessionId, { text: 'steered', how: 'steer' });
      agent.runs.cancel(sessionId);
      await idle(test, sessionId);
      return sessionId;
    }

    it('keeps queued and steered messages, and sends none, also after a restart and a summary', async () => {
      const first = await TestEngine.open({ script });
      const sessionId = await stopped(first);
      await first.engine.agent.compaction.summarize(sessionId).catch(() => undefined);
      await idle(first, sessionId);
      await first.close();
      await using test = await TestEngine.open({ script, after: first });
      const { agent } = test.engine;
      await agent.start();
      await idle(test, sessionId);
      assert.deepEqual(await asked(test, sessionId), ['first']);
      assert.equal(await agent.sessions.isHeld(sessionId), true);
      await agent.continueRun(sessionId);
      await idle(test, sessionId);
      assert.deepEqual(await asked(test, sessionId), ['first']);
      const waiting = agent.queue.list(sessionId).map(({ text, mode }) => `${mode} ${text}`);
      assert.deepEqual(waiting, ['queue queued', 'queue steered']);
      await agent.sendQueued(sessionId);
      await until('all were sent', async () => (await asked(test, sessionId)).length === 3);
      await idle(test, sessionId);
      assert.deepEqual(await asked(test, sessionId), ['first', 'queued', 'steered']);
    });

    it('sends what is written next before what was held, also while the run is stopping', async () => {
      for (const isStopping of [false, true]) {
        await using test = await TestEngine.open({ script });
        const { agent } = test.engine;
        const sessionId = await test.start('first');
        await test.event('message.delta');
        await agent.send(sessionId, { text: 'later' });
        agent.runs.cancel(sessionId);
        if (!isStopping) await idle(test, sessionId);
        await agent.send(sessionId, { text: 'now' });
        await until('all were sent', async () => (await asked(test, sessionId)).length === 3);
        assert.deepEqual(await asked(test, sessionId), ['first', 'now', 'later']);
        await idle(test, sessionId);
        // Once discarded, held messages leave nothing behind that holds others.
        assert.equal(await agent.sessions.isHeld(sessionId), false);
      }
    });
  });
});
