import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnknownDecision } from '../../src/core/run/agent-service.ts';
import { textOf, toolCallsOf, toolResultsOf } from '../../src/domain/message.ts';
import type { ToolResultPart } from '../../src/domain/message.ts';
import { crash } from '../support/engine/other-window.ts';
import type { Crash } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';

const CALLS = calls(
  call('run_command', { command: 'echo one >> out.txt' }, 'one'),
  call('run_command', { command: 'echo two >> out.txt; sleep 30' }, 'two'),
  call('run_command', { command: 'echo three >> out.txt' }, 'three'),
);

/** Until a condition holds; the other window takes real time. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

/** What another window has stored by now, as JSON. */
function onDisk({ folder }: Pick<Crash, 'folder'>, query: string): string {
  using database = new DatabaseSync(path.join(folder, 'data', 'belay.db'), {
    readOnly: true,
    timeout: 5000,
  });
  return JSON.stringify(database.prepare(query).all());
}

/** The first call is done, the second has taken effect and did not end, the third has not begun. */
async function inTheSecondCall(files: Record<string, string> = {}): Promise<Crash> {
  return crash({
    script: () => CALLS,
    files,
    until: async (_window, place) =>
      until(async () => (await place.lines('out.txt')).includes('two')),
  });
}

const textIn = (result: ToolResultPart | undefined): string =>
  (result?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Resumes in a new window with one decision about the second call; gives what came of it. */
async function resumed(
  crashed: Crash,
  decision: UnknownDecision,
): Promise<{ results: ToolResultPart[]; asked: string; lines: readonly string[] }> {
  // The command must end this time.
  await using test = await TestEngine.open({
    script: () => say('all three'),
    after: crashed,
    settings: { 'advanced.toolTimeoutSeconds': 1 },
  });
  const { agent } = test.engine;
  await agent.handoffs.reconcile();
  const handoff = await agent.handoffs.of(crashed.sessionId);
  assert.deepEqual(
    handoff?.unknown.map((entry) => entry.callId),
    ['two'],
  );
  assert.deepEqual(
    handoff.finished.map((entry) => entry.callId),
    ['one'],
  );
  await agent.handoffs.resume(handoff.run.id, { two: decision });
  assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
  assert.equal(await agent.handoffs.of(crashed.sessionId), undefined);
  const messages = await test.messages(crashed.sessionId);
  const results = messages.flatMap(toolResultsOf);
  assert.deepEqual(
    results.map((result) => result.callId),
    messages.flatMap(toolCallsOf).map((made) => made.id),
  );
  const asked = JSON.stringify(test.server.requests.at(-1)?.body.messages);
  return { results, asked, lines: await crashed.lines('out.txt') };
}

describe('stories of the handoff after a crash', function () {
  this.timeout(30_000);

  it('C9: “it happened”: the call is not run again, and the model is told so', async () => {
    await using crashed = await inTheSecondCall();
    const { results, asked, lines } = await resumed(crashed, 'happened');
    assert.deepEqual(lines, ['one', 'two', 'three']);
    assert.deepEqual(
      results.map((result) => result.state),
      ['done', 'done', 'done'],
    );
    assert.match(asked, /the person says that it happened/u);
  });

  it('C9: “run it again”: exactly this call is run again', async () => {
    await using crashed = await inTheSecondCall();
    const { results, lines } = await resumed(crashed, 'run_again');
    assert.deepEqual(lines, ['one', 'two', 'two', 'three']);
    assert.match(textIn(results[1]), /time limit/u);
  });

  it('C9: “let the model check”: nothing is run again, the model is told that it is not known', async () => {
    await using crashed = await inTheSecondCall();
    const { results, asked, lines } = await resumed(crashed, 'let_model_check');
    assert.deepEqual(lines, ['one', 'two', 'three']);
    assert.equal(results[1]?.state, 'unknown');
    assert.match(asked, /outcome is unknown/u);
  });

  it('C9: what has finished is replayed without asking for permission again; what is new is asked', async () => {
    await using crashed = await inTheSecondCall();
    await using test = await TestEngine.open({ script: () => say('done'), after: crashed });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    await agent.sessions.setOptions(crashed.sessionId, { mode: 'ask' });
    const handoff = await agent.handoffs.of(crashed.sessionId);
    assert.equal(handoff?.promptDrift, false, 'the person changed the mode');
    await agent.handoffs.resume(handoff.run.id, { two: 'happened' });
    await agent.runs.settled(crashed.sessionId);
    assert.deepEqual(
      test.human.approvals.map((question) => question.callId),
      ['three'],
    );
    const replayed = test.ofType('tool.finished').filter((event) => event.replayed);
    assert.deepEqual(
      replayed.map((event) => event.callId),
      ['one', 'two'],
    );
  });

  it('C11: calls in doubt are told at the first look after the crash', async () => {
    await using crashed = await inTheSecondCall();
    await using test = await TestEngine.open({ script: () => say('x'), after: crashed });
    await test.engine.agent.handoffs.reconcile();
    const [told] = test.ofType('agent_run.resume_unsafe');
    assert.deepEqual([told?.sessionId, told?.callIds], [crashed.sessionId, ['two']]);
    const [counted] = test.ofType('agent_run.reconcile');
    assert.equal(counted?.sessionId, crashed.sessionId);
    assert.deepEqual([counted.timedOut, counted.cancelled, counted.failed], [1, 0, 0]);
    await test.engine.agent.handoffs.reconcile();
    const [, again, ...more] = test.ofType('agent_run.reconcile');
    assert.deepEqual([again?.sessionId, again?.timedOut], ['', 0], 'nothing is settled twice');
    assert.equal(more.length, 0);
    const { transcripts, recorder } = test.engine.store;
    await recorder.flush();
    const timeline = await transcripts.events(crashed.sessionId);
    assert.deepEqual(
      timeline.filter(({ type }) => type === 'agent_run.reconcile').map(({ category }) => category),
      ['Task'],
      'it stands in the timeline of its session',
    );
  });

  it('B3 C8: the text of the answer that broke off is shown, and kept when the run is given up', async () => {
    await using crashed = await crash({
      script: () => say('Half of this is never heard. '.repeat(200), { deltaSize: 20, gapMs: 20 }),
      until: async (window, place) => {
        await window.seen('message.delta', 20);
        await until(async () => onDisk(place, 'SELECT parts FROM drafts').length > 500);
      },
    });
    await using test = await TestEngine.open({ script: () => say('x'), after: crashed });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(crashed.sessionId);
    const [written] = handoff?.written ?? [];
    const text = written?.type === 'text' ? written.text : '';
    assert.ok(text.length >= 400, `only ${text.length} characters`);
    assert.match(text, /^Half of this/u);
    await agent.handoffs.discard(handoff?.run.id ?? '');
    const last = (await test.messages(crashed.sessionId)).at(-1);
    assert.equal(last?.role, 'assistant');
    assert.equal(textOf(last), text);
    assert.equal(await agent.handoffs.of(crashed.sessionId), undefined);
    await agent.send(crashed.sessionId, { text: 'and now?' });
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
  });

  it('B3: a call that is finished while its answer goes on is not lost by a kill between the parts', async () => {
    const first = call('run_command', { command: 'echo one >> out.txt' }, 'one');
    const second = call('write_file', { path: 'b.txt', content: 'x'.repeat(3000) }, 'two');
    await using crashed = await crash({
      script: () => ({
        content: [{ type: 'text', text: 'Both now.' }, ...(calls(first, second).content ?? [])],
        stopReason: 'tool_use',
        deltaSize: 20,
        gapMs: 20,
      }),
      until: async (_window, place) =>
        until(async () => onDisk(place, 'SELECT parts FROM drafts').includes('echo one')),
    });
    await using test = await TestEngine.open({ script: () => say('on'), after: crashed });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(crashed.sessionId);
    assert.deepEqual(
      handoff?.written.map((part) => (part.type === 'tool_call' ? part.input : part.type)),
      ['text', { command: 'echo one >> out.txt' }],
    );
    assert.deepEqual([handoff?.finished, handoff?.unknown], [[], []], 'nothing has begun');
    await agent.send(crashed.sessionId, { text: 'something else' });
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
    const messages = await test.messages(crashed.sessionId);
    assert.deepEqual(
      messages.flatMap(toolCallsOf).map(({ id }) => id),
      ['one'],
    );
    const [result, ...more] = messages.flatMap(toolResultsOf);
    assert.deepEqual([result?.state, more.length], ['canceled', 0]);
    assert.match(textIn(result), /^Not run/u);
    assert.deepEqual(await crashed.lines('out.txt'), [], 'a call of half an answer is never run');
  });

  it('D4: a new message gives up what was left behind: what finished keeps its result, the rest is told', async () => {
    await using crashed = await inTheSecondCall();
    await using test = await TestEngine.open({ script: () => say('on'), after: crashed });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    await agent.send(crashed.sessionId, { text: 'something else' });
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
    const results = (await test.messages(crashed.sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map((result) => result.state),
      ['done', 'unknown', 'canceled'],
    );
    assert.equal(await agent.handoffs.of(crashed.sessionId), undefined, 'nothing is left behind');
    assert.deepEqual(await crashed.lines('out.txt'), ['one', 'two']);
  });

  it('C6: a run that was told to stop before the crash is cancelled, not offered for resume', async () => {
    await using crashed = await crash({
      script: () =>
        calls(
          call('run_command', { command: "trap '' TERM; echo on >> out.txt; sleep 30" }, 'deaf'),
        ),
      until: async (window, place) => {
        await until(async () => (await place.lines('out.txt')).includes('on'));
        const { sessionId } = window.events[0] ?? { sessionId: '' };
        await window.ask('cancel', sessionId);
        // The command does not hear it.
        await until(async () =>
          onDisk(place, 'SELECT 1 FROM runs WHERE cancel_requested = 1').includes('1'),
        );
      },
    });
    await using test = await TestEngine.open({ script: () => say('fine'), after: crashed });
    const { agent, store } = test.engine;
    await agent.handoffs.reconcile();
    const [run] = await store.runs.runs({ sessionId: crashed.sessionId });
    assert.equal(run?.state, 'cancelled');
    assert.equal(await agent.handoffs.of(crashed.sessionId), undefined);
    assert.equal(test.ofType('agent_run.cancelled').length, 1);
    const results = (await test.messages(crashed.sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map((result) => [result.callId, result.state]),
      [['deaf', 'unknown']],
    );
    await agent.send(crashed.sessionId, { text: 'and now?' });
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
  });

  it('C8: a run that waited for a yes is left to the human, who may let it ask again', async () => {
    await using crashed = await crash({
      script: () => calls(call('run_command', { command: 'echo asked >> out.txt' }, 'asked')),
      settings: { 'permissions.mode': 'ask' },
      human: 'stays silent',
      until: async (_window, place) =>
        until(async () => onDisk(place, 'SELECT state FROM runs').includes('waiting_on_human')),
    });
    await using test = await TestEngine.open({
      script: () => say('done'),
      after: crashed,
      settings: { 'permissions.mode': 'ask' },
    });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(crashed.sessionId);
    assert.deepEqual(
      [handoff?.run.state, handoff?.resumable, handoff?.asksAgain, handoff?.run.resumeAvailable],
      ['timed_out', false, true, false],
    );
    assert.deepEqual(handoff?.unknown, []);
    await agent.handoffs.resume(handoff?.run.id ?? '', {});
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
    assert.equal(test.human.approvals.length, 1);
    assert.deepEqual(await crashed.lines('out.txt'), ['asked']);
  });

  it('C6 D4: stopping while it waits for a yes ends the run at once; the call gets its result', async () => {
    await using test = await TestEngine.open({
      script: () => calls(call('run_command', { command: 'echo never >> out.txt' })),
      settings: { 'permissions.mode': 'ask' },
    });
    test.human.decide = async () => new Promise(() => undefined);
    const { agent } = test.engine;
    const sessionId = await test.start('go');
    await test.event('tool.approval');
    agent.runs.cancel(sessionId);
    assert.equal((await agent.runs.settled(sessionId))?.state, 'cancelled');
    const results = (await test.messages(sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map((result) => result.state),
      ['canceled'],
    );
    assert.equal(await agent.handoffs.of(sessionId), undefined);
  });

  it('C7: queued messages survive the crash, wait for what was left behind, and are sent in their order', async () => {
    await using crashed = await crash({
      script: () => CALLS,
      until: async (window, place) => {
        await until(async () => (await place.lines('out.txt')).includes('two'));
        const { sessionId } = window.events[0] ?? { sessionId: '' };
        await window.ask('send', sessionId, { text: 'second' });
        await window.ask('send', sessionId, { text: 'third' });
      },
    });
    await using test = await TestEngine.open({ script: () => say('ok'), after: crashed });
    const { agent } = test.engine;
    const { sessionId } = crashed;
    await agent.handoffs.reconcile();
    await agent.start();
    assert.equal(agent.runs.isBusy(sessionId), false, 'the human has not decided yet');
    assert.deepEqual(
      agent.queue.list(sessionId).map((queued) => queued.text),
      ['second', 'third'],
    );
    const handoff = await agent.handoffs.of(sessionId);
    await agent.handoffs.resume(handoff?.run.id ?? '', {});
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    const asked = (await test.messages(sessionId)).filter(({ origin }) => origin === 'person');
    assert.deepEqual(asked.map(textOf), ['write the lines', 'second', 'third']);
    assert.deepEqual(await test.engine.store.runs.queued(sessionId), []);
  });
});
