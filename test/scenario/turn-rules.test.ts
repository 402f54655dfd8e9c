import assert from 'node:assert/strict';
import { textOf, toolCallsOf, toolResultsOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

const lastText = (request: WireRequest | undefined): string =>
  JSON.stringify(request?.messages.at(-1)?.content ?? '');
const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);
const search = calls(call('search_text', { pattern: 'nowhere to be found' }));

describe('stories of the rules at each turn', () => {
  it('C2 C13: the same call again and again is nudged, told, and then the person is asked', async () => {
    await using test = await TestEngine.open({
      script: (request, n) => {
        if (request.tool_choice?.type === 'tool')
          return calls(call('ask_human', { question: 'What now?' }));
        return n <= 5 ? search : say('I give up.');
      },
    });
    test.human.answer = () => Promise.resolve('Look elsewhere.');
    assert.equal((await test.run('Find it.')).end?.reason, 'done');
    assert.deepEqual(
      test.ofType('agent.loop.detected').map(({ tier, tool, level }) => [tier, tool, level]),
      [
        ['identical', 'search_text', 1],
        ['identical', 'search_text', 2],
        ['identical', 'search_text', 3],
      ],
    );
    assert.equal(test.ofType('agent.guardrail.escalated').length, 3);
    assert.match(lastText(bodies(test)[3]), /different approach or a different tool/u);
    assert.match(lastText(bodies(test)[4]), /Stop\. Do not call search_text like this again/u);
    assert.deepEqual(bodies(test)[5]?.tool_choice, { type: 'tool', name: 'ask_human' });
    assert.notEqual(bodies(test)[6]?.tool_choice?.type, 'tool', 'a forced tool holds for one call');
    assert.equal(test.human.questions.length, 1);
  });

  it('C2: searching again and again for what is nowhere is noticed', async () => {
    await using test = await TestEngine.open({
      files: { 'a.txt': 'a\n' },
      script: (_request, n) =>
        n > 6 ? say('I give up.') : calls(call('search_text', { pattern: `nowhere ${n}` })),
    });
    await test.run('Find it.');
    assert.deepEqual(
      test.ofType('agent.loop.detected').map(({ tier, level }) => `${tier} ${level}`),
      ['pattern 1', 'pattern 2'],
    );
  });

  it('C2: reading 30 different files, and a command after each edit, raise no alarm', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`f${n}.txt`, `text of ${n}`]),
    );
    await using test = await TestEngine.open({
      script: (_request, n) => {
        if (n <= 30) return calls(call('read_file', { files: [{ path: `f${n - 1}.txt` }] }));
        if (n <= 42) {
          return n % 2 === 1
            ? calls(call('write_file', { path: `out-${n}.txt`, content: `${n}` }))
            : calls(call('run_command', { command: 'echo tests passed' }));
        }
        return say('Done.');
      },
      files,
    });
    assert.equal((await test.run('Go.')).end?.reason, 'done');
    assert.deepEqual(test.ofType('agent.loop.detected'), []);
  });

  it('D1: at the cap the run pauses, and Continue goes on', async () => {
    await using test = await TestEngine.open({
      script: (_request, n) =>
        n <= 3 ? calls(call('run_command', { command: `echo ${n}` })) : say('Done.'),
      settings: { 'loop.maxIterations': 2 },
    });
    const { end, sessionId } = await test.run('Go.');
    assert.equal(end?.reason, 'max_iterations');
    assert.equal(end.canContinue, true);
    assert.equal(bodies(test).length, 2);
    await test.engine.agent.continueRun(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    const made = (await test.messages(sessionId)).flatMap(toolCallsOf);
    assert.equal(made.length, 3);
  });

  it('C5: at the soft limit one last turn without tools sums up', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        request.tool_choice?.type === 'none'
          ? say('So far so good.')
          : calls(call('run_command', { command: 'sleep 1.2' })),
      settings: { 'advanced.softTimeLimitSeconds': 1 },
    });
    const { end, sessionId } = await test.run('Work.');
    assert.equal(end?.reason, 'time_limit');
    assert.equal(end.canContinue, true);
    assert.equal(test.ofType('agent.exhaustion.celery_soft').length, 1);
    assert.match(lastText(bodies(test).at(-1)), /Sum up for the person what you have done/u);
    assert.ok(
      (bodies(test).at(-1)?.tools ?? []).length > 0,
      'the tools stay, for the prompt cache',
    );
    assert.equal(
      textOf((await test.messages(sessionId)).at(-1) ?? { parts: [] }),
      'So far so good.',
    );
  });

  it('C5: the hard limit interrupts a model that does not answer', async () => {
    await using test = await TestEngine.open({
      script: () => say('late', { delayMs: 60_000 }),
      settings: { 'advanced.softTimeLimitSeconds': 1, 'advanced.hardTimeLimitSeconds': 1 },
    });
    assert.equal((await test.run('Work.')).end?.reason, 'time_limit');
  });

  it('C5: time spent waiting for the person does not count', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('ask_human', { question: 'Yes?' })), say('Done.')),
      settings: { 'advanced.softTimeLimitSeconds': 1, 'advanced.hardTimeLimitSeconds': 1 },
    });
    test.human.answer = () => new Promise((resolve) => setTimeout(resolve, 1500, 'Yes.'));
    assert.equal((await test.run('Ask me.')).end?.reason, 'done');
  });

  it('c09: an empty answer is asked for again; the history holds no empty message', async () => {
    await using test = await TestEngine.open({
      script: inOrder({ content: [] }, say('Here I am.')),
    });
    const { end, sessionId } = await test.run('Hello?');
    assert.equal(end?.reason, 'done');
    assert.equal(bodies(test).length, 2);
    const messages = await test.messages(sessionId);
    assert.ok(messages.every((message) => message.parts.some((part) => part.type !== 'finish')));
  });

  it('c09: an answer of blanks is an empty one', async () => {
    await using test = await TestEngine.open({
      script: (_request, n) => (n === 1 ? say(' \n\t') : say('Here.')),
    });
    const { end, sessionId } = await test.run('Go.');
    assert.equal(end?.state, 'completed');
    assert.equal(textOf((await test.messages(sessionId)).at(-1) ?? assert.fail()), 'Here.');
  });

  it('c09: two empty answers stop the run with a way on', async () => {
    await using test = await TestEngine.open({ script: () => ({ content: [] }) });
    const { end } = await test.run('Hello?');
    assert.equal(end?.failure?.code, 'empty_response');
    assert.ok(bodies(test).length <= 4);
  });

  it('c10: a paused turn goes on as it is', async () => {
    await using test = await TestEngine.open({
      script: inOrder(say('Thinking about it', { stopReason: 'pause_turn' }), say('Done.')),
    });
    assert.equal((await test.run('Go.')).end?.reason, 'done');
    assert.equal(bodies(test)[1]?.messages.at(-1)?.role, 'assistant');
    assert.match(lastText(bodies(test)[2]), /Go on\./u, 'this server takes no answer at the end');
  });

  it('c11: a refusal is not repeated, and the next message goes without it', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        lastText(request).includes('bad') ? { content: [], stopReason: 'refusal' } : say('Fine.'),
      settings: { 'model.fallbacks': [] },
    });
    const { end, sessionId } = await test.run('Something bad.');
    assert.equal(end?.failure?.code, 'refusal');
    const asked = bodies(test).length;
    assert.equal(asked, 1);
    await test.engine.agent.send(sessionId, { text: 'Something good.' });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.doesNotMatch(JSON.stringify(bodies(test)[1]?.messages), /Something bad/u);
  });

  it('c14: a cut answer is continued', async () => {
    await using test = await TestEngine.open({
      script: inOrder(say('The first half', { stopReason: 'max_tokens' }), say('and the rest.')),
    });
    assert.equal((await test.run('Tell me.')).end?.reason, 'done');
    assert.match(lastText(bodies(test)[1]), /Continue exactly where it stops/u);
  });
});

