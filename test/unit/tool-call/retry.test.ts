import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Failure, FailureCode } from '../../../src/domain/failure.ts';
import { Rig, textOf, until, untilAborted } from './rig.ts';

describe('retry of tool calls', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.open();
  });

  /** Fails so many times, then works. */
  function flaky(
    times: number,
    failure: Partial<Failure> & { code: FailureCode },
    sideEffects = false,
    repeatable = false,
  ): { runs: number } {
    let left = times;
    return rig.tool(
      'fetch',
      () => {
        left -= 1;
        if (left >= 0) throw new BelayError({ message: 'It failed.', ...failure });
        return 'worked';
      },
      { sideEffects, repeatable },
    );
  }

  /** Lets the waits pass, and gives how long each was. */
  async function waits(count: number): Promise<number[]> {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const retries = (): number =>
        rig.events.filter(({ type }) => type === 'agent.tool.retry').length;
      await until(
        () => retries() > index && rig.clock.next !== undefined && rig.clock.next < 120_000,
      );
      seen.push(rig.clock.next ?? -1);
      await rig.clock.advance(rig.clock.next ?? 0);
    }
    return seen;
  }

  it('C1: tries a read-only call again after 0.5, 2 and 8 s, three times at most', async () => {
    const fetch = flaky(9, { code: 'timeout' });
    const calling = rig.call('fetch');
    assert.deepEqual(await waits(3), [500, 2000, 8000]);
    const outcome = await calling;
    assert.equal(outcome.result.state, 'failed');
    assert.equal(textOf(outcome), 'It failed.');
    assert.equal(fetch.runs, 4);
    const retries = rig.events.flatMap((event) =>
      event.type === 'agent.tool.retry' ? [[event.attempt, event.waitMs, event.failure.code]] : [],
    );
    assert.deepEqual(retries, [
      [1, 500, 'timeout'],
      [2, 2000, 'timeout'],
      [3, 8000, 'timeout'],
    ]);
    assert.equal((await rig.row())?.attempts, 4);
  });

  it('C1: a retry that works is the result', async () => {
    const fetch = flaky(1, { code: 'network' });
    const calling = rig.call('fetch');
    await waits(1);
    assert.equal(textOf(await calling), 'worked');
    assert.equal(fetch.runs, 2);
    assert.equal((await rig.row())?.attempts, 2);
  });

  for (const code of ['timeout', 'network', 'overloaded', 'rate_limited'] as const) {
    it(`C1: ${code} may pass`, async () => {
      const fetch = flaky(1, { code });
      const calling = rig.call('fetch');
      await waits(1);
      await calling;
      assert.equal(fetch.runs, 2);
    });
  }

  for (const code of [
    'not_found',
    'permission',
    'invalid',
    'auth',
    'tool',
    'config',
    'unexpected',
  ] as const) {
    it(`C1: ${code} does not pass by itself: once is enough`, async () => {
      const fetch = flaky(1, { code });
      assert.equal((await rig.call('fetch')).failure?.code, code);
      assert.equal(fetch.runs, 1);
    });
  }

  it('C1: decides by code, never by text', async () => {
    const fetch = flaky(1, { code: 'tool', message: 'ECONNRESET: connection reset, timeout, 429' });
    await rig.call('fetch');
    assert.equal(fetch.runs, 1);
  });

  it('C1: never tries a side effect again', async () => {
    const fetch = flaky(1, { code: 'timeout' }, true);
    assert.equal((await rig.call('fetch')).result.state, 'failed');
    assert.equal(fetch.runs, 1);
  });

  it('C1: tries a side effect again that a server marks idempotent', async () => {
    const fetch = flaky(1, { code: 'timeout' }, true, true);
    const calling = rig.call('fetch');
    await waits(1);
    assert.equal((await calling).result.state, 'done');
    assert.equal(fetch.runs, 2);
  });

  it('waits as long as the server asks, and not at all when that is too long', async () => {
    flaky(1, { code: 'rate_limited', retryAfterMs: 30_000 });
    const calling = rig.call('fetch');
    assert.deepEqual(await waits(1), [30_000]);
    await calling;
    rig.tools.length = 0;
    const slow = flaky(1, { code: 'rate_limited', retryAfterMs: 600_000 });
    assert.equal((await rig.call('fetch', {}, { id: 'call-2' })).failure?.code, 'rate_limited');
    assert.equal(slow.runs, 1);
  });

  it('C14: counts for each call by itself', async () => {
    flaky(1, { code: 'network' });
    const first = rig.call('fetch', {}, { id: 'a' });
    await waits(1);
    await first;
    await rig.call('fetch', {}, { id: 'b' });
    assert.equal((await rig.row('a'))?.attempts, 2);
    assert.equal((await rig.row('b'))?.attempts, 1);
  });

  it('D4: a stop ends the wait', async () => {
    const fetch = flaky(9, { code: 'network' });
    const calling = rig.call('fetch');
    await until(() => rig.eventTypes().includes('agent.tool.retry'));
    rig.abort.abort('canceled');
    assert.equal((await calling).result.state, 'canceled');
    assert.equal(fetch.runs, 1);
    assert.equal(rig.clock.pending, 0);
  });
});

