import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { textOf } from '../../src/domain/message.ts';
import { HandClock } from '../support/hand-clock.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

describe('stories of more sessions than may be at work', () => {
  it('C7: those that come later wait on disk for their turn, first come first served, whoever writes more', async () => {
    const goOn = new Map<string, () => void>();
    const order: string[] = [];
    await using test = await TestEngine.open({
      settings: { 'advanced.parallelRuns': 2 },
      script: async (request) => {
        const asked = /ask-\w+/u.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? '';
        order.push(asked);
        await new Promise<void>((resolve) => goOn.set(asked, resolve));
        return say(`done ${asked}`);
      },
    });
    const { agent, store } = test.engine;
    const begun = async (asked: string): Promise<void> => {
      while (!goOn.has(asked)) await delay(5);
    };
    const [a, b, c, d] = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async () => (await agent.sessions.create({})).id),
    );
    assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined);
    await agent.send(a, { text: 'ask-a' });
    await begun('ask-a');
    await agent.send(b, { text: 'ask-b' });
    await begun('ask-b');
    await agent.send(a, { text: 'ask-again' });
    const third = await agent.send(c, { text: 'ask-c' });
    await agent.send(d, { text: 'ask-d' });
    assert.notEqual(third.queuedId, undefined, 'it is on disk, not running');
    assert.deepEqual(agent.runs.turns.of(c), { running: 2, before: 0 });
    assert.deepEqual(agent.runs.turns.of(d), { running: 2, before: 1 });
    assert.equal(agent.runs.turns.of(a), undefined, 'it waits for itself');
    assert.equal((await store.runs.queued(c))[0]?.text, 'ask-c');

    goOn.get('ask-a')?.();
    await begun('ask-c');
    assert.deepEqual(agent.runs.turns.of(d), { running: 2, before: 0 });
    assert.deepEqual(
      agent.runs.turns.of(a),
      { running: 2, before: 1 },
      'who has had a turn comes last',
    );
    agent.runs.cancel(b);
    await begun('ask-d');
    goOn.get('ask-c')?.();
    await begun('ask-again');
    for (const asked of ['ask-d', 'ask-again']) goOn.get(asked)?.();
    for (const id of [a, d]) await agent.runs.settled(id);
    assert.deepEqual(order, ['ask-a', 'ask-b', 'ask-c', 'ask-d', 'ask-again']);
    assert.equal((await test.messages(a)).map(textOf).at(-1), 'done ask-again');
  });

  it('C7: one that waits can be edited, taken out, deleted and brought back', async () => {
    let end: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    await using test = await TestEngine.open({
      settings: { 'advanced.parallelRuns': 1 },
      script: async (request) => {
        if (JSON.stringify(request.messages.at(-1)).includes('first')) await held;
        return say('ok');
      },
    });
    const { agent } = test.engine;
    const first = await test.start('first');
    const [second, third] = [
      (await agent.sessions.create({})).id,
      (await agent.sessions.create({})).id,
    ];
    await assert.rejects(agent.continueRun(second), /belay\.advanced\.parallelRuns/u);
    const { queuedId = '' } = await agent.send(second, { text: 'unwanted' });
    await agent.send(third, { text: 'typo' });
    await agent.queue.remove(queuedId);
    await agent.queue.edit(agent.queue.list(third)[0]?.id ?? '', 'mended');
    await agent.removal.setAside(third);
    end?.();
    await agent.runs.settled(first);
    assert.equal(agent.runs.isBusy(second), false);
    assert.equal(agent.runs.isBusy(third), false, 'a session that is set aside does not begin');
    agent.removal.bringBack(third);
    while ((await test.messages(third)).length < 2) await delay(5);
    const asked = (await test.messages(third)).filter(({ origin }) => origin === 'person');
    assert.deepEqual(asked.map(textOf), ['mended']);
    assert.deepEqual(await test.messages(second), []);
  });

  it('B1: the agent says whether any session is busy, and keeps the lease of whatever makes it so', async () => {
    const clock = new HandClock();
    const answer = Promise.withResolvers<void>();
    await using test = await TestEngine.open({
      script: async () => answer.promise.then(() => say('done')),
      host: { clock },
    });
    const { agent } = test.engine;
    const busy = (): boolean => agent.runs.isAnyBusy();
    assert.equal(busy(), false);
    const [run, other] = [await test.start('go'), (await agent.sessions.create()).id];
    assert.deepEqual(
      [busy(), agent.runs.isBusy(run), agent.runs.isBusy(other)],
      [true, true, false],
    );
    answer.resolve();
    await agent.runs.settled(run);
    assert.equal(busy(), false);

    await agent.hold(other, async () => {
      assert.equal(busy(), true, 'a change as a whole is no run');
      const renewals = (): unknown => {
        using database = new DatabaseSync(path.join(test.folder, 'data', 'belay.db'), {
          readOnly: true,
        });
        return database.prepare('SELECT renewals FROM leases WHERE session_id = ?').get(other);
      };
      const before = JSON.stringify(renewals());
      clock.pass(10_000);
      while (JSON.stringify(renewals()) === before) await delay(5);
    });
    assert.equal(busy(), false);
  });
});
