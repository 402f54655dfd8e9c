import assert from 'node:assert/strict';
import { textOf, toolCallsOf } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, fail, say } from '../support/model-server/turn.ts';
import type { Script, Turn, WireRequest } from '../support/model-server/turn.ts';

/** Files of some 3,000 tokens each, every one different. */
const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `f${n + 1}.txt`,
    Array.from({ length: 300 }, (_line, m) => `file ${n + 1} line ${m} says something`).join('\n'),
  ]),
);
const isSummary = (request: WireRequest): boolean =>
  JSON.stringify(request.system).includes('You summarize the record');
const read = (n: number): Turn => calls(call('read_file', { files: [{ path: `f${n}.txt` }] }));

/** Answers summaries, and hands the turns of the run over with their own count. */
function turns(script: (request: WireRequest, turn: number) => Turn): Script {
  let turn = 0;
  return (request) => {
    if (isSummary(request)) return say('## Goal\nRead the files.');
    turn += 1;
    return script(request, turn);
  };
}

const ordinary = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body).filter((body) => !isSummary(body));

/** Calls and results of a request that have no partner. */
function unpaired(request: WireRequest): string[] {
  const text = JSON.stringify(request.messages);
  const ids = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? '');
  const made = ids(/"type":"tool_use","id":"([^"]+)"/gu);
  const answered = ids(/"tool_use_id":"([^"]+)"/gu);
  return [
    ...made.filter((id) => !answered.includes(id)),
    ...answered.filter((id) => !made.includes(id)),
  ];
}

