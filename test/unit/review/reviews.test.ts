import { countPending } from '../../../src/core/review/model/selected-changes.ts';
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import type { WriteOptions } from '../../../src/core/ports/files/file-system.ts';
import { ABSENT, textContent } from '../../../src/core/review/model/file-review.ts';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const by = (callId: string, messageId = 'm', at = 1): Attribution => ({
  by: 'agent',
  sessionId: 's',
  messageId,
  callId,
  tool: 'edit_file',
  why: '',
  at,
});

/** The machine's files, of which something goes wrong when they are changed. */
class Files extends NodeFileSystem {
  beforeChange: (file: string) => void = () => undefined;

  override async write(file: string, content: Uint8Array, options?: WriteOptions): Promise<void> {
    this.beforeChange(file);
    return super.write(file, content, options);
  }

  override async delete(file: string): Promise<void> {
    this.beforeChange(file);
    return super.delete(file);
  }

  override async rename(from: string, to: string): Promise<void> {
    this.beforeChange(from);
    return super.rename(from, to);
  }
}

/** A store that is full for a while. */
class FullValues extends MapValues {
  isFull: (key: string) => boolean = () => false;

  override async set(...given: Parameters<MapValues['set']>): Promise<void> {
    this.#refuse(given[0]);
    return super.set(...given);
  }

  override async swap(...given: Parameters<MapValues['swap']>): Promise<boolean> {
    this.#refuse(given[1].key);
    return super.swap(...given);
  }

  #refuse(key: string): void {
    if (this.isFull(key))
      throw new BelayError({ code: 'store', message: 'The disk is full. Make room.' });
  }
}

const BEFORE = 'a\nb\nc\nd\n';
const AFTER = 'A\nb\nc\nD\n';

