import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RunEvent, RunEventType } from '../../src/domain/event.ts';
import { EVENTS, isTransient } from '../../src/domain/event-catalog.ts';
import { textOf } from '../../src/domain/message.ts';
import { BelayError } from '../../src/domain/failure.ts';
import { timelineText } from '../../src/core/session/timeline.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { crash } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

/** A read-only tool that fails once in a way that may pass, then works. */
function flaky(): Tool {
  let failed = false;
  return {
    name: 'flaky',
    description: 'Fails once.',
    inputSchema: { type: 'object', properties: {} },
    sideEffects: false,
    level: 'guest',
    module: 'test',
    permission: 'none',
    check: (input) => ({ input }),
    run: async () => {
      if (!failed) {
        failed = true;
        throw new BelayError({ code: 'network', message: 'Connection reset.' });
      }
      return Promise.resolve({ content: [{ type: 'text', text: 'worked' }] });
    },
  };
}

const isSummary = (system: unknown): boolean =>
  JSON.stringify(system).includes('You summarize the record');

/** Stories that together make every kind of event but those that need a crash. */
async function everything(test: TestEngine): Promise<string> {
  const { agent } = test.engine;
  const turns: readonly Turn[] = [
    fail(529, 'overloaded_error', 'Overloaded'),
    { ...say('broken'), cut: { how: 'reset', at: { events: 4 } } },
    calls(call('flaky', {})),
    calls(call('run_command', { command: "sh -c 'echo hello; sleep 0.2; echo there'" })),
    ...Array.from({ length: 5 }, () => calls(call('search_text', { pattern: 'nowhere' }))),
  ];
  let n = 0;
  test.server.use((request) => {
    if (isSummary(request.system)) return say('## Goal\nAll of it.');
    if (request.tool_choice?.type === 'tool')
      return calls(call('ask_human', { question: 'What now?' }));
    if (request.tool_choice?.type === 'none') return say('So far.');
    n += 1;
    return turns[n - 1] ?? say('Done.');
  });
  const { sessionId } = await test.run('Do everything.');
  await agent.send(sessionId, { text: 'And more.' });
  await agent.runs.settled(sessionId);
  await agent.compaction.summarize(sessionId, 'Keep the names.');
  return sessionId;
}

/** What the stories below told, and what of it the database has. */
const told = new Set<RunEventType>();
const kept = new Set<RunEventType>();

/** Notes what a story told; gives what is kept of its session. */
async function noted(test: TestEngine, sessionId: string): Promise<readonly RunEvent[]> {
  const { recorder, transcripts } = test.engine.store;
  await recorder.flush();
  const events = await transcripts.events(sessionId);
  for (const { type } of test.events) told.add(type);
  for (const { type } of events) kept.add(type);
  return events;
}

/** Tells how far it is, as a server's tool does. */
const slowTool: Tool = {
  ...flaky(),
  name: 'slow',
  run: async (_input, { emit, callId }) => {
    emit({ type: 'tool.progress', callId, message: 'half', fraction: 0.5 });
    return Promise.resolve({ content: [{ type: 'text', text: 'done' }] });
  },
};

