import assert from 'node:assert/strict';
import { textOf, toolResultsOf, type Message } from '../../../src/domain/message.ts';
import { windowOf } from '../../../src/core/context/window.ts';
import { compaction, outline, Story } from './story.ts';

describe('context window', () => {
  it('B6: begins with the first request, then the summary in the role of the user, then what came after', () => {
    const { messages } = new Story().person('do it').reads(4).says('done');
    const window = windowOf({ messages, compaction: compaction({ throughSeq: 5 }) });
    assert.equal(outline(window.messages), 'u1 S a6 t7 a8 t9 a10');
    const summary = window.messages[1] as Message;
    assert.equal(summary.role, 'user');
    assert.equal(summary.origin, 'summary');
    assert.equal(textOf(summary), 'What happened.');
  });

  const story = (): Message[] =>
    new Story()
      .note('environment', 'today')
      .person('do it')
      .reads(3)
      .says('done')
      .person('more')
      .reads(2).messages;
  const table: readonly {
    name: string;
    limit?: number;
    through?: number;
    undone?: boolean;
    shows: string;
  }[] = [
    {
      name: 'without a compaction everything is sent',
      shows: 'u1 u2 a3 t4 a5 t6 a7 t8 a9 u10 a11 t12 a13 t14',
    },
    {
      name: 'E5: notes before the first request go with what is compacted',
      through: 6,
      shows: 'u2 S a7 t8 a9 u10 a11 t12 a13 t14',
    },
    {
      name: 'E5: a first request that is not compacted is not repeated',
      through: 1,
      shows: 'S u2 a3 t4 a5 t6 a7 t8 a9 u10 a11 t12 a13 t14',
    },
    {
      name: 'C3: an undone compaction changes nothing',
      through: 6,
      undone: true,
      shows: 'u1 u2 a3 t4 a5 t6 a7 t8 a9 u10 a11 t12 a13 t14',
    },
    { name: 'a compaction of everything leaves request and summary', through: 14, shows: 'u2 S' },
    {
      name: 'E4: a limit that is not reached',
      limit: 14,
      shows: 'u1 u2 a3 t4 a5 t6 a7 t8 a9 u10 a11 t12 a13 t14',
    },
    {
      name: 'E4: a limit never splits a pair',
      limit: 11,
      shows: 'u1 u2 a7 t8 a9 u10 a11 t12 a13 t14',
    },
    {
      name: 'E4: first request and summary are in the limit',
      through: 6,
      limit: 8,
      shows: 'u2 S u10 a11 t12 a13 t14',
    },
    { name: 'E4: the last exchange always stays', limit: 1, shows: 'u1 u2 a13 t14' },
  ];
  for (const { name, limit, through, undone, shows } of table) {
    it(name, () => {
      const window = windowOf({
        messages: story(),
        ...(limit === undefined ? {} : { historyLimit: limit }),
        ...(through === undefined
          ? {}
          : { compaction: compaction({ throughSeq: through, undone: undone ?? false }) }),
      });
      assert.equal(outline(window.messages), shows);
    });
  }

  it('E4: says how many messages were left out', () => {
    assert.equal(windowOf({ messages: story(), historyLimit: 11 }).dropped, 4);
    assert.equal(windowOf({ messages: story() }).dropped, 0);
  });

  it('E4: the beginning moves in steps, so that the prompt cache holds in between', () => {
    const long = new Story().person('do it').reads(60).messages;
    const starts = new Set<string>();
    for (let length = 21; length <= long.length; length += 2) {
      const window = windowOf({ messages: long.slice(0, length), historyLimit: 20 });
      assert.ok(window.messages.length <= 20);
      starts.add(window.messages[1]?.id ?? '');
    }
    assert.ok(starts.size <= 13, `${starts.size} different beginnings in 50 turns`);
  });

  it('keeps the objects of old messages, and of the summary, from turn to turn', () => {
    const made = compaction({ throughSeq: 5, resultLimit: { throughSeq: 9, characters: 20 } });
    const { messages } = new Story().person('do it').reads(6, 500);
    const one = windowOf({ messages: messages.slice(0, 9), compaction: made }).messages;
    const two = windowOf({ messages, compaction: made }).messages;
    for (const [index, message] of one.entries()) assert.equal(two[index], message);
  });

  it('D2: shortens kept results up to a message, and no others', () => {
    const { messages } = new Story().person('do it').reads(4, 5000);
    const window = windowOf({
      messages,
      compaction: compaction({ throughSeq: 3, resultLimit: { throughSeq: 7, characters: 100 } }),
    });
    const lengths = window.messages
      .flatMap(toolResultsOf)
      .map((result) => JSON.stringify(result.content).length);
    assert.equal(lengths.length, 3);
    assert.ok(
      (lengths[0] ?? 0) < 300 && (lengths[1] ?? 0) < 300 && (lengths[2] ?? 0) > 5000,
      lengths.join(),
    );
    assert.match(JSON.stringify(window.messages[3]), /characters left out to save context/);
  });

  it('c12: a refused answer is not sent again', () => {
    const { messages } = new Story().person('do it').says('I will not', 'refusal');
    assert.equal(outline(windowOf({ messages }).messages), 'u1');
  });

  it('c11: a refused request goes as soon as there is another one', () => {
    const { messages } = new Story()
      .person('a')
      .says('ok')
      .person('bad')
      .says('', 'refusal')
      .person('good')
      .says('yes');
    assert.equal(outline(windowOf({ messages }).messages), 'u1 a2 u5 a6');
  });

  it('c11: a first request that was refused does not stay at the head', () => {
    const { messages } = new Story().person('bad').says('', 'refusal').person('good').reads(3);
    assert.equal(
      outline(windowOf({ messages, compaction: compaction({ throughSeq: 5 }) }).messages),
      'u3 S a6 t7 a8 t9',
    );
  });
});
