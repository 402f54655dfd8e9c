import assert from 'node:assert/strict';
import { MOST_IN_A_ROW } from '../../src/domain/session/followup.ts';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { somethingWaits } from '../../src/window/startup/something-waits.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { HandClock } from '../support/hand-clock.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { type Script, type Turn, call, calls, say } from '../support/model-server/turn.ts';

const MINUTE = 60_000;
const PROMPT = 'Look whether the build is green.';
const schedule = (more: object = { delay_minutes: 20 }): Turn =>
  calls(call('schedule_followup', { prompt: PROMPT, ...more }));
const once: Script = (_request, n) => (n === 1 ? schedule() : say('Fine.'));

interface Opened {
  readonly test: TestEngine;
  readonly clock: HandClock;
}

const open = async (
  script: Script,
  { host, ...more }: Partial<TestEngineOptions> = {},
  clock = new HandClock(),
): Promise<Opened> => ({
  clock,
  test: await TestEngine.open({
    script,
    ...more,
    host: { clock, staysOpen: true, ...host },
  }),
});
const waiting = ({ engine }: TestEngine) => engine.store.followUps.all();
const sent = async (test: TestEngine, sessionId: string): Promise<readonly string[]> =>
  (await test.messages(sessionId)).filter(({ origin }) => origin === 'followup').map(textOf);
const results = async (test: TestEngine, sessionId: string) =>
  (await test.messages(sessionId)).flatMap(toolResultsOf);