describe('stories of events', function () {
  this.timeout(180_000);

  it('C11: what happens is told under the documents’ names, kept in the database and shown in the timeline', async () => {
    await using test = await TestEngine.open({
      script: () => say('Done.'),
      settings: { 'permissions.mode': 'ask', 'advanced.toolRetryDelaySeconds': 0.01 },
      tools: [flaky()],
    });
    const sessionId = await everything(test);
    const expected: readonly RunEventType[] = [
      'message.added',
      'message.started',
      'message.delta',
      'message.tool_call_started',
      'message.part',
      'message.completed',
      'message.discarded',
      'model.request',
      'model.waiting',
      'model.usage',
      'model.prefix',
      'tool.pending',
      'tool.approval',
      'tool.started',
      'tool.output',
      'tool.finished',
      'agent.tool.retry',
      'agent.loop.detected',
      'agent.guardrail.escalated',
      'agent.compaction.run',
      'agent_run.started',
      'agent_run.iteration',
      'agent_run.waiting',
      'agent_run.answered',
      'agent_run.completed',
      'session.titled',
      'summarize.progress',
    ];
    const stored = await noted(test, sessionId);
    const happened = new Set(test.events.map(({ type }) => type));
    assert.deepEqual(
      expected.filter((type) => !happened.has(type)),
      [],
    );
    const types = new Set(stored.map(({ type }) => type));
    assert.deepEqual(
      expected.filter((type) => !isTransient(type) && !types.has(type)),
      [],
    );
    assert.ok(stored.every(({ type }) => !isTransient(type)));
    const seqs = stored.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((left, right) => left - right),
    );
    const toldOfSession = test.events.filter(
      (event) => event.sessionId === sessionId && !isTransient(event.type),
    );
    assert.equal(stored.length, toldOfSession.length, 'none is lost');
    const text = timelineText('Everything', stored);
    for (const type of types) assert.ok(text.includes(`\`${type}\``), type);
    assert.match(text, /## Prompt cache/u);
  });

  for (const [name, type, story] of [
    [
      'agent_run.failed and model.fallback: both models fail',
      ['model.fallback', 'agent_run.failed'],
      {
        script: () => fail(404, 'not_found_error', 'model'),
        settings: { 'model.fallbacks': ['claude-haiku-4-5'] },
      },
    ],
    [
      'agent.exhaustion.celery_soft: the soft time limit',
      ['agent.exhaustion.celery_soft'],
      {
        script: inOrder(calls(call('run_command', { command: 'sleep 1.2' })), say('So far.')),
        settings: { 'advanced.softTimeLimitSeconds': 1 },
      },
    ],
    [
      'context.warning: 80 % of the window',
      ['context.warning'],
      {
        script: () => say('Hello.'),
        settings: { 'model.contextLimit': 3300, 'context.strategy': 'none' },
      },
    ],
  ] as const) {
    it(`C11: ${name}, kept`, async () => {
      await using test = await TestEngine.open(story);
      const { sessionId } = await test.run('word '.repeat(1500));
      const types = (await noted(test, sessionId)).map((one) => one.type);
      for (const wanted of type) assert.ok(types.includes(wanted), `${wanted}: ${types.join()}`);
    });
  }

  it('C11: agent_run.stopping and agent_run.cancelled, session.queue, kept or shown', async () => {
    await using test = await TestEngine.open({ script: () => say('late', { delayMs: 4000 }) });
    const sessionId = await test.start('Hello.');
    await test.event('model.request');
    await test.engine.agent.send(sessionId, { text: 'Later.' });
    assert.equal(test.ofType('session.queue').at(-1)?.queued.length, 1);
    const [queued] = test.engine.agent.queue.list(sessionId);
    await test.engine.agent.queue.remove(queued?.id ?? '');
    test.engine.agent.runs.cancel(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'canceled');
    const types = (await noted(test, sessionId)).map(({ type }) => type);
    assert.ok(types.includes('agent_run.stopping') && types.includes('agent_run.cancelled'));
  });

  it('C11: agent_run.handed_over, kept: the run stops between two steps, and goes on from there', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('run_command', { command: 'echo one' })), say('Done.')),
    });
    const { agent } = test.engine;
    const sessionId = await test.start('Go');
    assert.equal(agent.runs.handOver(sessionId), true);
    assert.equal((await agent.runs.settled(sessionId))?.state, 'running');
    const handoff = await agent.handoffs.of(sessionId);
    assert.equal(handoff?.resumable, true);
    await agent.handoffs.resume(handoff.run.id, {});
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
    assert.equal(test.server.requests.length, 2, 'nothing was asked twice');
    await noted(test, sessionId);
  });

  it('C11 C7: agent_run.dispatch_next_failed: a queued message that cannot start stays queued, and goes later', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        say(JSON.stringify(request.messages.at(-1)).includes('first') ? 'one' : 'two', {
          delayMs: 300,
        }),
    });
    const { agent, store } = test.engine;
    const sessionId = await test.start('first');
    await agent.send(sessionId, { text: 'second' });
    const claim = store.leases.claim.bind(store.leases);
    store.leases.claim = async () =>
      Promise.reject(new BelayError({ code: 'store', message: 'The disk is gone.' }));
    const { failure } = await test.event('agent_run.dispatch_next_failed');
    assert.match(failure.message, /disk is gone/u);
    assert.deepEqual(
      agent.queue.list(sessionId).map(({ text }) => text),
      ['second'],
    );
    store.leases.claim = claim;
    await agent.send(sessionId, { text: 'third' });
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    const asked = (await test.messages(sessionId)).flatMap((message) =>
      message.origin === 'person' ? [textOf(message)] : [],
    );
    assert.deepEqual(asked, ['first', 'second', 'third']);
    await noted(test, sessionId);
  });

  it('C11 C8: agent_run.reconcile and resume_unsafe after a window died in the middle of a call', async () => {
    await using crashed = await crash({
      script: () => calls(call('run_command', { command: 'echo one >> out.txt; sleep 30' }, 'one')),
      until: async (_window, place) => {
        while (!(await place.lines('out.txt')).includes('one')) await new Promise(setImmediate);
      },
    });
    await using test = await TestEngine.open({ script: () => say('Done.'), after: crashed });
    await test.engine.agent.handoffs.reconcile();
    assert.equal(test.ofType('agent_run.reconcile')[0]?.timedOut, 1);
    assert.ok((await test.engine.agent.handoffs.of(crashed.sessionId)) !== undefined);
    await noted(test, crashed.sessionId);
  });

  it('C11: permission.kept, tool.overtaken, tool.progress, session.todo', async () => {
    const command = (text: string) => calls(call('run_command', { command: text }));
    await using test = await TestEngine.open({
      script: inOrder(
        calls(call('todo', { items: [{ text: 'Look', status: 'active' }] })),
        calls(call('slow', {})),
        command('npm run one'),
        calls(call('write_file', { path: 'two.txt', content: 'two' })),
        say('Done.'),
      ),
      settings: { 'permissions.mode': 'ask', 'advanced.deferMcpToolsAbovePercent': 100 },
      tools: [slowTool],
    });
    test.human.decide = async () => {
      if (test.human.approvals.length < 2) return { keep: 'session' };
      const { sessionId = '' } = test.events[0] ?? {};
      // The question is open when this returns, not before.
      await new Promise(setImmediate);
      await test.engine.agent.sessions.setOptions(sessionId, { mode: 'read' });
      return new Promise<never>(() => undefined);
    };
    const { sessionId, end } = await test.run('Go.');
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const types = (await noted(test, sessionId)).map(({ type }) => type);
    for (const wanted of ['permission.kept', 'tool.overtaken', 'session.todo'] as const)
      assert.ok(types.includes(wanted), `${wanted}: ${types.join()}`);
  });

  it('C11: journal_update and session.followups, kept or shown', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('append_run_journal_entry', { section: 'verified_findings', entry: 'It works.' }),
        ),
        calls(call('schedule_followup', { prompt: 'Look again.', delay_minutes: 60 })),
        say('Done.'),
      ),
      host: { staysOpen: true },
    });
    const { sessionId } = await test.run('Go.');
    assert.equal(test.ofType('session.followups').at(-1)?.followUps.length, 1);
    const types = (await noted(test, sessionId)).map(({ type }) => type);
    assert.ok(types.includes('journal_update'), types.join());
  });

  it('C11: agent.child.started and agent.child.ended, kept', async () => {
    await using test = await TestEngine.open({
      script: ({ messages }) => {
        const asked = JSON.stringify(messages.filter(({ role }) => role === 'user'));
        if (asked.includes('tool_result')) return say('All told.');
        if (asked.includes('TASK')) return say('Found.');
        return calls(call('agent', { title: 'Look', task: 'TASK look' }));
      },
    });
    const { sessionId } = await test.run('Go.');
    const types = (await noted(test, sessionId)).map(({ type }) => type);
    assert.ok(types.includes('agent.child.started'), types.join());
    assert.ok(types.includes('agent.child.ended'), types.join());
  });

  it('C11 C4: agent.recovery.fired when compaction is not enough, and warning', async () => {
    let turn = 0;
    await using test = await TestEngine.open({
      script: (request) => {
        if (isSummary(request.system)) return fail(400, 'invalid_request_error', 'no');
        turn += 1;
        return turn <= 14
          ? calls(call('read_file', { files: [{ path: `f${turn}.txt` }] }))
          : say('Enough.');
      },
      settings: { 'model.contextLimit': 22_000, 'advanced.keepMessages': 6 },
      files: Object.fromEntries(
        Array.from({ length: 14 }, (_, n) => [
          `f${n + 1}.txt`,
          Array.from({ length: 300 }, (_line, m) => `file ${n + 1} line ${m} says something`).join(
            '\n',
          ),
        ]),
      ),
    });
    const { sessionId } = await test.run('Read all the files.');
    test.engine.broker.publish(sessionId, '', { type: 'warning', message: 'x' });
    const types = (await noted(test, sessionId)).map(({ type }) => type);
    assert.ok(types.includes('agent.recovery.fired'), types.join());
  });

  it('C11: the documented events are those that exist, each was told above, and kept as documented', () => {
    const rows = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8').matchAll(
      /^\| `(?<type>[^`]+)` \| (?<category>\w+) \| (?<kept>yes|no) \| .{10,} \|$/gmu,
    );
    assert.deepEqual(
      [...rows].map(({ groups }) => [groups?.['type'], groups?.['category'], groups?.['kept']]),
      Object.entries(EVENTS).map(([type, entry]) => [
        type,
        entry.category,
        entry.kept === false ? 'no' : 'yes',
      ]),
    );
    const types = Object.keys(EVENTS) as RunEventType[];
    assert.deepEqual(
      types.filter((type) => !told.has(type)),
      [],
    );
    assert.deepEqual(
      types.filter((type) => kept.has(type) === isTransient(type)),
      [],
    );
  });

  it('B7: a subscriber that sleeps while a run works delays nothing, and catches up from the database', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        ...Array.from({ length: 20 }, (_, n) =>
          calls(call('run_command', { command: `echo ${n}` })),
        ),
        say('word '.repeat(500)),
      ),
    });
    const slow = test.engine.broker.subscribe();
    const { promise: asleep, resolve: wake } = Promise.withResolvers<undefined>();
    const read: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of slow) {
        read.push(event);
        await asleep;
        if (event.type === 'agent_run.completed') break;
      }
    })();
    const { sessionId, end } = await test.run('Count.');
    assert.equal(end?.reason, 'done', 'the run ended while the subscriber slept');
    assert.ok(slow.lost > 100, `${slow.lost}`);
    wake(undefined);
    await reading;
    const stored = await noted(test, sessionId);
    assert.deepEqual(
      read.flatMap(({ seq, type, sessionId: of }) =>
        of === sessionId && !isTransient(type) ? [seq] : [],
      ),
      stored.filter(({ seq }) => seq <= (read.at(-1)?.seq ?? 0)).map(({ seq }) => seq),
    );
  });
});
