import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { askedOf, partsOf } from '../../../src/core/run/opening.ts';
import { countsFrom, cutAfter, cutBefore } from '../../../src/core/restore/cut.ts';
import { placesAfterCut, placesBehind } from '../../../src/core/restore/places.ts';
import { titleOf } from '../../../src/core/restore/title-of.ts';
import { todoAfter } from '../../../src/core/session/todo-lists.ts';
import { recordsSince } from '../../../src/core/restore/agent-changes.ts';
import type { ChangeRecord } from '../../../src/core/restore/storage/change-record.ts';
import type { Message, Origin, Part, Role } from '../../../src/domain/message.ts';
import type { Attachment } from '../../../src/domain/session/session.ts';
import { withGivenBack } from '../../../src/protocol/draft.ts';

const message = (seq: number, role: Role, parts: readonly Part[], origin?: Origin): Message => ({
  id: `m${seq}`,
  sessionId: 's',
  seq,
  role,
  parts,
  createdAt: 0,
  ...(origin === undefined ? {} : { origin }),
});
const text = (seq: number, role: Role, words: string, origin?: Origin): Message =>
  message(seq, role, [{ type: 'text', text: words }], origin);
const asks = (seq: number, id: string, name = 'x', input = {}): Message =>
  message(seq, 'assistant', [{ type: 'tool_call', id, name, input }]);
const answers = (seq: number, id: string, state: 'done' | 'failed' = 'done'): Message =>
  message(seq, 'tool', [{ type: 'tool_result', callId: id, name: 'x', state, content: [] }]);

describe('where a conversation is cut', () => {
  const story = [
    text(1, 'user', 'where', 'environment'),
    text(2, 'user', 'first', 'person'),
    asks(3, 'a'),
    answers(4, 'a'),
    text(5, 'user', 'steered'),
    text(6, 'assistant', 'done'),
    text(7, 'user', 'where now', 'environment'),
    text(8, 'user', 'second', 'person'),
    asks(9, 'b'),
    text(10, 'user', 'a note', 'policy'),
    answers(11, 'b'),
    text(12, 'assistant', 'done too'),
  ];

  it('before a message of the person, with what was noted beside it', () => {
    assert.equal(cutBefore(story, 'm2'), 1);
    assert.equal(cutBefore(story, 'm5'), 5);
    assert.equal(cutBefore(story, 'm8'), 7);
    assert.deepEqual(countsFrom(story, 7), { requests: 1, answers: 1 });
    for (const id of ['m1', 'm3', 'm10', 'none'])
      assert.throws(() => cutBefore(story, id), { code: 'not_found' });
  });

  it('never between a call and its result', () => {
    const odd = [text(1, 'user', 'a'), asks(2, 'c'), text(3, 'user', 'b'), answers(4, 'c')];
    assert.equal(cutBefore(odd, 'm3'), 2);
  });

  it('behind an answer, with the results of its calls', () => {
    assert.equal(cutAfter(story, 'm6'), 6);
    assert.equal(cutAfter(story, 'm3'), 4);
    assert.equal(cutAfter(story, 'm9'), 11);
    assert.throws(() => cutAfter(story.slice(0, 9), 'm9'), { code: 'invalid' });
    assert.throws(() => cutAfter(story, 'm8'), { code: 'not_found' });
  });

  it('the steps are those that the agent had written by then; the person’s stay when it wrote none since', () => {
    const list = (words: string) => ({ items: [{ text: words, status: 'open' }] });
    const told = [
      text(1, 'user', 'a'),
      asks(2, 't1', 'todo', list('early')),
      answers(3, 't1'),
      text(4, 'user', 'b'),
      asks(5, 't2', 'todo', list('refused')),
      answers(6, 't2', 'failed'),
      asks(7, 't3', 'todo', list('late')),
      answers(8, 't3'),
    ];
    const early = { items: [{ text: 'early', status: 'open' }], changedByPerson: false };
    assert.deepEqual(todoAfter(told, 3), early);
    assert.deepEqual(todoAfter(told, 6), early);
    assert.deepEqual(todoAfter(told, 0), { items: [], changedByPerson: false });
    assert.equal(todoAfter(told, 8), undefined);
  });

  it('what removed calls changed comes after what is left and before what follows', () => {
    const record = (callId: string): ChangeRecord => ({
      callId,
      tool: 'x',
      at: 0,
      folders: [],
      uncertain: false,
    });
    const records = [record('a'), record('b')];
    const places = new Map(
      Object.entries(placesAfterCut(7, story, records, new Map()) as Record<string, number>),
    );
    const left = story.slice(0, 6);
    const next = [...left, text(7, 'user', 'again'), asks(8, 'c'), answers(9, 'c')];
    const now = [...records, record('restore'), record('c')];
    const since = (seq: number): string[] =>
      recordsSince(seq, next, now, places).map(({ callId }) => callId);
    assert.deepEqual(since(2), ['a', 'b', 'restore', 'c']);
    assert.deepEqual(since(5), ['b', 'restore', 'c']);
    assert.deepEqual(since(7), ['c']);
    // The first state again: what was done in between was done after all of it.
    const back = new Map(
      Object.entries(placesBehind(12, next, now, places) as Record<string, number>),
    );
    const after = (seq: number): string[] =>
      recordsSince(seq, story, now, back).map(({ callId }) => callId);
    assert.deepEqual(after(8), ['b', 'restore', 'c']);
    assert.deepEqual(after(12), ['c']);
  });
});

