import { told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { runBatch } from '../../../src/core/tool-call/batch.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../../src/domain/message.ts';
import { part, Rig, until, untilAborted } from './rig.ts';

describe('batches of tool calls', () => {
  let rig: Rig;
  /** What began and ended, in order. */
  let order: string[];
  /** Ends a call by its name. */
  let finish: Map<string, () => void>;

  beforeEach(async () => {
    rig = await Rig.open();
    order = [];
    finish = new Map();
    const behaviour = (name: string) => async (input: JsonObject) => {
      const label = `${name}${Number(input['n'] ?? 0)}`;
      order.push(`+${label}`);
      await new Promise<void>((resolve) => finish.set(label, resolve));
      order.push(`-${label}`);
      return label;
    };
    rig.tool('read', behaviour('read'));
    rig.tool('act', behaviour('act'), { sideEffects: true });
    rig.decision = () => ({ verdict: 'allow', judged: new Map() });
  });

  const calls = (...names: string[]): ToolCallPart[] =>
    names.map((name, index) =>
      part(name.replace(/\d+$/u, ''), { n: Number(/\d+$/u.exec(name)?.[0] ?? 0) }, `call-${index}`),
    );

  const start = (
    batch: readonly ToolCallPart[],
    parallel = 8,
  ): Promise<readonly ToolResultPart[]> =>
    runBatch(batch, {
      toolCall: rig.toolCall,
      tools: rig.tools,
      parallel,
      contextOf: (call) => rig.context(call.id),
      signal: rig.abort.signal,
    });

  async function end(label: string): Promise<void> {
    await until(() => finish.has(label));
    finish.get(label)?.();
    await until(() => order.includes(`-${label}`));
  }

  it('C2: the same side effect stands at most three times in a turn', async () => {
    const same = calls(...Array.from({ length: 50 }, () => 'act1'), 'act2');
    const running = start(same);
    for (const count of [1, 2, 3]) {
      await until(() => order.length === count * 2 - 1);
      finish.get('act1')?.();
      finish.delete('act1');
      await until(() => order.length >= count * 2);
    }
    await end('act2');
    const results = await running;
    assert.equal(results.length, 51);
    assert.equal(order.filter((step) => step === '+act1').length, 3);
    assert.equal(results.filter(({ state }) => state === 'canceled').length, 47);
  });

  it('E2: read-only calls run together; results keep the order of the calls', async () => {
    const running = start(calls('read1', 'read2', 'read3'));
    await until(() => order.length === 3);
    await end('read3');
    await end('read1');
    await end('read2');
    assert.deepEqual(order, ['+read1', '+read2', '+read3', '-read3', '-read1', '-read2']);
    assert.deepEqual(
      (await running).map(({ callId }) => callId),
      ['call-0', 'call-1', 'call-2'],
    );
  });

  it('E2: side effects go one by one, and reads do not overtake them', async () => {
    const running = start(calls('read1', 'act2', 'act3', 'read4', 'read5', 'act6'));
    for (const label of ['read1', 'act2', 'act3']) await end(label);
    await until(() => order.includes('+read5'));
    for (const label of ['read4', 'read5', 'act6']) await end(label);
    await running;
    assert.deepEqual(order, [
      '+read1',
      '-read1',
      '+act2',
      '-act2',
      '+act3',
      '-act3',
      '+read4',
      '+read5',
      '-read4',
      '-read5',
      '+act6',
      '-act6',
    ]);
  });

  it('E2: as many at the same time as the setting says, and not more', async () => {
    const running = start(calls('read1', 'read2', 'read3', 'read4'), 2);
    await until(() => order.length === 2);
    await end('read2');
    await until(() => order.includes('+read3'));
    assert.equal(order.includes('+read4'), false);
    for (const label of ['read1', 'read3', 'read4']) await end(label);
    await running;
  });

  it('c18: answers each of 200 calls, in order, with bounded parallelism', async () => {
    let now = 0;
    let most = 0;
    rig.tool('quick', async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return 'seen';
    });
    const many = Array.from({ length: 200 }, (_, index) =>
      part('quick', { n: index }, `call-${index}`),
    );
    const results = await start(many);
    assert.deepEqual(
      results.map(({ callId }) => callId),
      many.map(({ id }) => id),
    );
    assert.ok(results.every(({ state }) => state === 'done'));
    assert.ok(most <= 8 && most > 1, `${most} at the same time`);
  });

  it('B4: a denial cancels what has not begun, and only that', async () => {
    rig.decision = (tool) => ({
      verdict: tool.name === 'act' ? 'ask' : 'allow',
      judged: new Map(),
    });
    rig.answers.push({ allowed: true }, { allowed: false, reason: 'No.' });
    const running = start(calls('read1', 'act2', 'act3', 'act4', 'read5'));
    await end('read1');
    await end('act2');
    const results = await running;
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done', 'denied', 'canceled', 'canceled'],
    );
    assert.deepEqual(results[4]?.content, [
      { type: 'text', text: 'Canceled because the user denied an earlier call of this turn.' },
    ]);
    assert.deepEqual(order, ['+read1', '-read1', '+act2', '-act2']);
  });

  it('a refusal by rule or a failure cancels nothing', async () => {
    rig.decision = (tool) =>
      tool.name === 'act'
        ? { verdict: 'refuse', judged: new Map(), reasons: [told`Not in this mode.`] }
        : { verdict: 'allow', judged: new Map() };
    const running = start(calls('nope', 'act2', 'read3'));
    await end('read3');
    assert.deepEqual(
      (await running).map(({ state }) => state),
      ['failed', 'failed', 'done'],
    );
  });

  it('D4, B15: a stop gives every outstanding call a result and keeps the finished ones', async () => {
    rig.tool('wait', async (_, { signal }) => untilAborted(signal));
    const running = start(
      [
        ...calls('read1'),
        part('wait', {}, 'w1'),
        part('wait', {}, 'w2'),
        part('act', {}, 'a1'),
        part('read', {}, 'r9'),
      ],
      2,
    );
    await end('read1');
    await until(() => rig.events.filter(({ type }) => type === 'tool.started').length === 3);
    rig.abort.abort('canceled');
    const results = await running;
    assert.deepEqual(
      results.map(({ callId, state }) => [callId, state]),
      [
        ['call-0', 'done'],
        ['w1', 'canceled'],
        ['w2', 'canceled'],
        ['a1', 'canceled'],
        ['r9', 'canceled'],
      ],
    );
    assert.deepEqual(results[4]?.content, [{ type: 'text', text: 'Canceled by the user.' }]);
    assert.equal(order.includes('+act0'), false);
  });

  it('tells of every call: pending at once, then how it ended', async () => {
    const running = start(calls('read1', 'nope', 'act2'));
    assert.deepEqual(
      rig.events.map(({ type }) => type),
      ['tool.pending', 'tool.pending', 'tool.pending'],
    );
    await end('read1');
    await end('act2');
    const results = await running;
    const finished = rig.events.flatMap((event) =>
      event.type === 'tool.finished' ? [[event.callId, event.result, event.replayed] as const] : [],
    );
    assert.deepEqual(
      new Map(finished.map(([id, result]) => [id, result])),
      new Map(results.map((result) => [result.callId, result])),
    );
    assert.ok(finished.every(([, , replayed]) => !replayed));
  });

  it('C9: after a restart a finished batch is replayed, denial and all', async () => {
    rig.decision = (tool) => ({ verdict: tool.sideEffects ? 'ask' : 'allow', judged: new Map() });
    rig.answers.push({ allowed: false });
    const batch = calls('read1', 'act2', 'act3');
    const running = start(batch);
    await end('read1');
    const first = await running;
    await rig.restart();
    const again = await start(batch);
    assert.deepEqual(again, first);
    assert.deepEqual(order, ['+read1', '-read1']);
  });
});
