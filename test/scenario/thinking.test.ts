import assert from 'node:assert/strict';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, fail, inOrder, say } from '../support/model-server/turn.ts';
import type { Block, WireRequest } from '../support/model-server/turn.ts';
import { redacted as redactedData, signatureOf } from '../support/model-server/signature.ts';

const bodies = (test: TestEngine): readonly WireRequest[] =>
  test.server.requests.map((request) => request.body);
const THOUGHT = 'First I read it.\n\n“Ünïcödé” and a "quote" \\ too.';
const thinking: Block = { type: 'thinking', thinking: THOUGHT, signature: signatureOf(THOUGHT) };
const redacted: Block = { type: 'redacted_thinking', data: redactedData('A hidden thought.') };
const withThought = calls(
  thinking,
  redacted,
  call('read_file', { files: [{ path: 'a.txt' }] }, 'toolu_1'),
);

/** The blocks of the first answer as a request carries them. */
function replayed(request: WireRequest | undefined): readonly unknown[] {
  const message = request?.messages.find(({ role }) => role === 'assistant');
  assert.ok(Array.isArray(message?.content));
  return message.content.slice(0, 2);
}

describe('stories of thinking', function () {
  this.timeout(60_000);

  it('D7 c16: thinking is replayed byte for byte, redacted too, in the turn, the next run and after a restart', async () => {
    const options = { settings: { 'model.thinking': 'high' }, files: { 'a.txt': 'text' } } as const;
    const first = await TestEngine.open({
      script: inOrder(withThought, say('Read.'), say('Again.')),
      ...options,
    });
    const { sessionId, end } = await first.run('Read a.txt.');
    assert.equal(end?.reason, 'done');
    await first.engine.agent.send(sessionId, { text: 'More.' });
    await first.engine.agent.runs.settled(sessionId);
    await first.close();
    await using test = await TestEngine.open({
      script: () => say('Still here.'),
      after: first,
      ...options,
    });
    await test.engine.agent.send(sessionId, { text: 'After a restart?' });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    for (const request of [bodies(first)[1], bodies(first)[2], bodies(test)[0]]) {
      assert.deepEqual(replayed(request), [thinking, redacted]);
    }
  });

  it('D7: the effort setting changes the request, for each session by itself', async () => {
    await using test = await TestEngine.open({
      script: () => say('Hello.'),
      settings: { 'model.name': 'claude-sonnet-4-5' },
    });
    const { agent } = test.engine;
    for (const effort of ['off', 'low', 'high'] as const) {
      const { id } = await agent.sessions.create({ thinking: effort });
      await agent.send(id, { text: 'Hello.' });
      await agent.runs.settled(id);
    }
    const [off, low, high] = bodies(test).map(({ thinking: asked, output_config: config }) =>
      JSON.stringify([asked, config]),
    );
    assert.equal(new Set([off, low, high]).size, 3, [off, low, high].join('\n'));
    assert.doesNotMatch(off ?? '', /enabled|adaptive/u);
  });

  it('h18: a provider that refuses old signatures gets the history without them, once', async () => {
    let refused = 0;
    await using test = await TestEngine.open({
      script: (request, n) => {
        if (n === 1) return withThought;
        if (n === 2) return say('Read.');
        if (JSON.stringify(request.messages).includes('redacted_thinking')) {
          refused += 1;
          return fail(
            400,
            'invalid_request_error',
            'messages.1.content.0: Invalid `signature` in `thinking` block',
          );
        }
        return say('Fine.');
      },
      settings: { 'model.thinking': 'high' },
      files: { 'a.txt': 'text' },
    });
    const { sessionId } = await test.run('Read a.txt.');
    for (const text of ['More.', 'And more.']) {
      await test.engine.agent.send(sessionId, { text });
      assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    }
    assert.equal(refused, 1);
  });
});
