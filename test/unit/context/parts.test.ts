import assert from 'node:assert/strict';
import type { Message } from '../../../src/domain/message.ts';
import { sizeOf } from '../../../src/core/context/tokens/message-size.ts';
import { safeCutAfter, safeCutBefore, safeCuts } from '../../../src/core/context/pairs.ts';
import { pinsOf } from '../../../src/core/context/pins.ts';
import { recordText } from '../../../src/core/context/record-text.ts';
import { shorten } from '../../../src/core/context/compaction/shorten.ts';
import { summarize, type SummaryRequest } from '../../../src/core/context/compaction/summarize.ts';
import { systemPrompt } from '../../../src/core/context/prompt/system-prompt.ts';
import { firstWords } from '../../../src/core/context/title.ts';
import { truncationOf } from '../../../src/core/context/compaction/truncation.ts';
import { answered, model, scripted, Story } from './story.ts';

describe('safe cuts', () => {
  it('C3: between a call and its result there is none, everywhere else there is one', () => {
    const { messages } = new Story().person('a').reads(2).says('b');
    assert.deepEqual(safeCuts(messages), [true, true, false, true, false, true, true]);
  });

  it('C3: a call that waits for its result keeps everything after it', () => {
    const { messages } = new Story().person('a').reads(1);
    const open = messages.slice(0, 2);
    assert.deepEqual(safeCuts(open), [true, true, false]);
  });

  for (const { index, before, after } of [
    { index: 0, before: 0, after: 0 },
    { index: 2, before: 1, after: 3 },
    { index: 4, before: 3, after: 5 },
    { index: 5, before: 5, after: 5 },
    { index: 6, before: 6, after: 6 },
    { index: 99, before: 6, after: 6 },
    { index: -3, before: 0, after: 0 },
  ]) {
    it(`C3 E4: near ${index} the cut is at ${before} or ${after}`, () => {
      const safe = safeCuts(new Story().person('a').reads(2).says('b').messages);
      assert.equal(safeCutBefore(safe, index), before);
      assert.equal(safeCutAfter(safe, index), after);
    });
  }

  it('E4: a cut forward that would keep nothing goes back', () => {
    const safe = safeCuts(new Story().person('a').reads(1).messages);
    assert.equal(safeCutAfter(safe, 2), 1);
  });
});

describe('shortened texts', () => {
  it('keeps beginning and end, and counts what is missing', () => {
    assert.equal(
      shorten(`${'a'.repeat(700)}${'b'.repeat(700)}`, 100),
      `${'a'.repeat(70)}\n[… 1300 characters left out to save context; read it again if you need it …]\n${'b'.repeat(30)}`,
    );
  });

  it('leaves alone what it would hardly shorten, and what it shortened before', () => {
    assert.equal(shorten('x'.repeat(200), 100), 'x'.repeat(200));
    const once = shorten('x'.repeat(201), 100);
    assert.ok(once.length < 201 && once !== 'x'.repeat(201));
    assert.equal(shorten(once, 100), once);
  });

  it('never cuts a character in half', () => {
    for (let characters = 100; characters < 108; characters += 1) {
      assert.ok(shorten('😀'.repeat(500), characters).isWellFormed());
    }
  });
});

describe('sizes', () => {
  const withParts = (parts: Message['parts']): number => sizeOf({ parts }).mediaTokens;

  it('an image counts the same whatever its bytes, a document by them', () => {
    assert.equal(withParts([{ type: 'binary', mediaType: 'image/png', data: 'AAAA' }]), 1600);
    assert.equal(withParts([{ type: 'image_url', url: 'https://example.org/a.png' }]), 1600);
    assert.equal(
      withParts([{ type: 'binary', mediaType: 'application/pdf', data: 'A'.repeat(100_000) }]),
      3000,
    );
    assert.equal(withParts([{ type: 'binary', mediaType: 'application/pdf', data: 'AAAA' }]), 1600);
  });

  it('calls count with name and arguments, results with their texts and images, finish with nothing', () => {
    const { text, mediaTokens } = sizeOf({
      parts: [
        { type: 'tool_call', id: '1', name: 'read_file', input: { path: 'a' } },
        {
          type: 'tool_result',
          callId: '1',
          name: 'read_file',
          state: 'done',
          content: [
            { type: 'text', text: 'one' },
            { type: 'binary', mediaType: 'image/png', data: '' },
            { type: 'text', text: 'two' },
          ],
        },
        { type: 'reasoning', text: 'hm' },
        { type: 'finish', reason: 'end_turn', detail: 'never sent' },
      ],
    });
    assert.equal(text, 'read_file {"path":"a"}\nonetwo\nhm');
    assert.equal(mediaTokens, 1600);
  });
});

describe('pins', () => {
  it('C3: the newest come first and get space first', () => {
    const { messages } = new Story()
      .calls({ name: 'a', result: 'a'.repeat(1000) })
      .calls({ name: 'b', result: 'b'.repeat(1000) })
      .calls({ name: 'c', result: 'c'.repeat(1000) })
      .calls({ name: 'a', result: 'A'.repeat(1000) });
    const pins = pinsOf(messages, [], { each: 500, total: 1100 });
    assert.deepEqual(
      pins.map((pin) => pin.tool),
      ['a', 'c'],
    );
    assert.ok(pins[0]?.text.startsWith('AAA'));
    assert.ok(pins.every((pin) => pin.text.length <= 600));
  });

  it('C3: earlier pins follow, those of tools used since are replaced', () => {
    const earlier = [
      { tool: 'a', input: '', text: 'old a' },
      { tool: 'z', input: '', text: 'old z' },
    ];
    const { messages } = new Story()
      .calls({ name: 'a', result: 'new a' })
      .calls({ name: 'a', result: ' ' });
    assert.deepEqual(
      pinsOf(messages, earlier, { each: 500, total: 5000 }).map((pin) => pin.text),
      ['new a', 'old z'],
    );
  });
});

