import assert from 'node:assert/strict';
import type { Message, Part } from '../../../src/domain/message.ts';
import { Connection } from '../../../src/store/database/connection.ts';
import { loadSqlite } from '../../../src/store/database/sqlite.ts';
import { readResult, saveResult } from '../../../src/store/engine/content.ts';
import { readEvents, saveEvents } from '../../../src/store/engine/event-records.ts';
import { find, readPrompts, search } from '../../../src/store/engine/search.ts';
import { indexStep, unindexed } from '../../../src/store/engine/search-index.ts';
import { readSession, readSessions } from '../../../src/store/engine/sessions/session-reads.ts';
import {
  deleteSession,
  saveMessage,
  saveSession,
} from '../../../src/store/engine/sessions/session-writes.ts';
import { listSnapshots, saveSnapshot } from '../../../src/store/engine/snapshots.ts';
import { readValue, saveValue } from '../../../src/store/engine/values.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { message, PATIENCE, session } from '../../contract/store/support.ts';

describe('store: limits of what is kept and shown', function () {
  this.timeout(PATIENCE);
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection(loadSqlite(), ':memory:', { busyTimeoutMs: 0 });
    migrate(connection);
    saveSession(connection, session('s'));
  });
  afterEach(() => connection.close());

  const say = (seq: number, content: string | readonly Part[], more: Partial<Message> = {}): void =>
    saveMessage(connection, message('s', seq, content, more));

  describe('automatic snapshots', () => {
    let count = 0;
    const snap = (kind: 'automatic' | 'saved' = 'automatic'): number => {
      count += 1;
      saveSnapshot(connection, { sessionId: 's', id: `x${count}`, title: 't', kind, at: 1 });
      return listSnapshots(connection, 's').length;
    };
    /** Gives the only message of a session or a snapshot so many bytes. */
    const size = (id: string, bytes: number): number =>
      connection.run(
        "UPDATE messages SET parts = printf('%.*c', ?1, 'x') WHERE session_id = ?2",
        bytes,
        id,
      );

    it('are fifty at most, beside those that the person saved', () => {
      say(1, 'small');
      snap('saved');
      for (let made = 2; made <= 51; made += 1) assert.equal(snap(), made);
      assert.equal(snap(), 51);
    });

    it('are five however big they are, and more while all have less than 32 MB', () => {
      say(1, 'small');
      size('s', 1);
      for (let made = 1; made <= 9; made += 1) assert.equal(snap(), made);
      const [, second, , , , , seventh] = listSnapshots(connection, 's');
      size(seventh?.id ?? '', 2 ** 25 - 8);
      assert.equal(snap(), 8, 'eight have a byte less than 32 MB');
      assert.equal(snap(), 8, 'nine would have 32 MB');
      size(second?.id ?? '', 2 ** 25);
      assert.equal(snap(), 5);
    });
  });

  describe('the search', () => {
    const excerpt = (query: string): string | undefined =>
      search(connection, query, 9)
        .hits.find(({ messageSeq }) => messageSeq > 0)
        ?.pieces.map(({ text, hit }) => (hit ? `[${text}]` : text))
        .join('');

    it('shows three places of a session, and how many there are', () => {
      for (const seq of [1, 2, 3, 4]) say(seq, 'zeta');
      const { hits } = search(connection, 'zeta', 9);
      assert.deepEqual(
        hits.map((hit) => [hit.messageSeq, hit.hits]),
        [4, 3, 2].map((seq) => [seq, 4]),
      );
      assert.equal(search(connection, 'zeta', 2).hits.length, 2);
      assert.deepEqual(search(connection, 'zeta', 0).hits, []);
    });

    it('cuts out 24 words, and by hand 40 characters before a hit and 100 from it on', () => {
      say(1, `${'w '.repeat(40)}zeta ${'w '.repeat(40)}`);
      assert.equal(excerpt('zeta')?.match(/\w+/gu)?.length, 24);
      say(2, `${'a'.repeat(41)}返回${'b'.repeat(99)}`);
      assert.equal(excerpt('返回'), `…${'a'.repeat(40)}[返回]${'b'.repeat(98)}…`);
      say(3, `${'a'.repeat(40)}中文${'b'.repeat(98)}中`);
      assert.equal(excerpt('中文'), `${'a'.repeat(40)}[中文]${'b'.repeat(98)}…`);
      say(4, `${'a'.repeat(41)}一次${'b'.repeat(99)}两次`);
      assert.equal(excerpt('一次 两次'), `…${'a'.repeat(40)}[一次]${'b'.repeat(98)}…`);
      say(5, `${'a'.repeat(39)}日本${'b'.repeat(98)}`);
      assert.equal(excerpt('日本'), `${'a'.repeat(39)}[日本]${'b'.repeat(98)}`);
    });

    it('looks into 300 characters of an argument, and 200,000 of a message', () => {
      const called = (command: string): readonly Part[] => [
        { type: 'tool_call', id: 'c', name: 't', input: { command, lines: 3 } },
      ];
      say(1, called(`${'y'.repeat(296)} zeta`), { role: 'assistant' });
      assert.equal(search(connection, 'zet', 9).hits.length, 1);
      assert.equal(search(connection, 'zeta', 9).hits.length, 0);
      assert.equal(search(connection, 'y'.repeat(296), 9).hits.length, 1);
      const long = 'ab '.repeat(66_666);
      say(2, `${long} omega`);
      assert.equal(search(connection, 'o', 9).hits.length, 1);
      assert.equal(search(connection, 'om', 9).hits.length, 0);
      assert.deepEqual(
        find(connection, { sessionId: 's', query: 'omega', matchCase: true }).map(({ seq }) => seq),
        [2],
        'finding in a session looks into all of it',
      );
    });

    it('finds what was there before the index, the newest first, and no snapshots', () => {
      saveSession(connection, session('gone'));
      saveMessage(connection, message('gone', 1));
      say(1, [{ type: 'binary', mediaType: 'x', data: 'A' }]);
      for (let seq = 2; seq <= 121; seq += 1) say(seq, `zeta${seq}`);
      deleteSession(connection, 'gone');
      const last = connection.get<{ value: number }>('SELECT max(number) AS value FROM messages');
      saveSnapshot(connection, { sessionId: 's', id: 'x', title: 't', kind: 'saved', at: 1 });
      connection.run('DELETE FROM texts');
      connection.run("UPDATE meta SET value = ? WHERE key = 'unindexed'", last?.value ?? 0);
      const found = (): number[] =>
        [2, 71, 121].filter((seq) => search(connection, `zeta${seq}`, 9).hits.length > 0);
      const findable = (query: string): number =>
        find(connection, { sessionId: 's', query, matchCase: false }).length;
      assert.deepEqual(found(), []);
      assert.equal(search(connection, 'zeta', 9).complete, false);
      assert.equal(findable('zeta'), 120, 'what has no text yet is read whole');
      let left = Infinity;
      while (indexStep(connection)) {
        assert.ok(unindexed(connection) < left);
        left = unindexed(connection);
      }
      assert.deepEqual(found(), [2, 71, 121]);
      assert.equal(findable('zeta'), 120);
      assert.equal(search(connection, 'zeta', 9).complete, true);
      assert.equal(unindexed(connection), 0);
      const count = connection.get<{ many: number }>('SELECT count(*) AS many FROM texts');
      assert.equal(count?.many, 120);
    });

    it('finds titles first, and both as they are now', () => {
      saveSession(connection, session('s', { title: 'Alpha' }));
      say(1, 'old words');
      const ids = (query: string): unknown =>
        search(connection, query, 9).hits.map(({ messageSeq, pieces, ...hit }) => [
          messageSeq,
          pieces.map(({ text, hit: isHit }) => [text, isHit]),
          messageSeq === 0 ? hit : hit.hits,
        ]);
      saveSession(connection, session('s', { title: 'Beta words' }));
      say(1, 'new **words**');
      assert.deepEqual([ids('alpha'), ids('old')], [[], []]);
      assert.deepEqual(ids('words'), [
        [0, [['Beta words', false]], { sessionId: 's', role: 'user', at: 0, hits: 1 }],
        [
          1,
          [
            ['new **', false],
            ['words', true],
            ['**', false],
          ],
          1,
        ],
      ]);
      say(2, 'told **words**', { role: 'assistant' });
      const places = (query: string): number[] =>
        find(connection, { sessionId: 's', query, matchCase: false }).map(({ seq }) => seq);
      assert.deepEqual([places('**words**'), places('told words')], [[1], [2]]);
    });

    it('gives back what the person typed, without what was taken of mentions', () => {
      say(1, [
        { type: 'text', text: 'look at' },
        { type: 'text', text: 'all of it', mention: { id: 'm' } } as unknown as Part,
        { type: 'reasoning', text: 'thought' } as unknown as Part,
        { type: 'text', text: 'this' },
      ]);
      assert.deepEqual(
        readPrompts(connection, { sessionId: 's', others: false, limit: 9 }).map(
          ({ text }) => text,
        ),
        ['look at\nthis'],
      );
    });
  });

  it('a result has as many pieces as it needs, and what is saved again replaces it', () => {
    saveResult(connection, 's', 'o', 'first '.repeat(20_000));
    saveResult(connection, 's', 'o', 'again');
    assert.deepEqual(readResult(connection, 's', 'o', 0, 9), { text: 'again', total: 5 });
    assert.equal(readResult(connection, 's', 'o', Number.NaN, 2)?.text, 'ag');
    assert.equal(readResult(connection, 's', 'o', -3, 2)?.text, 'ag');
    assert.equal(readResult(connection, 's', 'o', 1.4, -2)?.text, '');
  });

  it('a value has 67,108,864 characters at most', () => {
    saveValue(connection, 'k', 'x'.repeat(2 ** 26 - 2));
    assert.equal(readValue(connection, 'k')?.length, 2 ** 26);
    assert.throws(
      () => saveValue(connection, 'k', 'x'.repeat(2 ** 26 - 1)),
      /67,108,865 characters/u,
    );
  });

  it('marks, counts and times of sessions are read as they were written', () => {
    saveSession(connection, session('t', { createdAt: 1.4, updatedAt: Infinity }));
    connection.run("UPDATE sessions SET pinned = 1, cost_unknown = 1 WHERE id = 's'");
    connection.run("UPDATE sessions SET archived = 1 WHERE id = 't'");
    const { pinned, archived, costUnknown } = readSession(connection, 's') ?? {};
    assert.deepEqual([pinned, archived, costUnknown], [true, undefined, true]);
    const [first] = readSessions(connection);
    assert.deepEqual(
      [first?.id, first?.pinned, first?.archived, first?.createdAt, first?.updatedAt],
      ['t', undefined, true, 1, 0],
    );
  });

  it('events are read from one on, the newest, or all', () => {
    const event = (seq: number, sessionId = 's') => ({
      type: 'context.warning' as const,
      category: 'Task' as const,
      sessionId,
      runId: 'r',
      seq,
      at: seq,
      estimatedTokens: 1,
      contextLimit: 2,
    });
    saveEvents(connection, 1, [event(1), event(2), event(3), event(4, '')] as never);
    const seqs = (query: object): number[] =>
      readEvents(connection, { sessionId: 's', ...query }).map(({ seq }) => seq);
    assert.deepEqual(seqs({}), [1, 2, 3]);
    assert.deepEqual(seqs({ limit: 2 }), [2, 3]);
    assert.deepEqual(seqs({ after: { epoch: 1, seq: 1 } }), [2, 3]);
    assert.deepEqual(seqs({ after: { epoch: 1, seq: 1 }, limit: 1 }), [2]);
    assert.deepEqual(seqs({ after: { epoch: 2, seq: 1 } }), []);
    assert.deepEqual(readEvents(connection, { sessionId: '' }), []);
  });
});