/** Resolves when so many runs have come to their end. */
const ended = async (test: TestEngine, many: number): Promise<void> => {
  while (test.ofType('agent_run.completed').length < many)
    await new Promise((resolve) => setTimeout(resolve, 5));
};
/** One turn of what the service does: it has looked. */
const looked = async (test: TestEngine): Promise<void> => {
  for (let n = 0; n < 3; n += 1) {
    await waiting(test);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('follow-ups', function () {
  this.timeout(60_000);

  it('A15: one comes back into its session while the window is open, after a yes, and once', async () => {
    const { test, clock } = await open(once, { settings: { 'permissions.mode': 'ask' } });
    await using _closing = test;
    await test.engine.agent.start();
    const { sessionId } = await test.run('Build it');
    assert.equal(test.human.approvals.length, 1);
    assert.match(test.human.approvals[0]?.detail ?? '', /build is green/u);
    const [one] = await waiting(test);
    assert.equal(one?.dueAt, clock.now() + 20 * MINUTE);
    clock.pass(19 * MINUTE);
    await looked(test);
    assert.deepEqual(await sent(test, sessionId), []);
    clock.pass(2 * MINUTE);
    await ended(test, 2);
    clock.pass(60 * MINUTE);
    await looked(test);
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
    assert.deepEqual(await waiting(test), []);
    assert.equal(await somethingWaits(test.engine.store, undefined), false);
  });

  it('A15: one that was due while the window was closed comes at the next start', async () => {
    const { test: first, clock } = await open(once);
    const { sessionId } = await first.run('Build it');
    assert.equal(await somethingWaits(first.engine.store, undefined), true);
    await first.close();
    clock.jump(24 * 60 * MINUTE);
    const { test } = await open(() => say('Green.'), { after: first }, clock);
    await using _closing = test;
    await test.engine.agent.start();
    await ended(test, 1);
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
  });

  it('A15: the person changes and cancels them; the model cancels its own', async () => {
    const { test, clock } = await open((_request, n) => {
      if (n < 3) return schedule();
      return n === 3 ? calls(call('cancel_followup', { id: 'f9-9' })) : say('Fine.');
    });
    await using _closing = test;
    const { followUps } = test.engine.runs;
    await test.engine.agent.start();
    const { sessionId } = await test.run('Build it');
    const [one, two] = await waiting(test);
    assert.match(
      JSON.stringify((await results(test, sessionId)).at(-1)),
      /nothing scheduled as f9-9/u,
    );
    await followUps.change(one?.id ?? '', 'Look at the log.', clock.now() + 5 * MINUTE);
    await followUps.cancel(two?.id ?? '');
    await assert.rejects(followUps.cancel(two?.id ?? ''), /does not wait any more/u);
    await assert.rejects(followUps.change(one?.id ?? '', 'x', clock.now() - 1), /at least a min/u);
    clock.pass(60 * MINUTE);
    await ended(test, 2);
    assert.deepEqual(await sent(test, sessionId), ['Look at the log.']);
  });

  it('A15: in a workspace that is not trusted any more none is sent, which is said once', async () => {
    let trusted = true;
    const { test, clock } = await open(once, { host: { trusted: () => trusted } });
    await using _closing = test;
    await test.engine.agent.start();
    const { sessionId } = await test.run('Build it');
    trusted = false;
    clock.pass(30 * MINUTE);
    await looked(test);
    clock.pass(MINUTE);
    await looked(test);
    const told = test.ofType('warning').filter(({ message }) => message.includes('not trusted'));
    assert.equal(told.length, 1);
    assert.deepEqual(await sent(test, sessionId), []);
    assert.equal((await waiting(test)).length, 1);
    trusted = true;
    clock.pass(MINUTE);
    await ended(test, 2);
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
  });

  it('A15: of two windows one sends it; between sending and its run nothing is lost or done twice', async () => {
    const { test: first, clock } = await open(once);
    const { sessionId } = await first.run('Build it');
    const { test: other } = await open(() => say('?'), { after: first }, clock);
    clock.jump(30 * MINUTE);
    const [one] = await waiting(first);
    const fired = await Promise.all(
      [first, other, first, other].map(async ({ engine }) =>
        engine.store.followUps.fire(one?.id ?? '', clock.now()),
      ),
    );
    assert.equal(fired.filter(Boolean).length, 1);
    // Both die before anything begins.
    await other.close();
    await first.close();
    const { test } = await open(() => say('Green.'), { after: first }, clock);
    await using _closing = test;
    await test.engine.agent.start();
    await ended(test, 1);
    clock.pass(MINUTE);
    await looked(test);
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
  });

  it('A15: on the clock of the machine one comes at its time, once', async () => {
    const host = { clock: new SystemClock(), staysOpen: true };
    await using test = await TestEngine.open({ script: () => say('Fine.'), host });
    const { sessionId } = await test.run('Build it');
    const { followUps, ids } = test.engine.store;
    const dueAt = Date.now() + 2000;
    const one = { id: ids.next('followup'), sessionId, prompt: PROMPT, dueAt, createdAt: 0 };
    await followUps.add(one);
    await test.engine.agent.start();
    await ended(test, 2);
    const [message] = (await test.messages(sessionId)).filter(
      ({ origin }) => origin === 'followup',
    );
    assert.ok((message?.createdAt ?? 0) >= dueAt, 'not before');
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
    assert.deepEqual(await waiting(test), []);
  });

  it('A15: one that is cancelled as it comes is either cancelled or sent, and the person is told which', async () => {
    for (const isLate of [false, true]) {
      const { test, clock } = await open(once);
      await using _closing = test;
      const { followUps } = test.engine.runs;
      await test.engine.agent.start();
      const { sessionId } = await test.run('Build it');
      const [one] = await waiting(test);
      const fire = (): void => clock.pass(21 * MINUTE);
      if (isLate) fire();
      const cancelled = followUps.cancel(one?.id ?? '').then(
        () => true,
        ({ message }: Error) => !/does not wait any more: it was sent/u.test(message),
      );
      if (!isLate) fire();
      const isCancelled = await cancelled;
      if (!isCancelled) await ended(test, 2);
      await looked(test);
      assert.deepEqual(await sent(test, sessionId), isCancelled ? [] : [PROMPT]);
      assert.deepEqual(await waiting(test), []);
    }
  });

  it('A15 C7: one that is due while its session is at work waits in the queue', async () => {
    const going = Promise.withResolvers<undefined>();
    const { test, clock } = await open(async (_request, n) => {
      if (n === 1) return schedule();
      if (n === 3) await going.promise;
      return say(`${n}`);
    });
    await using _closing = test;
    const { agent } = test.engine;
    await agent.start();
    const { sessionId } = await test.run('Build it');
    await agent.send(sessionId, { text: 'Meanwhile' });
    clock.pass(21 * MINUTE);
    while (agent.queue.list(sessionId).length === 0) await looked(test);
    assert.deepEqual(await sent(test, sessionId), []);
    going.resolve(undefined);
    await ended(test, 3);
    assert.deepEqual(await sent(test, sessionId), [PROMPT]);
  });

  it('A15: is bounded in time, number and in a row; a no schedules nothing; a session takes them along', async () => {
    const asked = [
      { delay_minutes: 0 },
      { delay_minutes: 60 * 24 * 31 },
      { at: 'soon' },
      { delay_minutes: 5, at: '2026-11-22T09:00' },
      {},
    ];
    const { test, clock } = await open((_request, n) => {
      const more = asked[n - 1];
      return more === undefined ? say('Fine.') : schedule(more);
    });
    await using _closing = test;
    const { agent, runs } = test.engine;
    const { sessionId } = await test.run('Build it');
    assert.deepEqual(
      (await results(test, sessionId)).map(({ state }) => state),
      asked.map(() => 'failed'),
    );
    for (let n = 0; n < 10; n += 1)
      await runs.followUps.schedule(sessionId, `${n}`, clock.now() + 5 * MINUTE);
    await assert.rejects(
      runs.followUps.schedule(sessionId, 'one more', clock.now() + 5 * MINUTE),
      /10 follow-ups wait.*Nothing was scheduled/u,
    );
    await agent.removal.delete(sessionId);
    assert.deepEqual(await waiting(test), []);
  });

  it('A15: those that schedule the next one end after ten without a word of the person', async () => {
    let turn = 0;
    const { test, clock } = await open(() => {
      turn += 1;
      return turn % 2 === 1 ? schedule({ delay_minutes: 1 }) : say('Again later.');
    });
    await using _closing = test;
    await test.engine.agent.start();
    const { sessionId } = await test.run('Watch it');
    for (let n = 2; n <= MOST_IN_A_ROW + 1; n += 1) {
      clock.pass(2 * MINUTE);
      await ended(test, n);
    }
    clock.pass(10 * MINUTE);
    await looked(test);
    assert.equal((await sent(test, sessionId)).length, MOST_IN_A_ROW);
    assert.match(
      JSON.stringify((await results(test, sessionId)).at(-1)),
      /without a word of the person/u,
    );
  });
});