describe('record for the summary', () => {
  it('names who said what, calls, results and their states, and images', () => {
    const story = new Story()
      .note('policy', 'careful')
      .person('do it')
      .calls({ name: 'run_command', input: { command: 'ls' }, result: 'a b', state: 'failed' });
    const [call, result] = story.messages.slice(-2);
    assert.ok(call !== undefined && result !== undefined);
    const part = result.parts[0];
    assert.ok(part?.type === 'tool_result');
    const withImage: Message = {
      ...result,
      parts: [
        {
          ...part,
          content: [...part.content, { type: 'binary', mediaType: 'image/png', data: 'AAAA' }],
        },
      ],
    };
    assert.equal(
      recordText([...story.messages.slice(0, -1), withImage], 10_000),
      'NOTE:\ncareful\n\nPERSON:\ndo it\n\nASSISTANT:\n[call run_command {"command":"ls"}]\n\nTOOLS:\n[result of run_command: failed]\na b\n[image/png]',
    );
  });

  it('leaves out the oldest messages last of all, and never exceeds its limit', () => {
    const { messages } = new Story().person('do it').reads(100, 3000);
    for (const limit of [2000, 5000, 20_000, 60_000]) {
      const text = recordText(messages, limit);
      assert.ok(text.length <= limit, `${text.length} of ${limit}`);
      assert.ok(text.length > limit * 0.5, `${text.length} of ${limit}`);
      assert.ok(text.includes('src/file-199.ts'));
    }
    assert.match(recordText(messages, 2000), /^\[The oldest messages are left out here\.\]/);
    assert.doesNotMatch(recordText(messages, 60_000), /left out here/);
  });
});

describe('the request for a summary', () => {
  const request = (messages: readonly Message[]): SummaryRequest => ({
    sessionId: 's',
    runId: 'r',
    emit: () => undefined,
    messages,
    goal: 'g',
    earlier: undefined,
    instruction: undefined,
    limit: 4000,
  });
  const { signal } = new AbortController();

  it('asks for no more output than the model gives', async () => {
    const small = scripted(() => answered('ok'));
    await summarize({ call: small.call, model }, request([]), signal);
    await summarize(
      { call: small.call, model: { ...model, maxOutputTokens: 300 } },
      request([]),
      signal,
    );
    assert.deepEqual(
      small.requests.map((asked) => asked.maxOutputTokens),
      [1200, 300],
    );
  });

  it('fits into the model’s window, output included', async () => {
    const small = scripted(() => answered('ok'));
    const window = { ...model, contextWindow: 20_000, maxOutputTokens: 4000 };
    await summarize(
      { call: small.call, model: window },
      request(new Story().reads(300, 3000).messages),
      signal,
    );
    const characters = JSON.stringify(small.requests[0]?.messages).length;
    assert.ok(characters < (20_000 - 1200) * 3, `${characters}`);
    assert.ok(characters > 20_000, 'and uses it');
  });
});

describe('truncation', () => {
  it('C3: names calls with how they ended, files, and the last words; the newest when there are many', () => {
    const { messages } = new Story()
      .says('Starting.')
      .calls({ name: 'edit_file', input: { path: 'a.ts' }, result: 'x', state: 'denied' })
      .reads(50)
      .says('Half done.');
    const text = truncationOf(messages, 'Before.', 8000);
    assert.match(text, /^Before that:\nBefore\./);
    assert.match(text, /- Starting\.\n- Half done\./);
    assert.match(text, /Tool calls, the last 40 of 51:/);
    assert.match(text, /read_file \{"path":"src\/file-101\.ts"\}: done$/);
    assert.doesNotMatch(text, /denied/);
  });

  it('C3: stays within its limit, and is never empty', () => {
    const { messages } = new Story().reads(200, 10);
    assert.ok(truncationOf(messages, 'e'.repeat(10_000), 1500).length <= 1600);
    assert.equal(truncationOf([], undefined, 1500), 'Nothing of note happened.');
  });
});

describe('small texts', () => {
  it('empty instructions leave no trace in the system prompt', () => {
    assert.deepEqual(
      systemPrompt({ mode: 'ask', instructions: '' }),
      systemPrompt({ mode: 'ask' }),
    );
    assert.doesNotMatch(systemPrompt({ mode: 'ask' })[1] ?? '', /\n/);
  });

  it('E13: what the person adds stands before the instructions of the project', () => {
    const [core, second = ''] = systemPrompt({
      mode: 'ask',
      added: 'Be brief.',
      instructions: 'Use tabs.',
    });
    assert.equal(core, systemPrompt({ mode: 'ask' })[0]);
    assert.ok(second.indexOf('Be brief.') > 0);
    assert.ok(second.indexOf('Be brief.') < second.indexOf('Use tabs.'));
  });

  it('B10: sixty characters fit into a title, sixty-one do not', () => {
    assert.equal(firstWords('x'.repeat(60)), 'x'.repeat(60));
    assert.equal(firstWords('x'.repeat(61)), `${'x'.repeat(59)}…`);
  });
});
