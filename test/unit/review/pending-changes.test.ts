import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Json } from '../../../src/domain/data/json.ts';
import type { Log } from '../../../src/core/ports/log.ts';
import type { SharedValues } from '../../../src/core/ports/store/shared-values.ts';
import {
  ABSENT,
  linesOf,
  newReview,
  textContent,
  textOf,
} from '../../../src/core/review/model/file-review.ts';
import type {
  Attribution,
  Content,
  FileReview,
} from '../../../src/core/review/model/file-review.ts';
import { asFound } from '../../../src/core/review/model/as-found.ts';
import { agentEdited, agentRenamed, withEdit } from '../../../src/core/review/model/agent-edits.ts';
import { accept, reject } from '../../../src/core/review/model/decide.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { PendingChanges } from '../../../src/core/review/service/pending-changes.ts';
import { countPending } from '../../../src/core/review/model/selected-changes.ts';
import { ReviewStore } from '../../../src/core/review/storage/review-store.ts';
import { reviewFrom, storedReview } from '../../../src/core/review/storage/stored-review.ts';
import { changedOutside, userEdited } from '../../../src/core/review/model/user-edits.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../../contract/store/support.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const by = (callId: string, messageId = 'm', at = 1): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId,
  callId,
  tool: 'edit_file',
  why: 'why',
  at,
});

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message, thrown) => assert.fail(`${message} ${String(thrown)}`),
};

