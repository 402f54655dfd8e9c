import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { textOf, toolCallsOf, toolResultsOf } from '../../src/domain/message.ts';
import type { Message, ToolResultPart } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Block, WireRequest } from '../support/model-server/turn.ts';

const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);
const resultText = (result: ToolResultPart | undefined): string =>
  (result?.content ?? []).map((part) => ('text' in part ? part.text : '')).join('');

/** Every call of a session has exactly one result, in the order of the calls, and ids are unique. */
function assertPaired(messages: readonly Message[]): void {
  const made = messages.flatMap(toolCallsOf).map(({ id }) => id);
  assert.deepEqual(
    messages.flatMap(toolResultsOf).map(({ callId }) => callId),
    made,
  );
  assert.equal(new Set(made).size, made.length);
}

interface Played {
  readonly results: readonly ToolResultPart[];
  readonly messages: readonly Message[];
  readonly started: number;
}

/** One turn with these calls, then an answer; the run must end well and a second message must work. */
async function play(test: TestEngine): Promise<Played> {
  const { end, sessionId } = await test.run('Go.');
  assert.equal(end?.reason, 'done', JSON.stringify(end));
  const messages = await test.messages(sessionId);
  assertPaired(messages);
  const started = test.ofType('tool.started').length;
  await test.engine.agent.send(sessionId, { text: 'And now?' });
  assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
  return { results: messages.flatMap(toolResultsOf), messages, started };
}

const out = (test: TestEngine, name = 'a.txt'): string => path.join(test.workspace, name);