describe('the pending changes of a workspace', () => {
  let folder: string;
  let files: Files;
  let values: FullValues;
  let clock: FakeClock;
  let reviews: Reviews;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'belay-reviews-')));
    [files, values, clock] = [new Files(), new FullValues(), new FakeClock()];
    reviews = new Reviews({ values, files, clock, log: silentLog });
  });

  afterEach(() => {
    reviews.dispose();
    rmSync(folder, { recursive: true });
  });

  const at = (name: string): string => path.join(folder, name);
  const text = (name: string): string | undefined => {
    try {
      return readFileSync(at(name), 'utf8');
    } catch {
      return undefined;
    }
  };
  const content = (given: string | undefined) =>
    given === undefined ? ABSENT : textContent(given);

  /** What an agent does; `undefined`: no file. */
  const edit = async (
    name: string,
    before: string | undefined,
    after: string | undefined,
    who = by('1'),
  ): Promise<void> => {
    if (before !== undefined && text(name) === undefined) writeFileSync(at(name), before);
    const contents = { before: content(before), after: content(after) };
    await reviews.agent.edits(at(name), contents, who);
    if (after === undefined) rmSync(at(name));
    else writeFileSync(at(name), after);
  };

  const restart = async (): Promise<void> => {
    await reviews.flush();
    reviews.dispose();
    reviews = new Reviews({ values, files, clock, log: silentLog });
    await reviews.load();
  };

  const hunks = (name: string) => {
    const review = reviews.find(at(name));
    return review === undefined ? [] : hunksOf(review);
  };

  describe('pending changes', () => {
    const [isThere, isNot] = [AFTER, BEFORE];

    it('are decided hunk by hunk, and each only once', async () => {
      await edit('a', BEFORE, AFTER);
      assert.equal(text('a'), isThere);
      const [first, second] = hunks('a');
      await reviews.decisions.keep({ path: at('a'), choice: [first!.id] });
      assert.equal(text('a'), AFTER);
      for (const decision of ['keep', 'undo'] as const)
        await assert.rejects(reviews.decisions[decision]({ path: at('a'), choice: [first!.id] }), {
          code: 'not_found',
        });
      await restart();
      await reviews.decisions.undo({ path: at('a'), choice: [second!.id] });
      assert.equal(text('a'), 'A\nb\nc\nd\n');
      assert.deepEqual(reviews.pending, []);
      await assert.rejects(
        reviews.decisions.keep({ path: at('a') }),
        /Nothing is pending in .*a /u,
      );
      assert.deepEqual(await values.list('pending:'), []);
    });

    it('stay pending when the file may not be written, and the message says why', async () => {
      await edit('a', BEFORE, AFTER);
      const before = hunks('a').map(({ id }) => id);
      files.beforeChange = (file) => {
        throw new BelayError({ code: 'permission', message: `${file} is read-only.` });
      };
      const decision = 'undo';
      await assert.rejects(reviews.decisions[decision]({ path: at('a') }), /a is read-only/u);
      const decided = await reviews.decisions.decide(decision, [{ path: at('a') }]);
      assert.deepEqual(decided, {
        done: 0,
        left: 0,
        failed: [{ path: at('a'), reason: `${at('a')} is read-only.` }],
      });
      assert.equal(text('a'), isThere);
      assert.deepEqual(
        hunks('a').map(({ id }) => id),
        before,
      );
      await restart();
      files.beforeChange = () => undefined;
      await reviews.decisions.undo({ path: at('a') });
      assert.equal(text('a'), isNot);
    });

    it('stay pending when the file changes in this very moment, and that change stays', async () => {
      await edit('a', BEFORE, AFTER);
      files.beforeChange = () => writeFileSync(at('a'), `new\n${isThere}`);
      const decision = 'undo';
      await assert.rejects(reviews.decisions[decision]({ path: at('a') }), /a was changed by/u);
      assert.equal(text('a'), `new\n${isThere}`);
      assert.equal(hunks('a').length, 2);
      files.beforeChange = () => undefined;
      await reviews.decisions[decision]({ path: at('a') });
      assert.equal(text('a'), `new\n${BEFORE}`);
    });

    it('stay pending when the store is full; nothing is done to the file', async () => {
      await edit('a', BEFORE, AFTER);
      values.isFull = () => true;
      const decision = 'undo';
      await assert.rejects(reviews.decisions[decision]({ path: at('a') }), /full/u);
      const other = 'keep';
      await assert.rejects(reviews.decisions[other]({ path: at('a') }), /full/u);
      assert.equal(text('a'), isThere);
      assert.equal(hunks('a').length, 2);
      const contents = { before: content('x'), after: content('y') };
      await assert.rejects(reviews.agent.edits(at('b'), contents, by('2')), /full/u);
      assert.equal(reviews.find(at('b')), undefined);
    });

    it('of which the file was changed already are decided, and stored when there is room', async () => {
      await edit('a', BEFORE, AFTER);
      values.isFull = (key) => key.includes('revision');
      await reviews.decisions.undo({ path: at('a') });
      assert.equal(text('a'), BEFORE);
      assert.deepEqual(reviews.pending, []);
      values.isFull = () => false;
      await clock.advance(400);
      assert.deepEqual(await values.list('pending:'), []);
    });

    it('follow a file that the person renames, and one that goes back to its old name', async () => {
      await edit('a', BEFORE, AFTER);
      await files.rename(at('a'), at('b'));
      reviews.files.fileRenamed(at('a'), at('b'));
      await restart();
      assert.equal(hunks('b').length, 2);
      await reviews.decisions.undo({ path: at('b') });
      assert.equal(text('b'), BEFORE);
      assert.equal(text('a'), undefined);
    });

    it('of a renaming go back, stay, and are nothing when the person undoes it', async () => {
      const renamed = async (from: string, to: string): Promise<void> => {
        await edit(from, BEFORE, AFTER);
        const to_ = { path: at(to), content: content(AFTER) };
        await reviews.agent.renames(at(from), to_, by('2'));
        await files.rename(at(from), at(to));
      };
      await renamed('a', 'A');
      await renamed('b', 'B');
      await restart();
      await reviews.decisions.keep({ path: at('A') });
      assert.deepEqual([text('a'), text('A')], [undefined, AFTER]);
      await reviews.decisions.undo({ path: at('B') });
      assert.deepEqual([text('b'), text('B')], [BEFORE, undefined]);
      await edit('c', BEFORE, BEFORE.toUpperCase());
    });

    it('of several files are decided in any order in which that can be done', async () => {
      // A new file in the place of one that was renamed.
      writeFileSync(at('a'), BEFORE);
      const to = { path: at('b'), content: content(BEFORE) };
      await reviews.agent.renames(at('a'), to, by('1'));
      await files.rename(at('a'), at('b'));
      await edit('a', undefined, AFTER);
      const all = [{ path: at('a') }, { path: at('b') }];
      const order = all.toReversed();
      const decision = 'undo';
      const { done, failed } = await reviews.decisions.decide(decision, order);
      assert.deepEqual([done, failed], [2, []]);
      assert.deepEqual([text('a'), text('b')], [BEFORE, undefined]);
    });

    it('know their requests, are counted, and marked when they were looked at', async () => {
      const told: string[] = [];
      reviews.onChange((changed) => told.push(path.basename(changed)));
      await edit('a', BEFORE, 'A\nb\nc\nd\n', by('1', 'first', 1));
      await edit('a', 'A\nb\nc\nd\n', AFTER, by('2', 'second', 2));
      await edit('b', undefined, 'x\n', by('3', 'second', 3));
      assert.deepEqual(countPending(reviews.pending), { files: 2, hunks: 3, added: 3, removed: 2 });
      reviews.decisions.look(at('a'), [hunks('a')[1]!.id, 'other'], true);
      await restart();
      assert.deepEqual(
        reviews.pending.map((review) =>
          hunksOf(review).map(({ id, by: made }) => [
            made.at(-1)?.messageId,
            review.looked.includes(id),
          ]),
        ),
        [
          [
            ['first', false],
            ['second', true],
          ],
          [['second', false]],
        ],
      );
      reviews.decisions.look(at('a'), [hunks('a')[1]!.id], false);
      assert.deepEqual(reviews.find(at('a'))?.looked, []);
      assert.ok(told.includes('a') && told.includes('b'));
    });
  });

  it('that the user edited are left by an undo of everything, which says how many', async () => {
    await edit('a', BEFORE, AFTER);
    writeFileSync(at('a'), 'A, mine\nb\nc\nD\n');
    reviews.files.documentChanged(at('a'), textContent('A, mine\nb\nc\nD\n'), 'editor');
    const all = await reviews.decisions.decide('undo', [{ path: at('a') }]);
    assert.deepEqual([all.done, all.left, all.failed], [1, 1, []]);
    assert.equal(text('a'), 'A, mine\nb\nc\nd\n');
    await reviews.decisions.undo({ path: at('a') });
    assert.equal(text('a'), BEFORE);
  });

  describe('return when the file is exactly what it was', () => {
    const outside = async (name: string, now: string | undefined): Promise<void> => {
      if (now === undefined) rmSync(at(name));
      else writeFileSync(at(name), now);
      await reviews.files.fileChanged(at(name));
    };

    it('after a checkout and back, also over a restart', async () => {
      await edit('a', BEFORE, AFTER);
      const ids = hunks('a').map(({ id }) => id);
      await outside('a', 'of another branch\n');
      assert.deepEqual(reviews.pending, []);
      await restart();
      await outside('a', AFTER);
      assert.deepEqual(
        hunks('a').map(({ id }) => id),
        ids,
      );
      await reviews.decisions.undo({ path: at('a') });
      assert.equal(text('a'), BEFORE);
    });

    it('after the file was deleted and is there again; of another text nothing is claimed', async () => {
      await edit('a', undefined, AFTER);
      await outside('a', undefined);
      assert.deepEqual(reviews.pending, []);
      await outside('a', `${AFTER}of somebody else\n`);
      assert.deepEqual(reviews.pending, []);
      await outside('a', AFTER);
      assert.equal(hunks('a').length, 1);
    });

    it('after the undo of an editor brought back what was undone', async () => {
      await edit('a', BEFORE, AFTER);
      await reviews.decisions.undo({ path: at('a') });
      writeFileSync(at('a'), AFTER);
      reviews.files.documentChanged(at('a'), textContent(AFTER), 'editor');
      assert.equal(hunks('a').length, 2);
      reviews.files.documentChanged(at('a'), textContent(BEFORE), 'editor');
      assert.equal(hunks('a').length, 0);
    });

    it('without what was kept meanwhile', async () => {
      await edit('a', BEFORE, AFTER);
      reviews.files.documentChanged(at('a'), textContent('A\nb\nc\nD!\n'), 'editor');
      writeFileSync(at('a'), 'A\nb\nc\nD!\n');
      await reviews.decisions.keep({ path: at('a'), choice: [hunks('a')[0]!.id] });
      reviews.files.documentChanged(at('a'), textContent(AFTER), 'editor');
      assert.deepEqual(
        hunks('a').map(({ added }) => added),
        [['D']],
      );
    });
  });

  it('that are not in the file after a restart are dropped, and nothing is written', async () => {
    await edit('a', BEFORE, AFTER);
    writeFileSync(at('a'), 'new\nA\nb\nc\nother\n');
    await restart();
    assert.deepEqual(
      hunks('a').map(({ added }) => added),
      [['A']],
    );
    await reviews.decisions.undo({ path: at('a') });
    assert.equal(text('a'), 'new\na\nb\nc\nother\n');
  });

  describe('of two processes', () => {
    const open = async (writer: string): Promise<Reviews> => {
      const other = new Reviews({ values, writer, files, clock, log: silentLog });
      await other.load();
      return other;
    };

    it('are changed one after the other: an edit of one is made on what the other stored', async () => {
      await edit('a', BEFORE, 'A\nb\nc\nd\n');
      const other = await open('other');
      const edited = { before: content('A\nb\nc\nd\n'), after: content(AFTER) };
      await other.agent.edits(at('a'), edited, by('2'));
      writeFileSync(at('a'), AFTER);
      await edit('a', AFTER, 'A\nb\nC\nD\n', by('3'));
      assert.deepEqual(
        hunks('a').map(({ added }) => added),
        [['A'], ['C', 'D']],
      );
      await other.refresh();
      assert.deepEqual(hunksOf(other.find(at('a'))!), hunks('a'));
      other.dispose();
    });

    it('are gone in one when the other has decided', async () => {
      await edit('a', BEFORE, AFTER);
      const other = await open('other');
      await other.decisions.undo({ path: at('a') });
      await reviews.refresh();
      assert.deepEqual(reviews.pending, []);
      assert.equal(text('a'), BEFORE);
      other.dispose();
    });

    it('are gone in both for good when a restore has settled the file', async () => {
      await edit('a', BEFORE, 'A\nb\nc\nd\n');
      const other = await open('other');
      // The first change is put aside, in case the file is exactly that again.
      await edit('a', 'A\nb\nc\nd\n', AFTER, by('2'));
      await other.agent.settleAll([at('a')]);
      await reviews.refresh();
      writeFileSync(at('a'), 'A\nb\nc\nd\n');
      for (const one of [other, reviews]) await one.files.fileChanged(at('a'));
      assert.deepEqual([other.pending, reviews.pending], [[], []]);
      other.dispose();
    });
  });
});