describe('a message of the person to be sent again', () => {
  const attachment: fc.Arbitrary<Attachment> = fc.oneof(
    fc.record({
      id: fc.constant('1'),
      name: fc.constantFrom('a.png', 'b (1).png'),
      mediaType: fc.constantFrom('image/png', 'application/pdf'),
      size: fc.nat(),
      data: fc.base64String({ minLength: 4 }),
    }),
    fc.record({
      id: fc.constant('1'),
      name: fc.constant('c.ts'),
      mediaType: fc.constantFrom('text/plain', ''),
      size: fc.nat(),
      path: fc.constantFrom('/w/c.ts', 'C:\\w\\c (2).ts', '/w/a, b/ä.ts'),
    }),
    fc.record({
      id: fc.constant('1'),
      name: fc.constantFrom('notes.txt', 'no (tes) x.txt'),
      mediaType: fc.constant('text/plain'),
      size: fc.nat(),
      data: fc
        .string({ unit: 'grapheme' })
        .map((words) => Buffer.from(words, 'utf8').toString('base64')),
    }),
  );

  it('is made of its parts so that the same parts are sent again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.constant('Attached file: x (id y, a/b, 3 bytes). Read it with read_attachment.'),
        ),
        fc.array(attachment, { maxLength: 4 }),
        (words, given) => {
          const attachments = given.map((one, index) => ({ ...one, id: `r${index}` }));
          const parts = partsOf(words, attachments);
          const asked = askedOf(parts, (index) => `a${index}`);
          // As the record has it: what is not in the message is there.
          const again = asked.attachments.map((one) => ({
            ...attachments.find(({ id }) => id === one.id),
            ...one,
          }));
          assert.deepEqual(partsOf(asked.text, again), parts);
        },
      ),
    );
  });

  it('stands before what is typed, once; its title is its first words', () => {
    assert.equal(withGivenBack('', 'a'), 'a');
    assert.equal(withGivenBack('typed', 'a'), 'a\n\ntyped');
    assert.equal(withGivenBack('a\n\ntyped', 'a'), 'a\n\ntyped');
    assert.equal(withGivenBack('a', 'a'), 'a');
    assert.equal(withGivenBack('typed', ''), 'typed');
    assert.equal(titleOf({ parts: [{ type: 'text', text: '\n one \ntwo' }] }), 'one ');
    assert.equal(titleOf({ parts: [] }), 'a message without text');
  });
});