describe('stories of compaction', () => {
  it('C3: at 70 % older messages are summarized, the last ten stay, and the transcript is whole', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) => (turn <= 12 ? read(turn) : say('All read.'))),
      settings: { 'model.contextLimit': 36_000 },
      files,
    });
    const { sessionId, end } = await test.run('Read all the files.');
    assert.equal(end?.reason, 'done');
    const { tokens, older } = await test.engine.agent.compaction.shares(sessionId);
    assert.ok(tokens['tool results'] > 10_000 && tokens.summary > 0 && tokens.tools > 1000);
    assert.ok(older > 0 && older < tokens['tool results'] + tokens.messages);
    const [compaction, ...more] = test.ofType('agent.compaction.run');
    assert.deepEqual(more, []);
    assert.equal(compaction?.reason, 'threshold');
    assert.equal(compaction.strategy, 'summarize');
    assert.ok(compaction.tokensAfter < 0.7 * compaction.tokensBefore);
    const last = JSON.stringify(ordinary(test).at(-1)?.messages);
    for (const part of [
      'Read all the files.',
      'This is a summary of the earlier conversation',
      'Read the files.',
      'pinned tool=',
    ]) {
      assert.ok(last.includes(part), part);
    }
    assert.ok(!last.includes('file 1 line 200 says'), 'the first file is summarized');
    assert.ok(last.includes('file 12 line 200 says'), 'the last one is there');
    for (const request of ordinary(test)) assert.deepEqual(unpaired(request), []);
    const messages = await test.messages(sessionId);
    assert.equal(messages.flatMap(toolCallsOf).length, 12, 'nothing is lost');
    const small = test.server.requests.map((request) => request.body).find(isSummary);
    assert.match(small?.model ?? '', /haiku/u);
    assert.equal(small?.tools, undefined);
    const requested = test.ofType('model.request');
    assert.ok(requested.every((event) => event.estimatedTokens < 0.95 * event.contextLimit));
  });

  for (const [limit, settings] of [
    ['the limit', { 'model.contextLimit': 24_700 }],
    ['belay.advanced.compactAtTokens', { 'advanced.compactAtTokens': 17_290 }],
  ] as const)
    it(`C12: near ${limit} the provider counts, with secrets masked; its count decides`, async () => {
      const key = 'sk-test-0123456789abcdef0123456789abcdef';
      await using test = await TestEngine.open({
        // Some 18,200 tokens by our count, which would be compacted at 17,290; some 16,400 by the server's.
        script: turns((_request, turn) =>
          turn === 1
            ? calls(
                ...[1, 2, 3, 4, 5, 6].map((n) =>
                  call('read_file', { files: [{ path: `f${n}.txt` }] }),
                ),
              )
            : say('All read.'),
        ),
        settings,
        files: { ...files, 'f1.txt': `${files['f1.txt']}\nAPI_KEY=${key}\n` },
      });
      await test.run('Read six files.');
      const counts = test.server.all.filter(({ path }) => path.endsWith('/count_tokens'));
      assert.equal(counts.length, 1);
      assert.deepEqual(test.ofType('agent.compaction.run'), []);
      const estimated = test.ofType('model.request').at(-1)?.estimatedTokens ?? 0;
      assert.ok(estimated > 15_000 && estimated < 17_290, String(estimated));
      assert.ok(counts.every(({ text }) => !text.includes(key)));
    });

  it('C3: when the summary fails, work goes on with what is left', async () => {
    let turn = 0;
    await using test = await TestEngine.open({
      script: (request) => {
        if (isSummary(request)) return fail(400, 'invalid_request_error', 'no');
        turn += 1;
        return turn <= 12 ? read(turn) : say('All read.');
      },
      settings: { 'model.contextLimit': 36_000 },
      files,
    });
    assert.equal((await test.run('Read all the files.')).end?.reason, 'done');
    assert.equal(test.ofType('agent.compaction.run')[0]?.strategy, 'truncate');
    assert.match(JSON.stringify(ordinary(test).at(-1)?.messages), /Tool calls:.*read_file/u);
  });

  it('C4 C13: compact, prune deeply, ask the person', async () => {
    await using test = await TestEngine.open({
      script: turns((request, turn) => {
        if (request.tool_choice?.type === 'tool')
          return calls(call('ask_human', { question: 'Keep going?' }));
        return turn <= 14 ? read(turn) : say('Enough.');
      }),
      settings: { 'model.contextLimit': 22_000, 'advanced.keepMessages': 6 },
      files,
    });
    test.human.answer = () => Promise.resolve('Keep going.');
    const { end } = await test.run('Read all the files.');
    assert.ok(end?.reason === 'done' || end?.reason === 'context_limit', end?.reason);
    assert.equal(test.ofType('agent.compaction.run')[0]?.reason, 'threshold');
    const stages = test.ofType('agent.recovery.fired').map((event) => event.stage);
    assert.deepEqual(stages.slice(0, 2), ['R2', 'R3']);
    assert.equal(test.human.questions.length, 1);
    const forced = ordinary(test).find((request) => request.tool_choice?.type === 'tool');
    assert.deepEqual(forced?.tool_choice, { type: 'tool', name: 'ask_human' });
    assert.match(
      JSON.stringify(forced.messages.at(-1)),
      /losing context faster than I can recover/u,
    );
    for (const request of ordinary(test)) assert.deepEqual(unpaired(request), []);
  });

  it('D2: a request that cannot fit is never sent, and the session can go on', async () => {
    await using test = await TestEngine.open({
      script: () => say('short'),
      settings: { 'model.contextLimit': 10_000 },
    });
    const { end, sessionId } = await test.run('word '.repeat(12_000));
    assert.equal(end?.reason, 'context_limit');
    assert.equal(end.failure?.code, 'context_limit');
    assert.equal(end.failure.details?.['limit'], 10_000);
    assert.ok(Number(end.failure.details['estimated']) > 12_000);
    assert.equal(ordinary(test).length, 0);
    assert.ok((await test.messages(sessionId)).some((message) => textOf(message).length > 50_000));
  });

  it('D2: one huge parallel turn is shortened until it fits', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) =>
        turn === 1
          ? calls(
              ...Array.from({ length: 12 }, (_, n) =>
                call('read_file', { files: [{ path: `f${n + 1}.txt` }] }),
              ),
            )
          : say('Done.'),
      ),
      settings: { 'model.contextLimit': 20_000 },
      files,
    });
    const { end } = await test.run('Read twelve files at once.');
    assert.equal(end?.reason, 'done');
    const last = ordinary(test).at(-1);
    assert.match(JSON.stringify(last?.messages), /characters left out to save context/u);
    assert.deepEqual(unpaired(last ?? { model: '', max_tokens: 0, messages: [] }), []);
    assert.equal(test.ofType('tool.finished').length, 12);
  });

  it('h12: a prompt that the provider finds too long is compacted, and the run goes on by itself', async () => {
    let refused = false;
    await using test = await TestEngine.open({
      script: turns((_request, turn) => {
        if (turn <= 10) return read(turn);
        if (!refused) {
          refused = true;
          return fail(
            400,
            'invalid_request_error',
            'prompt is too long: 210000 tokens > 200000 maximum',
          );
        }
        return say('All read.');
      }),
      files,
    });
    const { end } = await test.run('Read the files.');
    assert.equal(end?.reason, 'done');
    assert.equal(test.ofType('agent.compaction.run')[0]?.reason, 'context_overflow');
    const sizes = ordinary(test).map((request) => JSON.stringify(request.messages).length);
    assert.ok((sizes.at(-1) ?? 0) < 0.8 * (sizes.at(-2) ?? 0), sizes.join());
  });

  it('shortens a conversation that one minute of the rate limit never allows, and goes on without waiting', async () => {
    let refused = 0;
    await using test = await TestEngine.open({
      script: turns((_request, turn) => {
        if (turn <= 10) return read(turn);
        refused += 1;
        return refused > 1
          ? say('All read.')
          : fail(
              429,
              'rate_limit_error',
              'Request too large on tokens per min (TPM): Limit 30000, Requested 36278.',
            );
      }),
      files,
    });
    const { end } = await test.run('Read the files.');
    assert.equal(end?.reason, 'done');
    assert.equal(refused, 2);
    assert.equal(test.ofType('agent.compaction.run')[0]?.reason, 'context_overflow');
    assert.equal(test.ofType('model.waiting').length, 0);
  });

  it('h12: a provider that finds everything too long ends the run in bounded time', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) =>
        turn <= 6
          ? read(turn)
          : fail(
              400,
              'invalid_request_error',
              'prompt is too long: 210000 tokens > 200000 maximum',
            ),
      ),
      files,
    });
    const { end } = await test.run('Read the files.');
    assert.equal(end?.reason, 'context_limit');
    assert.ok(ordinary(test).length < 20, `${ordinary(test).length} requests`);
  });

  it('c13: an answer that fills the window is continued after a compaction', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) => {
        if (turn <= 8) return read(turn);
        return turn === 9
          ? say('The first half', { stopReason: 'model_context_window_exceeded' })
          : say('and the rest.');
      }),
      files,
    });
    const { end, sessionId } = await test.run('Read the files.');
    assert.equal(end?.reason, 'done');
    assert.equal(test.ofType('agent.compaction.run').length, 1);
    const texts = (await test.messages(sessionId))
      .filter((message) => message.role === 'assistant')
      .map(textOf);
    assert.deepEqual(texts.slice(-2), ['The first half', 'and the rest.']);
    assert.match(
      JSON.stringify(ordinary(test).at(-1)?.messages.at(-1)),
      /Continue exactly where you stopped/u,
    );
  });

  it('E5: strategy none never compacts by itself', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) => (turn <= 12 ? read(turn) : say('All read.'))),
      settings: { 'model.contextLimit': 24_700, 'context.strategy': 'none' },
      files,
    });
    const { end } = await test.run('Read all the files.');
    assert.equal(end?.reason, 'context_limit');
    assert.deepEqual(test.ofType('agent.compaction.run'), []);
    assert.equal(test.ofType('context.warning').length, 1);
  });

  it('E4: a history limit is kept, told once in a while, and splits no pair', async () => {
    await using test = await TestEngine.open({
      script: turns((_request, turn) => (turn <= 12 ? read(turn) : say('All read.'))),
      settings: { 'advanced.maxHistoryMessages': 8 },
      files,
    });
    assert.equal((await test.run('Read all the files.')).end?.reason, 'done');
    for (const request of ordinary(test)) {
      assert.deepEqual(unpaired(request), []);
      assert.match(JSON.stringify(request.messages[0]), /Read all the files\./u);
    }
    const warnings = test
      .ofType('warning')
      .filter((event) => event.message.includes('belay.advanced.maxHistoryMessages'));
    assert.ok(warnings.length >= 1 && warnings.length <= 6, `${warnings.length}`);
  });
});