describe('the tour of the demo model', () => {
  async function tour(decide: boolean): Promise<{ said: string; states: readonly string[] }> {
    await using test = await TestEngine.open({
      script: () => assert.fail('no request may leave'),
      settings: { 'model.name': 'demo', 'permissions.mode': 'ask' },
      files: { 'README.md': '# Kite\n' },
    });
    test.human.decide = () => Promise.resolve({ allowed: decide });
    const { end, sessionId } = await test.run('Take the tour');
    assert.equal(end?.reason, 'done');
    assert.equal(bodies(test).length, 0);
    const messages = await test.messages(sessionId);
    return {
      said: messages
        .filter(({ role }) => role === 'assistant')
        .map(textOf)
        .join('\n\n'),
      states: messages.flatMap(toolResultsOf).map(({ name, state }) => `${name} ${state}`),
    };
  }

  it('reads, edits and runs offline, and says once that it is the demo', async () => {
    const { said, states } = await tour(true);
    assert.deepEqual(states, ['list_files done', 'write_file done', 'run_command done']);
    assert.equal(said.match(/demo model/giu)?.length, 1);
    assert.match(
      said,
      /^I am the demo model\.[^]*1\. Read[^]*2\. Edit[^]*3\. Run[^]*That was the tour/u,
    );
  });

  it('goes on after a denied edit and names it', async () => {
    const { said, states } = await tour(false);
    assert.deepEqual(states, ['list_files done', 'write_file denied', 'run_command done']);
    assert.match(said, /- `write_file`: denied/u);
  });
});