describe('deadline of tool calls', () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await Rig.open();
  });

  it('stops a tool at the limit of the setting and says so', async () => {
    rig.tool('act', async (_, { signal }) => untilAborted(signal), { sideEffects: true });
    const calling = rig.call('act');
    await until(() => rig.eventTypes().includes('tool.started') && rig.clock.next === 120_000);
    await rig.clock.advance(120_000);
    const outcome = await calling;
    assert.equal(outcome.result.state, 'failed');
    assert.equal(outcome.failure?.code, 'timeout');
    assert.match(textOf(outcome), /^act was stopped after 120 s, its limit\./u);
    assert.equal(rig.clock.pending, 0);
  });

  it('takes the limit that the tool has for this input, and none for Infinity', async () => {
    rig.tool('act', async (_, { signal }) => untilAborted(signal), {
      sideEffects: true,
      timeoutMs: (input) => Number(input['seconds']) * 1000,
    });
    const calling = rig.call('act', { seconds: 5 });
    await until(() => rig.clock.next === 5000);
    await rig.clock.advance(5000);
    assert.match(textOf(await calling), /after 5 s/u);
    rig.tools.length = 0;
    let finish = (): void => undefined;
    rig.tool(
      'ask',
      async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return 'answered';
      },
      { timeoutMs: Infinity },
    );
    const asking = rig.call('ask', {}, { id: 'call-2' });
    await until(() => rig.clock.pending > 0);
    await rig.clock.advance(7 * 86_400_000);
    finish();
    assert.equal(textOf(await asking), 'answered');
  });

  it('abandons a tool that ignores its signal, says that it may still be at work, and does not try it again', async () => {
    const stuck = rig.tool('stuck', async () => new Promise<string>(() => undefined));
    const calling = rig.call('stuck');
    await until(() => rig.clock.next === 120_000);
    await rig.clock.advance(120_000);
    await rig.clock.advance(5000);
    const outcome = await calling;
    assert.equal(outcome.failure?.code, 'timeout');
    assert.match(
      textOf(outcome),
      /exceeded its limit of 120 s.*abandoned and may still be at work/su,
    );
    assert.equal(stuck.runs, 1);
    assert.equal(rig.clock.pending, 0);
  });

  it('D4: a stop does not wait for ever for a tool that ignores it', async () => {
    rig.tool('stuck', async () => new Promise<string>(() => undefined), { sideEffects: true });
    const calling = rig.call('stuck');
    await until(() => rig.clock.next === 120_000);
    rig.abort.abort('canceled');
    await rig.clock.advance(5000);
    const outcome = await calling;
    assert.equal(outcome.result.state, 'canceled');
    assert.match(textOf(outcome), /may still be at work/u);
  });

  it('keeps the outcome of a tool that finishes although it was told to stop', async () => {
    rig.tool(
      'act',
      async (_, { signal }) => {
        await untilAborted(signal).catch(() => undefined);
        return 'finished after all';
      },
      { sideEffects: true },
    );
    const calling = rig.call('act');
    await until(() => rig.clock.next === 120_000);
    await rig.clock.advance(120_000);
    const outcome = await calling;
    assert.equal(outcome.result.state, 'done');
    assert.equal(textOf(outcome), 'finished after all');
  });
});
