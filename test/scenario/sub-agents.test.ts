import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Message, textOf, toolCallsOf, toolResultsOf } from '../../src/domain/message.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { hasResults, taskOf } from '../support/model-server/delegated.ts';
import {
  type Block,
  type Turn,
  type WireRequest,
  call,
  calls,
  fail,
  say,
} from '../support/model-server/turn.ts';

/** A task for a sub-agent, told by its word. */
const agent = (word: string, id = `call_${word}`): Block =>
  call('agent', { title: `Look at ${word}`, task: `TASK ${word}` }, id);

const systemOf = ({ system }: WireRequest): string => JSON.stringify(system);
const toolsOf = ({ tools = [] }: WireRequest): readonly string[] => tools.map(({ name }) => name);

type Answer = (request: WireRequest) => Turn | Promise<Turn>;

/** The person's session delegates `blocks` at once and then says what it was told; each task has its own answer. */
async function delegating(
  blocks: readonly Block[],
  tasks: Readonly<Record<string, Answer>>,
  options: Partial<TestEngineOptions> = {},
): Promise<{ readonly test: TestEngine; readonly asked: WireRequest[] }> {
  const asked: WireRequest[] = [];
  const test = await TestEngine.open({
    ...options,
    script: async (request) => {
      asked.push(request);
      const word = taskOf(request);
      if (word !== '') return (tasks[word] ?? (() => say(`found ${word}`)))(request);
      return hasResults(request) ? say('All told.') : calls(...blocks);
    },
  });
  return { test, asked };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(5);
}

const resultsOf = (messages: readonly Message[]) =>
  new Map(
    messages.flatMap(toolResultsOf).map((result) => [
      result.callId,
      {
        state: result.state,
        text: textOf({ parts: result.content }),
        display: result.display ?? {},
      },
    ]),
  );

