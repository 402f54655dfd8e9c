import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import type { SharedValues } from '../../../src/core/ports/store/shared-values.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../../contract/store/support.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const by = (callId: string): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId: 'm',
  callId,
  tool: 'edit_file',
  why: '',
  at: 1,
});

const BEFORE = 'a\nb\nc\nd\n';
const AFTER = 'A\nb\nc\nD\n';

describe('pending changes in two windows on one workspace', function () {
  this.timeout(60_000);

  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Store[];
  let first: Reviews;
  let second: Reviews;
  let clock: FakeClock;
  let file: string;
  /** Saves are held up until this resolves. */
  let held: PromiseWithResolvers<void> | undefined;
  const heldUp = (values: SharedValues): SharedValues => ({
    get: (key) => values.get(key),
    list: (prefix) => values.list(prefix),
    set: (key, value) => values.set(key, value),
    swap: async (...change) => {
      await held?.promise;
      return values.swap(...change);
    },
  });

  beforeEach(async () => {
    folder = temporaryFolder();
    file = path.join(folder.path, 'file.txt');
    clock = new FakeClock();
    held = undefined;
    stores = [
      await open(path.join(folder.path, 'store')),
      await open(path.join(folder.path, 'store')),
    ];
    [first, second] = stores.map(
      ({ values, epoch }) =>
        new Reviews({
          values: heldUp(values),
          writer: String(epoch),
          files: new NodeFileSystem(),
          clock,
          log: silentLog,
        }),
    ) as [Reviews, Reviews];
    await first.load();
    await second.load();
    writeFileSync(file, BEFORE);
  });

  afterEach(async () => {
    first.dispose();
    second.dispose();
    for (const store of stores) await store.close();
    folder.remove();
  });

  const texts = (one: Reviews) =>
    one.pending.flatMap((review) =>
      hunksOf(review).map(({ removed, added, by: who, changedOutside }) =>
        [removed.join(), added.join(), who.map(({ callId }) => callId).join(), changedOutside].join(
          ' ',
        ),
      ),
    );
  const BOTH = ['a A 1 false', 'd D 1 false'];

  const edits = async (one: Reviews, before = BEFORE, after = AFTER, call = '1'): Promise<void> => {
    const contents = { before: textContent(before), after: textContent(after) };
    await one.agent.edits(file, contents, by(call));
    writeFileSync(file, after);
  };

  const types = (one: Reviews, now: string): void => {
    const place = { line: 0, character: 0 };
    const changes = [{ start: place, end: place, text: 'x' }];
    one.files.documentChanged(file, textContent(now), { kind: 'typed', changes });
  };

  it('the other one shows the agent’s edit as the agent’s, whatever it hears of first', async () => {
    await edits(first);
    await second.files.fileChanged(file);
    assert.deepEqual(texts(second), []);
    await second.refresh();
    assert.deepEqual(texts(second), BOTH);
    await edits(first, AFTER, `${AFTER}e\n`, '2');
    // Its watcher is faster than its look at the store.
    await second.files.fileChanged(file);
    await clock.advance(20_000);
    await second.refresh();
    await first.refresh();
    for (const one of [first, second])
      assert.deepEqual(texts(one), [...BOTH.slice(0, 1), 'd D,e 1,2 false']);
  });

  it('a refresh is over when what is being saved has found out that the other one was faster', async () => {
    await edits(first);
    await second.refresh();
    await edits(first, AFTER, `${AFTER}e\n`, '2');
    await second.files.fileChanged(file);
    held = Promise.withResolvers<void>();
    await clock.advance(20_000);
    const refreshed = second.refresh();
    held.resolve();
    await refreshed;
    assert.deepEqual(texts(second), [...BOTH.slice(0, 1), 'd D,e 1,2 false']);
  });

  it('a look between storing and writing stores nothing, and is right when the file is written', async () => {
    const contents = { before: textContent(BEFORE), after: textContent(AFTER) };
    await first.agent.edits(file, contents, by('1'));
    await second.refresh();
    await second.files.fileChanged(file);
    assert.deepEqual(texts(second), []);
    await clock.advance(1000);
    writeFileSync(file, AFTER);
    await second.files.fileChanged(file);
    assert.deepEqual(texts(second), BOTH);
    await clock.advance(20_000);
    await first.refresh();
    assert.deepEqual(texts(first), BOTH);
  });

  it('what one decides is decided in the other, which never writes back what it knew', async () => {
    await edits(first);
    await second.refresh();
    const [a] = hunksOf(second.find(file)!);
    await second.decisions.reject({ path: file, choice: [a!.id] });
    // The first one has a keystroke that it has not stored yet.
    writeFileSync(file, 'xa\nb\nc\nD\n');
    types(first, 'xa\nb\nc\nD\n');
    await clock.advance(1000);
    await first.flush();
    assert.deepEqual(texts(first), ['d D 1 false']);
    assert.equal(textOf(first.find(file)!.baseline), 'xa\nb\nc\nd\n');
    await first.decisions.accept({ path: file });
    await second.refresh();
    assert.deepEqual([texts(first), texts(second)], [[], []]);
    assert.equal(readFileSync(file, 'utf8'), 'xa\nb\nc\nD\n');
    assert.deepEqual(await stores[0]!.values.list('review:'), []);
  });

  it('of two decisions about the same hunks at once each hunk gets one', async () => {
    for (const [one, other] of [
      ['accept', 'reject'],
      ['reject', 'reject'],
    ] as const) {
      writeFileSync(file, BEFORE);
      await first.files.fileChanged(file);
      await edits(first);
      await second.refresh();
      const ends = await Promise.allSettled([
        first.decisions[one]({ path: file }),
        second.decisions[other]({ path: file }),
      ]);
      assert.ok(ends.some(({ status }) => status === 'fulfilled'));
      for (const window of [first, second]) {
        await window.refresh();
        await window.files.fileChanged(file);
        assert.deepEqual(texts(window), []);
      }
      assert.ok([BEFORE, AFTER].includes(readFileSync(file, 'utf8')));
    }
  });

  it('the agent of one goes on with what the other one stored', async () => {
    await edits(first);
    await second.refresh();
    await second.decisions.accept({ path: file });
    await edits(first, AFTER, 'A\nB\nc\nD\n', '2');
    assert.deepEqual(texts(first), ['b B 2 false']);
    await second.refresh();
    assert.deepEqual(texts(second), ['b B 2 false']);
  });

  it('a decision in one is told to the model and shown on the cards of the other, and told once', async () => {
    await second.records.outcomes.load('s');
    let told = 0;
    second.records.outcomes.onChange(() => (told += 1));
    await edits(first);
    await second.refresh();
    await first.decisions.reject({
      path: file,
      choice: [hunksOf(first.pending[0]!)[0]!.id],
    });
    await first.flush();
    await second.refresh();
    assert.deepEqual(second.records.outcomes.of('s').get('1'), { accepted: 0, rejected: 1 });
    // The other one decides the rest: both are on record, in both.
    await second.decisions.accept({ path: file });
    await first.refresh();
    for (const one of [first, second])
      assert.deepEqual(one.records.outcomes.of('s').get('1'), { accepted: 1, rejected: 1 });
    assert.ok(told >= 1, 'the cards follow');
    const news = second.records.takeNews('s');
    assert.deepEqual(news.length, 1);
    assert.match(news[0]!.text, /undid 1 of your 2 changes/u);
    // Taken and not told yet: it is not taken again; told, no window has it any more.
    await second.refresh();
    assert.deepEqual(second.records.takeNews('s'), []);
    await stores[1]!.values.set(news[0]!.key!, null);
    await first.refresh();
    assert.deepEqual(first.records.takeNews('s'), []);
    await edits(first, readFileSync(file, 'utf8'), AFTER, '2');
    await edits(second, AFTER, `${AFTER}e\n`, '3');
    await Promise.all([first.refresh(), second.refresh()]);
    await first.decisions.reject({
      path: file,
      choice: [hunksOf(first.pending[0]!)[0]!.id],
    });
    await second.refresh();
    await second.decisions.reject({ path: file });
    await Promise.all([first.refresh(), second.refresh()]);
    assert.equal(first.records.takeNews('s').length, 2);
  });
});