describe('stored reviews', function () {
  this.timeout(60_000);

  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  let pending: PendingChanges;
  let clock: FakeClock;
  /** The files of the workspace. */
  let disk: Map<string, Content>;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = await open(folder.path);
    clock = new FakeClock();
    pending = new PendingChanges({ store: new ReviewStore(store.values), clock, log, read });
    disk = new Map();
  });

  afterEach(async () => {
    pending.dispose();
    await store.close();
    folder.remove();
  });

  const read = async ({ path }: FileReview): Promise<Content> => disk.get(path) ?? ABSENT;

  const acceptAll = async (path: string): Promise<void> =>
    pending.decide(path, accept(pending.get(path)!, 'all'));

  const rejectAll = async (
    path: string,
    carryOut: () => Promise<void> = async () => undefined,
  ): Promise<void> => pending.decide(path, reject(pending.get(path)!, 'all').review, carryOut);

  const totals = (): ReturnType<typeof countPending> => countPending(pending.files);

  const edit = async (
    path: string,
    before: Content,
    after: Content,
    ...rest: [string?, string?, number?]
  ): Promise<void> => {
    const [call = 'call', message, at] = rest;
    await pending.change(path, (review) =>
      withEdit(asFound(review, path, before), after, by(call, message, at), {}),
    );
    disk.set(path, after);
  };

  /** As after a crash: nothing of this process is left. */
  const restart = async (): Promise<void> => {
    pending.dispose();
    await store.close();
    store = await open(folder.path);
    pending = new PendingChanges({ store: new ReviewStore(store.values), clock, log, read });
    await pending.earlier.load();
  };

  it('survive a crash with their authors', async () => {
    await edit('/w/a', textContent('a\nb\n'), textContent('a\nB\n'), 'call 1');
    await restart();
    const [review] = pending.files;
    assert.deepEqual(
      hunksOf(review!).map(({ removed, added, by: who }) => [
        removed,
        added,
        who[0]?.callId,
        who[0]?.why,
      ]),
      [[['b'], ['B'], 'call 1', 'why']],
    );
    assert.deepEqual(totals(), { files: 1, hunks: 1, added: 1, removed: 1 });
  });

  it('a crash between storing and writing leaves nothing pending', async () => {
    await pending.change('/w/a', (review) =>
      withEdit(asFound(review, '/w/a', textContent('a\n')), textContent('b\n'), by('1'), {}),
    );
    disk.set('/w/a', textContent('a\n'));
    await restart();
    assert.deepEqual(pending.files, []);
    assert.deepEqual(pending.earlier.orphaned, []);
  });

  it('what happened to the file meanwhile is merged', async () => {
    await edit('/w/a', textContent('a\nb\nc\n'), textContent('a\nB\nc\n'));
    disk.set('/w/a', textContent('zero\na\nB\nc\n'));
    await restart();
    assert.equal(textOf(pending.get('/w/a')!.baseline), 'zero\na\nb\nc\n');
  });

  it('those of a file that is gone, or is another one, are offered and not discarded', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    await edit('/w/gone', textContent('a\n'), textContent('b\n'));
    await edit('/w/other', textContent(long), textContent(`new\n${long}`));
    disk.delete('/w/gone');
    disk.set('/w/other', textContent(long.replaceAll('line', 'row')));
    await restart();
    assert.deepEqual(pending.files, []);
    assert.deepEqual(
      pending.earlier.orphaned.map(({ kind, review }) => [kind, review.path]),
      [
        ['gone', '/w/gone'],
        ['unrecognizable', '/w/other'],
      ],
    );
    assert.equal(textOf(pending.earlier.orphaned[0]!.review.document), 'b\n');
    await pending.earlier.forget('/w/gone');
    await restart();
    assert.deepEqual(
      pending.earlier.orphaned.map(({ review }) => review.path),
      ['/w/other'],
    );
  });

  it('decided ones are gone from the store', async () => {
    await edit('/w/a', textContent('a\n'), textContent('b\n'));
    await edit('/w/b', textContent('a\n'), textContent('b\n'));
    await acceptAll('/w/a');
    await rejectAll('/w/b');
    assert.deepEqual(await store.values.list('review'), []);
  });

  it('a rejection that could not be carried out leaves everything pending', async () => {
    await edit('/w/a', textContent('a\n'), textContent('b\n'));
    await assert.rejects(
      rejectAll('/w/a', async () => {
        throw new Error('read-only');
      }),
      /read-only/u,
    );
    assert.deepEqual(totals(), { files: 1, hunks: 1, added: 1, removed: 1 });
    await restart();
    assert.equal(pending.files.length, 1);
  });

  it('what is typed is stored a moment later, once', async () => {
    await edit('/w/a', textContent('a\nb\n'), textContent('a\nB\n'));
    let told = 0;
    pending.onChange(() => (told += 1));
    for (const [count, text] of ['x', 'xx', 'xxx'].entries()) {
      pending.update('/w/a', (review) =>
        userEdited(
          review,
          [{ start: { line: 0, character: count }, end: { line: 0, character: count }, text: 'x' }],
          textContent(`${text}a\nB\n`),
        ),
      );
    }
    assert.equal(told, 3);
    assert.equal(clock.pending, 1);
    await pending.shared.flush();
    assert.equal(clock.pending, 0);
    disk.set('/w/a', textContent('xxxa\nB\n'));
    await restart();
    assert.equal(textOf(pending.get('/w/a')!.baseline), 'xxxa\nb\n');
  });

  it('follow the file to its new name, and back', async () => {
    await edit('/w/a', textContent('a\n'), textContent('b\n'));
    await pending.change('/w/a', (one) => agentRenamed(one ?? assert.fail(), '/w/c', by('2')));
    disk.set('/w/c', textContent('b\n'));
    disk.delete('/w/a');
    await restart();
    assert.deepEqual(
      pending.files.map(({ path, renamedFrom }) => [path, renamedFrom]),
      [['/w/c', '/w/a']],
    );
    await rejectAll('/w/c');
    assert.deepEqual(pending.files, []);
    assert.deepEqual(await store.values.list('review'), []);
  });

  it('of large files are stored in pieces, of which none is left behind', async () => {
    const line = 'é'.repeat(90);
    const large = Array.from({ length: 20_000 }, (_, at) => `${at} ${line}`);
    for (const at of [1, 2, 3]) {
      const before = pending.get('/w/large')?.document ?? textContent(large.join('\n'));
      await edit('/w/large', before, { kind: 'text', lines: linesOf(before).with(at, 'new') });
    }
    const keys = (await store.values.list('review')).map(({ key }) => key);
    assert.ok(keys.length > 10 && keys.length < 25, `${keys.length} keys`);
    await restart();
    assert.equal(pending.files.length, 1);
    assert.deepEqual(linesOf(pending.files[0]!.baseline), large);
    await acceptAll('/w/large');
    assert.deepEqual(await store.values.list('review'), []);
  });

  it('in the form of another version are left alone', async () => {
    await store.values.set('review:/w/new', { version: 99, secret: true });
    await restart();
    assert.deepEqual(pending.files, []);
    assert.deepEqual(await store.values.get('review:/w/new'), { version: 99, secret: true });
  });

  it('there is the old state or the new one of a large review, whatever happens', async () => {
    const large = Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(100)}`);
    const known = textContent(large.join('\n'));
    await edit('/w/large', known, { kind: 'text', lines: large.with(0, 'new') });
    const full: SharedValues = {
      ...store.values,
      swap: async (changes, guard) =>
        // One that no store takes, at the very end.
        store.values.swap([...changes, { key: 'x', value: 'x'.repeat(2_000_000) }], guard),
    };
    const other = new ReviewStore(full);
    await other.load();
    const review = agentEdited(newReview('/w/large', known), textContent('other'), by('2'));
    await assert.rejects(other.save(review), { code: 'store' });
    await restart();
    assert.deepEqual(
      hunksOf(pending.get('/w/large')!).map(({ added }) => added),
      [['new']],
    );
    assert.deepEqual(linesOf(pending.get('/w/large')!.baseline), large);
  });

  it('300 hunks in 40 files: typing, accepting and rejecting', async () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}`);
    for (let file = 0; file < 40; file += 1) {
      const after = lines.map((line, at) => (at % 250 === file ? `new ${line}` : line));
      await edit(`/w/${file}`, { kind: 'text', lines }, { kind: 'text', lines: after });
    }
    assert.equal(totals().hunks, 320);
    for (let key = 0; key < 200; key += 1) {
      const path = `/w/${key % 40}`;
      pending.update(path, (review) => {
        const character = linesOf(review.document)[1000]!.length;
        const text = linesOf(review.document).with(1000, `${linesOf(review.document)[1000]}x`);
        const at = { line: 1000, character };
        return userEdited(review, [{ start: at, end: at, text: 'x' }], {
          kind: 'text',
          lines: text,
        });
      });
    }
    assert.equal(totals().hunks, 320);
    for (let file = 0; file < 20; file += 1) await acceptAll(`/w/${file}`);
    for (let file = 20; file < 40; file += 1) await rejectAll(`/w/${file}`);
    assert.equal(totals().hunks, 0);
  });
});