describe('stories of sub-agents', function () {
  this.timeout(30_000);

  it('B13: three work at the same time below their parent; one fails, one is stopped by the person, and the third reports', async () => {
    const begun = new Set<string>();
    const together = Promise.withResolvers<undefined>();
    const meet = async (word: string): Promise<void> => {
      begun.add(word);
      if (begun.size === 3) together.resolve(undefined);
      await together.promise;
    };
    const { test, asked } = await delegating(
      [agent('good'), agent('bad'), agent('slow')],
      {
        good: async (request) => {
          if (hasResults(request)) return say('good: it is in a.txt');
          await meet('good');
          return calls(call('read_file', { path: 'a.txt' }));
        },
        bad: async () => {
          await meet('bad');
          return fail(400, 'invalid_request_error', 'No such thing.');
        },
        slow: async () => {
          await meet('slow');
          return say('never heard', { delayMs: 60_000 });
        },
      },
      {
        files: {
          'a.txt': 'here',
          'AGENTS.md': 'Be exact.',
          'CLAUDE.md': 'Nobody reads this.',
          'TOOLS.md': 'Use make.',
        },
      },
    );
    await using _ = test;
    const { engine } = test;
    const sessionId = await test.start('Find it.');
    await together.promise;
    // The others have ended when the last is stopped.
    await until(
      () => !engine.agent.runs.isBusy('call_good') && !engine.agent.runs.isBusy('call_bad'),
    );
    engine.agent.runs.cancel('call_slow');
    assert.equal((await engine.agent.runs.settled(sessionId))?.reason, 'done');

    const results = resultsOf(await test.messages(sessionId));
    assert.deepEqual(
      ['call_good', 'call_bad', 'call_slow'].map((id) => results.get(id)?.state),
      ['done', 'failed', 'failed'],
    );
    assert.equal(results.get('call_good')?.text, 'good: it is in a.txt');
    assert.match(results.get('call_bad')?.text ?? '', /sub-agent failed: .*No such thing/su);
    assert.match(results.get('call_slow')?.text ?? '', /person stopped this sub-agent/u);

    const sessions = await engine.store.transcripts.sessions();
    const children = sessions.filter(({ type }) => type === 'task');
    assert.deepEqual(
      new Set(children.map(({ id }) => id)),
      new Set(['call_good', 'call_bad', 'call_slow']),
    );
    assert.ok(children.every(({ parentId }) => parentId === sessionId));
    assert.equal(children.find(({ id }) => id === 'call_good')?.title, 'Look at good');
    const parent = sessions.find(({ id }) => id === sessionId);
    const good = children.find(({ id }) => id === 'call_good');
    assert.ok((good?.cost ?? 0) > 0 && (parent?.cost ?? 0) > (good?.cost ?? 0), 'costs add up');

    const research = asked.find((request) => taskOf(request) === 'good');
    assert.ok(research !== undefined);
    assert.match(systemOf(research), /You are a researcher/u);
    assert.match(systemOf(research), /Be exact\..*Use make\./su);
    assert.doesNotMatch(
      systemOf(research),
      /Nobody reads this|coding agent in the person's editor/u,
    );
    const tools = toolsOf(research);
    assert.ok(tools.includes('read_file') && tools.includes('search_text'));
    for (const name of ['edit_file', 'run_command', 'agent', 'ask_human', 'remember', 'todo'])
      assert.ok(!tools.includes(name), name);
    assert.equal(engine.agent.runs.all().length, 0, 'nothing is left at work');
  });

  it('C7: a session that delegates needs one turn only, however many it waits for', async () => {
    const { test } = await delegating(
      [agent('a'), agent('b')],
      {},
      { settings: { 'advanced.parallelRuns': 1 } },
    );
    await using _ = test;
    const { end } = await test.run('Go.');
    assert.equal(end?.reason, 'done');
  });

  it('B13: what a child asks for is decided by what its parent may, and nobody writes to it but its parent', async () => {
    const { test } = await delegating([agent('edits')], {
      edits: async (request) =>
        hasResults(request)
          ? say(JSON.stringify(request.messages.at(-1)))
          : calls(
              call('write_file', { path: 'b.txt', content: 'x' }),
              call('agent', { title: 't', task: 'TASK deeper' }),
            ),
    });
    await using _ = test;
    const { sessionId } = await test.run('Go.');
    const said = resultsOf(await test.messages(sessionId)).get('call_edits')?.text ?? '';
    assert.match(said, /no tool.*write_file|write_file.*(?:not|no) /isu);
    const children = (await test.engine.store.transcripts.sessions()).filter(
      ({ type }) => type === 'task',
    );
    assert.equal(children.length, 1, 'it delegates no further');
    await assert.rejects(test.engine.agent.send('call_edits', { text: 'hello' }), /sub-agent/u);
    await assert.rejects(test.engine.agent.continueRun('call_edits'), /sub-agent/u);
  });

  it('B13: with more depth children delegate again; deny lists of the settings take tools from all and from the last ones', async () => {
    const { test, asked } = await delegating(
      [agent('upper')],
      {
        upper: async (request) => (hasResults(request) ? say('upper done') : calls(agent('lower'))),
      },
      {
        settings: {
          'agents.depth': 2,
          'agents.deniedTools': ['find_files'],
          'agents.deniedToolsOfLeaves': ['search_text'],
        },
      },
    );
    await using _ = test;
    const { sessionId } = await test.run('Go.');
    assert.equal(resultsOf(await test.messages(sessionId)).get('call_upper')?.text, 'upper done');
    const of = (word: string) =>
      toolsOf(asked.find((request) => taskOf(request) === word) ?? ({} as WireRequest));
    assert.ok(of('upper').includes('agent') && of('upper').includes('search_text'));
    assert.ok(!of('upper').includes('find_files') && !of('lower').includes('find_files'));
    assert.ok(!of('lower').includes('agent') && !of('lower').includes('search_text'));
    const lower = (await test.engine.store.transcripts.sessions()).find(
      ({ id }) => id === 'call_lower',
    );
    assert.equal(lower?.parentId, 'call_upper');
    const top = await test.engine.store.transcripts.session(sessionId);
    assert.ok((top?.cost ?? 0) > (lower?.cost ?? 1), 'the cost goes all the way up');
  });

  it('B13: without depth, for guests and in an untrusted workspace there are no sub-agents', async () => {
    const cases: readonly (readonly [Partial<TestEngineOptions>, string])[] = [
      [{ settings: { 'agents.depth': 0 } }, 'no depth'],
      [{ host: { level: () => 'guest', trusted: () => false } }, 'a guest'],
    ];
    for (const [options, why] of cases) {
      const { test, asked } = await delegating([agent('a')], {}, options);
      await using _ = test;
      await test.run('Go.');
      assert.ok(!toolsOf(asked[0] ?? ({} as WireRequest)).includes('agent'), why);
      assert.ok(
        (await test.engine.store.transcripts.sessions()).every(({ type }) => type === 'main'),
      );
    }
  });

  it('B2: sub-agents have a model of their own, where one is set', async () => {
    const { test, asked } = await delegating(
      [agent('a')],
      {},
      { settings: { 'model.taskModel': 'claude-haiku-4-5' } },
    );
    await using _ = test;
    await test.run('Go.');
    assert.deepEqual(
      new Set(asked.map(({ model }) => model)),
      new Set(['claude-sonnet-4-5', 'claude-haiku-4-5']),
    );
    assert.ok(
      asked.every((request) => (taskOf(request) !== '') === (request.model === 'claude-haiku-4-5')),
    );
  });

  it('D4: a stop of the parent stops its children, and every call has its result', async () => {
    const { test } = await delegating([agent('a'), agent('b')], {
      a: async () => say('never', { delayMs: 60_000 }),
      b: async () => say('never', { delayMs: 60_000 }),
    });
    await using _ = test;
    const sessionId = await test.start('Go.');
    await until(() => test.ofType('model.request').length === 3);
    test.engine.agent.runs.cancel(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'canceled');
    const results = resultsOf(await test.messages(sessionId));
    assert.deepEqual(
      [...results.values()].map(({ state }) => state),
      ['canceled', 'canceled'],
    );
    const runs = await test.engine.store.runs.runs({});
    assert.deepEqual(
      runs.map(({ state }) => state),
      ['cancelled', 'cancelled', 'cancelled'],
    );
  });

  it('C5: a child that is out of time is stopped, its last words arrive, and the time of its parent stands still', async () => {
    const { test } = await delegating(
      [agent('slow')],
      {
        slow: async (request) =>
          hasResults(request)
            ? say('never', { delayMs: 60_000 })
            : {
                content: [
                  { type: 'text', text: 'a first idea' },
                  call('find_files', { pattern: '*' }),
                ],
              },
      },
      {
        settings: {
          'advanced.subAgentTimeLimitSeconds': 1.5,
          'advanced.softTimeLimitSeconds': 1,
          'advanced.hardTimeLimitSeconds': 1.2,
        },
      },
    );
    await using _ = test;
    const { sessionId, end } = await test.run('Go.');
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    assert.match(
      resultsOf(await test.messages(sessionId)).get('call_slow')?.text ?? '',
      /time of this sub-agent was over.*a first idea/su,
    );
  });

  it('A2: the budget of a run counts what all its sub-agents use; each has its share, and a child over it reports and ends', async () => {
    const usage = { input_tokens: 1000, output_tokens: 0 };
    const { test } = await delegating(
      [agent('greedy')],
      {
        greedy: async (request) => {
          if (request.tool_choice?.type === 'none') return say('what I have', { usage });
          return {
            ...calls(call('find_files', { pattern: `*${request.messages.length}` })),
            usage,
          };
        },
      },
      { settings: { 'budget.tokensPerRun': 100_000, 'agents.budgetShare': 3 } },
    );
    await using _ = test;
    const { sessionId } = await test.run('Go.');
    const result = resultsOf(await test.messages(sessionId)).get('call_greedy');
    assert.match(result?.text ?? '', /budget of this sub-agent was used up.*what I have/su);
    assert.equal(result?.display['end'], 'budget');
    const child = await test.engine.store.transcripts.session('call_greedy');
    const tokens = child?.inputTokens ?? 0;
    assert.ok(tokens >= 3000 && tokens < 8000, `one more to report: ${tokens}`);
    const run = (await test.engine.store.runs.runs({ sessionId }))[0]?.id ?? '';
    const [used] = await test.engine.store.person.uses(
      [{ period: 'run', unit: 'tokens', limit: 100_000 }],
      { sessionId, runId: run },
    );
    assert.ok((used?.used ?? 0) > tokens, `the run pays for it: ${used?.used}`);
    const [own] = await test.engine.store.person.uses(
      [{ period: 'session', unit: 'tokens', limit: 1 }],
      { sessionId: 'call_greedy' },
    );
    assert.equal(own?.used, 0, 'and nobody else');
  });

  it('A2: a budget that is used up ends the children without a question; the person is asked once, by who waits for them', async () => {
    const usage = { input_tokens: 30_000, output_tokens: 0 };
    const large: Answer = (request) =>
      hasResults(request)
        ? say('done')
        : { ...calls(call('find_files', { pattern: taskOf(request) })), usage };
    const { test } = await delegating(
      [agent('a'), agent('b')],
      { a: large, b: large },
      {
        settings: {
          'budget.tokensPerSession': 40_000,
          'agents.budgetShare': 100,
          'model.maxOutputTokens': 10_000,
        },
      },
    );
    await using _ = test;
    const sessionId = await test.start('Go.');
    const waiting = await test.event('agent_run.waiting');
    assert.equal(waiting.sessionId, sessionId);
    const entries = await test.engine.store.runs.ledger({ sessionId });
    assert.ok(
      entries.every(({ result }) => result !== undefined),
      'the children have ended',
    );
    test.engine.agent.runs.cancel(sessionId);
    await test.engine.agent.runs.settled(sessionId);
    assert.equal(test.ofType('agent_run.waiting').length, 1);
  });

  it('C8: after an end in the middle children go on where they were, before their parent, and nothing is done twice', async () => {
    const reached = Promise.withResolvers<undefined>();
    const { test, asked } = await delegating(
      [agent('a'), agent('b')],
      {
        b: async (request) => {
          if (!hasResults(request)) return calls(call('read_file', { path: 'a.txt' }));
          reached.resolve(undefined);
          return say('never', { delayMs: 60_000 });
        },
      },
      { files: { 'a.txt': 'here' } },
    );
    const sessionId = await test.start('Go.');
    await reached.promise;
    await until(() => !test.engine.agent.runs.isBusy('call_a'));
    await test.close();

    const again: WireRequest[] = [];
    await using second = await TestEngine.open({
      after: test,
      script: (request) => {
        again.push(request);
        return taskOf(request) === '' ? say('All told.') : say(`found ${taskOf(request)}`);
      },
    });
    const { agent: engine } = second.engine;
    await engine.start();
    assert.equal(await engine.handoffs.of('call_b'), undefined, 'a child is not offered by itself');
    const handoff = await engine.handoffs.of(sessionId);
    await engine.handoffs.resume(handoff?.run.id ?? '', {});
    assert.equal((await engine.runs.settled(sessionId))?.reason, 'done');
    const results = resultsOf(await second.messages(sessionId));
    assert.equal(results.get('call_a')?.text, 'found a');
    assert.equal(results.get('call_b')?.text, 'found b');
    assert.deepEqual(
      again.map(taskOf),
      ['b', ''],
      'the child first, and who was done is not asked again',
    );
    assert.equal(asked.filter((request) => taskOf(request) === 'a').length, 1);
    const reads = (await second.messages('call_b')).flatMap(toolCallsOf);
    assert.equal(reads.length, 1);
    assert.equal((await second.engine.store.runs.runs({ sessionId: 'call_b' })).length, 1);
  });

  it('B13: ids that a server gives twice are two children', async () => {
    const { test } = await delegating([agent('a', 'call_0')], {});
    await using _ = test;
    const first = await test.run('Go.');
    const second = await test.run('Go.');
    const children = (await test.engine.store.transcripts.sessions()).filter(
      ({ type }) => type === 'task',
    );
    assert.deepEqual(
      new Set(children.map(({ parentId }) => parentId)),
      new Set([first.sessionId, second.sessionId]),
    );
  });
});
