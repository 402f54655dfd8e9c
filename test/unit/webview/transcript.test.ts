import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { applySessionChange, type SessionChange } from '../../../src/protocol/changes.ts';
import { EMPTY_SESSION } from '../../../src/protocol/snapshot.ts';
import type { MessageView } from '../../../src/protocol/view.ts';
import { emptyToolView } from '../../../src/panel/cards/tool-view.ts';
import { KEPT, Transcript } from '../../../webview/transcript.ts';

const message = (seq: number, text = `m${seq}`): MessageView => ({
  id: `m${seq}`,
  seq,
  role: 'user',
  createdAt: 0,
  parts: [{ type: 'text', text }],
  open: false,
});

const range = (from: number, to: number): MessageView[] =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

const seqs = (transcript: Transcript): number[] => transcript.entries.value.map(({ seq }) => seq);

/** What the transcript shows, as plain data. */
function plain(transcript: Transcript): MessageView[] {
  return transcript.entries.value.map((entry) => ({
    ...entry.view.value,
    parts: entry.parts.value.map((part) => part.value),
  }));
}

describe('the transcript in the panel', () => {
  it('shows the same as the host’s own state, whatever changes come', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 60 }), (changes) => {
        const transcript = new Transcript();
        transcript.show([], false, false);
        let session = EMPTY_SESSION;
        for (const change of changes) {
          transcript.apply(change);
          session = applySessionChange(session, change);
        }
        assert.deepEqual(plain(transcript), session.messages);
      }),
      { numRuns: 400 },
    );
  });

  it('appends text without touching any other signal', () => {
    const transcript = new Transcript();
    transcript.show([message(1), { ...message(2), open: true, role: 'assistant' }], false, false);
    const [first, second] = transcript.entries.value;
    const before = [
      transcript.entries.value,
      first?.view.value,
      first?.parts.value,
      second?.view.value,
      second?.parts.value,
    ];
    transcript.apply({ type: 'text', messageId: 'm2', index: 0, kind: 'text', text: '!' });
    const after = [
      transcript.entries.value,
      first?.view.value,
      first?.parts.value,
      second?.view.value,
      second?.parts.value,
    ];
    for (const [index, value] of before.entries()) assert.equal(after[index], value);
    assert.deepEqual(second?.parts.value[0]?.value, { type: 'text', text: 'm2!' });
  });

  it('keeps the entries of a snapshot that says the same, and older ones that reach up to it', () => {
    const transcript = new Transcript();
    transcript.show(range(101, 160), true, false);
    transcript.prepend(range(41, 100), true);
    const before = transcript.entries.value;
    transcript.show([...range(102, 160), message(161)], true, true);
    assert.deepEqual(
      seqs(transcript),
      range(41, 161).map(({ seq }) => seq),
    );
    for (const [index, entry] of before.entries())
      assert.equal(transcript.entries.value[index], entry);
    assert.equal(transcript.hasOlder.value, true);
  });

  it('lets older ones go that do not reach up to a snapshot', () => {
    const transcript = new Transcript();
    transcript.show(range(1, 60), false, false);
    transcript.show(range(200, 259), true, true);
    assert.deepEqual(
      seqs(transcript),
      range(200, 259).map(({ seq }) => seq),
    );
  });

  it('holds a bounded window of 10,000 messages, in both directions', () => {
    const transcript = new Transcript();
    transcript.show(range(9941, 10_000), true, false);
    for (let first = 9881; first > 0; first -= 60)
      transcript.prepend(range(first, first + 59), first > 60);
    assert.equal(transcript.entries.value.length, KEPT);
    assert.equal(transcript.entries.value[0]?.seq, 41);
    assert.equal(transcript.hasNewer.value, true);
    const end = transcript.entries.value.at(-1)?.seq ?? 0;
    transcript.apply({ type: 'message', message: message(10_001) });
    assert.equal(transcript.entries.value.at(-1)?.seq, end, 'a new message does not leave a gap');
    transcript.append(range(end + 1, end + 60), true);
    assert.equal(transcript.entries.value.length, KEPT);
    assert.equal(transcript.entries.value.at(-1)?.seq, end + 60);
    assert.equal(transcript.hasOlder.value, true);
  });

  it('A9: collects the files that tools have named', () => {
    const transcript = new Transcript();
    const tool = { ...emptyToolView('c', 'read_file'), file: { path: './src/a.ts' } };
    transcript.show([{ ...message(1), parts: [tool] }], false, false);
    transcript.apply({
      type: 'tool',
      callId: 'c',
      set: { files: [{ path: 'src/b.ts', line: 3 }] },
    });
    assert.deepEqual([...transcript.files.value], ['src/a.ts', 'src/b.ts']);
  });
});

const id = fc.constantFrom('a', 'b', 'c');
const word = fc.string({ maxLength: 5 });
type TranscriptChange = Exclude<SessionChange, { readonly type: 'session' }>;

/** A message keeps its place for its life: another place is another id. */
const placed: Readonly<Record<string, number>> = { a: 2, b: 1, c: 3 };

const anyChange: fc.Arbitrary<TranscriptChange> = fc.oneof(
  fc.tuple(id, word, fc.boolean()).map(([name, text, open]) => ({
    type: 'message' as const,
    message: {
      ...message(placed[name] ?? 0, text),
      id: name,
      open,
      parts: [{ type: 'text' as const, text }, emptyToolView(`call-${name}`, 'x')],
    },
  })),
  id.map((name) => ({ type: 'message_removed' as const, id: name })),
  id.map((name) => ({
    type: 'message_closed' as const,
    id: name,
    record: { createdAt: 7, model: 'x' },
  })),
  fc.tuple(id, fc.constantFrom(0, 2, 3), word).map(([messageId, index, text]) => ({
    type: 'text' as const,
    messageId,
    index,
    kind: 'text' as const,
    text,
  })),
  fc.tuple(id, word).map(([messageId, text]) => ({
    type: 'part' as const,
    messageId,
    index: 2,
    part: { type: 'reasoning' as const, text },
  })),
  fc
    .tuple(id, word)
    .map(([name, note]) => ({ type: 'tool' as const, callId: `call-${name}`, set: { note } })),
  fc
    .tuple(id, word)
    .map(([name, text]) => ({ type: 'output' as const, callId: `call-${name}`, text })),
);