describe('the stored form of a review', () => {
  it('says all but what undo needs', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '', 'é\ud800', '{'), { maxLength: 8 })
      .map((lines) => textContent(lines.join('\n')));
    const content: fc.Arbitrary<Content> = fc.oneof(
      { weight: 8, arbitrary: text },
      fc.constant(ABSENT),
      fc.constant<Content>({ kind: 'binary', hash: 'h', bytes: 3 }),
    );
    const step = fc.oneof(
      content.map((after) => (one: FileReview) => agentEdited(one, after, by('1'))),
      text.map((after) => (one: FileReview) => changedOutside(one, after)),
      text.map((after) => (one: FileReview) => userEdited(one, [], after)),
      fc.constant((one: FileReview) => agentRenamed(one, '/w/other', by('2'))),
    );
    fc.assert(
      fc.property(content, fc.array(step, { maxLength: 6 }), (start, steps) => {
        const review = steps.reduce((one, next) => next(one), newReview('/w/a', start));
        const read = reviewFrom(JSON.parse(JSON.stringify(storedReview(review))) as Json);
        assert.deepEqual(read, { ...review, memory: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused when it is none', () => {
    for (const stored of [
      null,
      1,
      'x',
      [],
      {},
      { version: 1 },
      { version: 1, path: '/a', baseline: {} },
    ])
      assert.equal(reviewFrom(stored), undefined);
  });
});