describe('stories of faulty tool calls, through the whole engine', function () {
  this.timeout(60_000);

  it('c01: input that is not valid JSON is answered with what was wrong, and nothing is run', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('write_file', '{"path":"a.txt","content":"ha')), say('Sorry.')),
    });
    const { results, started } = await play(test);
    assert.equal(results[0]?.state, 'failed');
    assert.match(resultText(results[0]), /could not be read, so it was not run/u);
    assert.match(resultText(results[0]), /"path":"a\.txt"/u);
    assert.equal(started, 0);
    assert.ok(!existsSync(out(test)));
    const sent = bodies(test)[1]?.messages.at(-1)?.content;
    assert.match(JSON.stringify(sent), /"is_error":true/u);
  });

  it('c02: input cut at the output limit is not run, and the model is told to split the work', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        {
          content: [
            { type: 'text', text: 'Writing.' },
            call('write_file', '{"path":"a.txt","content":"half of'),
          ],
          stopReason: 'max_tokens',
        },
        calls(call('write_file', { path: 'a.txt', content: 'small' })),
        say('Written.'),
      ),
    });
    const { results } = await play(test);
    assert.deepEqual(
      results.map(({ state }) => state),
      ['failed', 'done'],
    );
    assert.match(JSON.stringify(bodies(test)[1]?.messages.at(-1)), /smaller steps/u);
    assert.equal(await readFile(out(test), 'utf8'), 'small');
  });

  it('c03: a missing field is named, and nothing is run', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('write_file', {}), call('write_file', '')), say('Sorry.')),
    });
    const { results, started } = await play(test);
    assert.equal(started, 0);
    for (const result of results) {
      assert.equal(result.state, 'failed');
      assert.match(resultText(result), /not valid, so it was not run/u);
      assert.match(resultText(result), /path/u);
      assert.match(resultText(result), /content/u);
    }
  });

  it('c04: wrong types and keys that pollute a prototype change nothing', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('write_file', { path: 5, content: ['x'] }),
          call(
            'write_file',
            '{"path":"a.txt","content":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
          ),
          call('read_file', '{"__proto__":{"files":[{"path":"a.txt"}]}}'),
        ),
        say('Fine.'),
      ),
    });
    const { results } = await play(test);
    assert.equal(results[0]?.state, 'failed');
    assert.match(resultText(results[0]), /path[^]*content/u);
    assert.equal(results[2]?.state, 'failed', 'what a prototype holds is no input');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  it('c05: an unknown tool is answered with the tools there are', async () => {
    await using test = await TestEngine.open({
      script: inOrder(calls(call('rm_rf', { path: '/' })), say('Sorry.')),
    });
    const { results } = await play(test);
    assert.match(resultText(results[0]), /no tool named "rm_rf"[^]*read_file[^]*write_file/u);
  });

  it('c06: two calls with one id, in a turn and across turns, are both answered', async () => {
    const echo = (word: string): Block =>
      call('run_command', { command: `echo ${word} >> a.txt` }, 'toolu_same');
    await using test = await TestEngine.open({
      script: inOrder(calls(echo('one'), echo('two')), calls(echo('three')), say('Done.')),
    });
    const { results } = await play(test);
    assert.equal(results.length, 3);
    assert.equal(await readFile(out(test), 'utf8'), 'one\ntwo\nthree\n');
  });

  it('c07: an announced call that does not come is asked for once', async () => {
    await using test = await TestEngine.open({
      script: inOrder(say('I will look.', { stopReason: 'tool_use' }), say('Here it is.')),
    });
    const { messages } = await play(test);
    assert.match(JSON.stringify(bodies(test)[1]?.messages.at(-1)), /it did not arrive/u);
    assert.ok(messages.every(({ parts }) => parts.length > 0));
  });

  it('c08: a call in an answer that says it ends the turn is run', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        {
          content: [call('write_file', { path: 'a.txt', content: 'x' })],
          stopReason: 'end_turn',
        },
        say('Done.'),
      ),
    });
    const { results } = await play(test);
    assert.equal(results[0]?.state, 'done');
    assert.equal(await readFile(out(test), 'utf8'), 'x');
  });

  it('c11 c12: after a refusal in the middle of an answer the session goes on without it', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        say('I could begin with', { stopReason: 'refusal' }),
        say('Something else, gladly.'),
      ),
    });
    const { end, sessionId } = await test.run('Something forbidden.');
    assert.equal(end?.failure?.code, 'refusal');
    assert.equal(bodies(test).length, 1, 'a refusal is not asked for twice');
    await test.engine.agent.send(sessionId, { text: 'Something allowed.' });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    const sent = JSON.stringify(bodies(test)[1]?.messages);
    assert.doesNotMatch(sent, /forbidden|I could begin/u);
    const kept = (await test.messages(sessionId)).map(textOf).join('\n');
    assert.match(kept, /Something forbidden\.[^]*I could begin with/u, 'nothing is lost');
  });

  it('c18: 200 calls in one message are all answered in order, with bounded parallelism', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          ...Array.from({ length: 200 }, (_, n) =>
            call('read_file', { files: [{ path: `f${n}.txt` }] }),
          ),
        ),
        say('All read.'),
      ),
      settings: { 'advanced.parallelToolCalls': 4 },
      files: Object.fromEntries(
        Array.from({ length: 200 }, (_, n) => [`f${n}.txt`, `text of number ${n}`]),
      ),
    });
    const { results } = await play(test);
    assert.equal(results.length, 200);
    results.forEach((result, n) => {
      assert.equal(result.state, 'done');
      assert.match(resultText(result), new RegExp(`text of number ${n}\\b`, 'u'));
    });
    let most = 0;
    let running = 0;
    for (const { type } of test.events) {
      if (type === 'tool.started') most = Math.max(most, (running += 1));
      if (type === 'tool.finished') running -= 1;
    }
    assert.ok(most >= 2 && most <= 4, `${most} at once`);
  });

  it('c18: 60 commands in one message run one by one, each once', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          ...Array.from({ length: 60 }, (_, n) =>
            call('run_command', { command: `echo ${n} >> a.txt` }),
          ),
        ),
        say('All run.'),
      ),
    });
    await play(test);
    assert.equal(
      await readFile(out(test), 'utf8'),
      Array.from({ length: 60 }, (_, n) => `${n}\n`).join(''),
    );
  });

  it('c19: a tool input of 2 MB is written as it came', async () => {
    const content = 'All work and no play. "\\ \n'.repeat(80_000);
    assert.ok(content.length > 2_000_000);
    await using test = await TestEngine.open({
      script: inOrder(
        { content: [call('write_file', { path: 'a.txt', content })], deltaSize: 2000 },
        say('Written.'),
      ),
    });
    const { results } = await play(test);
    assert.equal(results[0]?.state, 'done');
    assert.equal(await readFile(out(test), 'utf8'), content);
  });

  it('c20: half a character in input, in a result and in a message is never sent nor kept', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(call('write_file', String.raw`{"path":"a.txt","content":"a\ud800b"}`)),
        say('Written.'),
      ),
    });
    const { messages } = await play(test);
    assert.ok(messages.every((message) => JSON.stringify(message).isWellFormed()));
    const [asked] = messages.flatMap(toolCallsOf);
    assert.equal(asked?.input['content'], 'a\u{FFFD}b');
    assert.doesNotMatch(test.server.requests.map(({ text }) => text).join(''), /\\ud800/iu);
    const { end } = await test.run('a person can paste \ud800 half a character');
    assert.equal(end?.reason, 'done');
    assert.doesNotMatch(test.server.requests.map(({ text }) => text).join(''), /\\ud800/iu);
  });
});
