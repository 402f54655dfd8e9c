import assert from 'node:assert/strict';
import { crash } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

describe('a session is held while something is done beside its runs', () => {
  it('what a crash left behind can still be resumed, and what is queued waits for that', async () => {
    await using crashed = await crash({
      script: () => calls(call('run_command', { command: 'echo on >> out.txt; sleep 30' })),
      until: async (window) => window.seen('tool.started'),
    });
    await using test = await TestEngine.open({ script: () => say('fine'), after: crashed });
    const { agent } = test.engine;
    const { sessionId } = crashed;
    await agent.handoffs.reconcile();
    const before = await agent.handoffs.of(sessionId);
    assert.notEqual(before, undefined);
    const value = await agent.hold(sessionId, async () => {
      assert.equal(agent.runs.isBusy(sessionId), true);
      await agent.send(sessionId, { text: 'meanwhile' });
      return Promise.resolve(42);
    });
    assert.equal(value, 42);
    assert.deepEqual(await agent.handoffs.of(sessionId), before);
    assert.equal(agent.runs.isBusy(sessionId), false);
    assert.deepEqual(
      agent.queue.list(sessionId).map(({ text }) => text),
      ['meanwhile'],
    );
  }).timeout(30_000);

  it('it rejects with what the work rejected with, and is free again; what was sent meanwhile goes', async () => {
    await using test = await TestEngine.open({ script: () => say('fine') });
    const { agent } = test.engine;
    const { sessionId } = await test.run('first');
    await assert.rejects(
      agent.hold(sessionId, async () => {
        await agent.send(sessionId, { text: 'second' });
        throw new TypeError('not that');
      }),
      TypeError,
    );
    await agent.runs.settled(sessionId);
    assert.deepEqual(agent.queue.list(sessionId), []);
    assert.match(JSON.stringify(await test.messages(sessionId)), /second/u);
  });

  it('it is refused while a run is on', async () => {
    await using test = await TestEngine.open({
      script: () => say('x'.repeat(500), { gapMs: 20, deltaSize: 10 }),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('go');
    await assert.rejects(
      agent.hold(sessionId, async () => Promise.resolve(assert.fail('nothing is done'))),
      { code: 'busy' },
    );
    agent.runs.cancel(sessionId);
    await agent.runs.settled(sessionId);
  });
});
