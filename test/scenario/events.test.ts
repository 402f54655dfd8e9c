import assert from 'node:assert/strict';
import type { RunEventType } from '../../src/domain/event.ts';
import { isTransient } from '../../src/domain/event.ts';
import { textOf } from '../../src/domain/message.ts';
import { BelayError } from '../../src/domain/failure.ts';
import { timelineText } from '../../src/core/session/timeline.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
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
  await agent.summarize(sessionId, 'Keep the names.');
  return sessionId;
}

describe('stories of events', function () {
  this.timeout(60_000);

  it('C11: what happens is told under the documents’ names, kept in the database and shown in the timeline', async () => {
    await using test = await TestEngine.open({
      script: () => say('Done.'),
      settings: { 'permissions.mode': 'ask', 'tools.retryBase': 0.01 },
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
    const told = new Set(test.events.map(({ type }) => type));
    assert.deepEqual(
      expected.filter((type) => !told.has(type)),
      [],
    );
    await test.engine.store.recorder.flush();
    const kept = await test.engine.store.transcripts.events(sessionId);
    const types = new Set(kept.map(({ type }) => type));
    assert.deepEqual(
      expected.filter((type) => !isTransient(type) && !types.has(type)),
      [],
    );
    assert.ok(kept.every(({ type }) => !isTransient(type)));
    const seqs = kept.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((left, right) => left - right),
    );
    const toldOfSession = test.events.filter(
      (event) => event.sessionId === sessionId && !isTransient(event.type),
    );
    assert.equal(kept.length, toldOfSession.length, 'none is lost');
    const text = timelineText('Everything', kept);
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
        settings: { 'loop.softTimeLimit': 1 },
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
      await test.engine.store.recorder.flush();
      const kept = (await test.engine.store.transcripts.events(sessionId)).map((one) => one.type);
      for (const wanted of type) assert.ok(kept.includes(wanted), `${wanted}: ${kept.join()}`);
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
    await test.engine.store.recorder.flush();
    const kept = (await test.engine.store.transcripts.events(sessionId)).map(({ type }) => type);
    assert.ok(kept.includes('agent_run.stopping') && kept.includes('agent_run.cancelled'));
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
  });

  it('C11 C8: agent_run.reconcile after a window was closed in the middle of a run', async () => {
    const first = await TestEngine.open({
      script: () => calls(call('run_command', { command: 'sleep 30' })),
    });
    const sessionId = await first.start('Go.');
    await first.event('tool.started');
    await first.close();
    await using test = await TestEngine.open({ script: () => say('Done.'), after: first });
    await test.engine.agent.handoffs.reconcile();
    assert.equal(test.ofType('agent_run.reconcile')[0]?.timedOut, 1);
    assert.ok((await test.engine.agent.handoffs.of(sessionId)) !== undefined);
  });
});
