import assert from 'node:assert/strict';
import { firstWords, generateTitle } from '../../../src/core/context/title.ts';
import type { ModelEvent } from '../../../src/core/model-call/model-call.ts';
import { answered, model, scripted } from './story.ts';

function title(
  answer: ModelEvent | Error,
  text = 'Please port the parser to TypeScript and test it',
): Promise<string> {
  const small = scripted(() => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const { signal } = new AbortController();
  return generateTitle({
    call: small.call,
    model,
    text,
    sessionId: 's',
    runId: 'r',
    emit: () => undefined,
    signal,
  });
}

describe('title', () => {
  for (const { answer, expected } of [
    { answer: 'Port the parser', expected: 'Port the parser' },
    { answer: '"Port the parser."\n\nIt is short.', expected: 'Port the parser' },
    { answer: '# Title: **Port** the `parser`', expected: 'Port the parser' },
    { answer: 'long '.repeat(30), expected: `${'long '.repeat(12).trim()}…` },
  ]) {
    it(`B10: ${JSON.stringify(answer.slice(0, 30))} becomes ${JSON.stringify(expected)}`, async () => {
      assert.equal(await title(answered(answer)), expected);
    });
  }

  for (const [name, answer] of [
    ['fails', { type: 'failed', failure: { code: 'overloaded', message: 'busy' } }],
    ['says nothing', answered('')],
    ['refuses', answered('I cannot do that', 'refusal')],
    ['throws', new Error('defect')],
  ] as const) {
    it(`B10: falls back to the first words when the model ${name}`, async () => {
      assert.equal(await title(answer), 'Please port the parser to TypeScript and test it');
    });
  }

  it('B10: asks the small model with purpose title, no tools and a short answer', async () => {
    const small = scripted(() => answered('x'));
    const { signal } = new AbortController();
    await generateTitle({
      call: small.call,
      model,
      text: 'y'.repeat(10_000),
      sessionId: 's',
      runId: 'r',
      emit: () => undefined,
      signal,
    });
    assert.equal(small.contexts[0]?.purpose, 'title');
    assert.deepEqual(small.requests[0]?.tools, []);
    assert.ok(JSON.stringify(small.requests[0]?.messages).length < 2500);
  });

  for (const { text, expected } of [
    { text: '', expected: 'New session' },
    { text: '\n\n   Fix it.  ', expected: 'Fix it' },
    {
      text: 'one two three four five six seven eight nine ten eleven twelve thirteen',
      expected: 'one two three four five six seven eight nine ten eleven…',
    },
    { text: '字'.repeat(100), expected: `${'字'.repeat(59)}…` },
    { text: '😀'.repeat(40), expected: undefined },
  ]) {
    it(`B10: first words of ${JSON.stringify(text.slice(0, 20))}`, () => {
      const made = firstWords(text);
      if (expected !== undefined) assert.equal(made, expected);
      assert.ok(made.length <= 61 && made.isWellFormed());
    });
  }
});
