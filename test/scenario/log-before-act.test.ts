import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import type { Write } from '../../src/core/ports/store/recorder.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import type { Checkpoint, LedgerState } from '../../src/domain/run.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { HandClock } from '../support/hand-clock.ts';
import { OtherWindow } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

/** Milliseconds that a slow disk takes: a request that does not wait for it has arrived long before. */
const SLOW_MS = 60;

/** Every write of the engine that is on disk, in order; messages take long to get there. */
function onDisk(test: TestEngine): Write[] {
  const writes: Write[] = [];
  const { recorder } = test.engine.store;
  const commit = recorder.commit.bind(recorder);
  recorder.commit = async (batch) => {
    await commit(batch);
    if (batch.some(({ kind }) => kind === 'message')) await delay(SLOW_MS);
    writes.push(...batch);
  };
  return writes;
}

describe('stories of what is on disk, and when', function () {
  this.timeout(60_000);

  it('durability 1: nothing is sent to the model and nothing is run before its record is on disk', async () => {
    let writes: readonly Write[] = [];
    const states = (callId: string): LedgerState[] =>
      writes.flatMap((one) =>
        one.kind === 'ledger' && one.entry.callId === callId ? [one.entry.state] : [],
      );
    const ran: LedgerState[][] = [];
    const effect: Tool = {
      name: 'effect',
      description: 'Does something.',
      inputSchema: { type: 'object', properties: {} },
      sideEffects: true,
      level: 'guest',
      module: 'test',
      permission: 'execute',
      check: (input) => ({ input }),
      run: async (_input, context) => {
        ran.push(states(context.callId));
        return Promise.resolve({ content: [{ type: 'text', text: 'happened' }] });
      },
    };
    const sent: { readonly blocks: number; readonly recorded: number }[] = [];
    await using test = await TestEngine.open({
      tools: [effect],
      settings: { 'permissions.mode': 'ask' },
      script: (request) => {
        const stored = writes.flatMap((one) => (one.kind === 'message' ? [one.message] : []));
        const text = JSON.stringify(stored);
        const blocks = request.messages.flatMap(({ content }) =>
          typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
        );
        sent.push({
          blocks: blocks.length,
          recorded: blocks.filter((block) =>
            block.type === 'text'
              ? text.includes(JSON.stringify(block.text))
              : block.type === 'tool_use'
                ? text.includes(`"id":"${block.id}"`)
                : block.type === 'tool_result' && text.includes(`"callId":"${block.tool_use_id}"`),
          ).length,
        });
        return sent.length < 3
          ? calls(call('effect', {}, `e${sent.length}`), call('effect', {}, `f${sent.length}`))
          : say('Done.');
      },
    });
    writes = onDisk(test);
    const { end } = await test.run('Go.');
    assert.equal(end?.reason, 'done');
    assert.equal(sent.length, 3);
    for (const { blocks, recorded } of sent) assert.equal(recorded, blocks);
    assert.deepEqual(
      ran,
      ['e1', 'f1', 'e2', 'f2'].map(() => ['pending', 'approved', 'running']),
    );
    assert.deepEqual(states('f2'), ['pending', 'approved', 'running', 'done']);
    const answers = writes.flatMap((one) =>
      one.kind === 'message' && one.message.role === 'assistant' ? [one.message] : [],
    );
    for (const answer of answers)
      assert.equal(answer.parts.at(-1)?.type, 'finish', 'an answer is recorded when it is whole');
  });

  it('C8: a checkpoint at every safe boundary, with iteration, cursor, counts, prompt hash and policy states', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        request.messages.length < 4
          ? calls(call('list_files', {}, `c${request.messages.length}`))
          : say('Done.'),
    });
    const writes = onDisk(test);
    const { sessionId } = await test.run('Go.');
    const made = writes.flatMap((one): Checkpoint[] =>
      one.kind === 'checkpoint' ? [one.checkpoint] : [],
    );
    assert.deepEqual(
      made.map(({ kind, iteration }) => [kind, iteration]),
      [
        ['input', 0],
        ['llm_response', 1],
        ['tool_result', 1],
        ['llm_response', 2],
        ['tool_result', 2],
        ['llm_response', 3],
        ['final', 3],
      ],
    );
    assert.equal(made.at(-1)?.kind, 'final');
    assert.deepEqual(
      made.map(({ number }) => number),
      made.map((_, index) => index),
    );
    const stored = await test.messages(sessionId);
    assert.equal(made.at(-1)?.messageCursor, stored.at(-1)?.seq);
    for (const one of made) {
      assert.equal(one.sessionId, sessionId);
      // With the opening nothing has been sent yet.
      assert.equal(one.promptHash, one.number === 0 ? '' : made[1]?.promptHash);
      assert.ok(one.messageCursor <= stored.length && one.messageCount >= 1);
    }
    assert.notEqual(made[1]?.promptHash, '');
    const last = made.findLast(({ kind }) => kind === 'tool_result');
    assert.equal(last?.finishedCallIds.length, 1);
    assert.ok(Object.keys(last?.policyStates ?? {}).length > 0);
    assert.deepEqual(await test.engine.store.runs.latestCheckpoint(last?.runId ?? ''), made.at(-1));
  });

  it('C8: the heart of a run beats every ten seconds, and its lease is renewed; none without a run', async () => {
    const clock = new HandClock();
    const release = Promise.withResolvers<void>();
    await using test = await TestEngine.open({
      host: { clock },
      script: async () => {
        await release.promise;
        return say('Done.');
      },
    });
    const database = (): { readonly beat: number; readonly renewals: number } => {
      using db = new DatabaseSync(path.join(test.folder, 'data', 'belay.db'), {
        readOnly: true,
      });
      return db
        .prepare(
          `SELECT heartbeat_at AS beat, renewals
           FROM runs JOIN leases ON leases.session_id = runs.session_id`,
        )
        .get() as { beat: number; renewals: number };
    };
    const beats = async (): Promise<number> => {
      // Writes are answered in their order: what was given before is done.
      await test.engine.store.runs.runs({});
      return database().beat;
    };
    clock.pass(25_000); // nothing is at work: nothing to be written
    const sessionId = await test.start('Go.');
    await test.event('model.request');
    const begun = await beats();
    const { renewals } = database();
    // The timer has gone on since the engine was opened: its next beat is due in five seconds.
    clock.pass(4999);
    assert.equal(await beats(), begun);
    clock.pass(1);
    assert.equal(await beats(), begun + 5000);
    clock.pass(9999);
    assert.equal(await beats(), begun + 5000);
    clock.pass(1);
    assert.equal(await beats(), begun + 15_000);
    assert.equal(database().renewals, renewals + 2);
    release.resolve();
    await test.engine.agent.runs.settled(sessionId);
  });

  it('C8: runs that other windows left behind are looked for again and again, at least every five minutes', async () => {
    const repeated: { readonly ms: number; readonly run: () => void }[] = [];
    class WatchedClock extends SystemClock {
      override every(ms: number, run: () => void): { dispose(): void } {
        repeated.push({ ms, run });
        return super.every(ms, run);
      }
    }
    await using test = await TestEngine.open({
      host: { clock: new WatchedClock() },
      script: () => calls(call('run_command', { command: 'sleep 30' })),
    });
    await using other = await OtherWindow.open({ at: test, modelUrl: test.server.url });
    const sessionId = await other.start('Go.');
    await other.seen('tool.started');
    const fire = (): void => {
      for (const { ms, run } of repeated) if (ms >= 60_000 && ms <= 300_000) run();
    };
    fire();
    const idle = await test.event('agent_run.reconcile');
    assert.deepEqual([idle.sessionId, idle.timedOut], ['', 0], 'a living owner’s run is its own');
    await other.kill();
    fire();
    while (test.ofType('agent_run.reconcile').length < 2) await delay(10);
    const [, settled] = test.ofType('agent_run.reconcile');
    assert.deepEqual([settled?.sessionId, settled?.timedOut], [sessionId, 1]);
    assert.equal((await test.engine.agent.handoffs.of(sessionId))?.unknown.length, 1);
  });
});
