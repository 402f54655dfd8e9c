import { totalsOf } from '../../../src/core/review/model/review-kinds.ts';
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import type { WriteOptions } from '../../../src/core/ports/files/file-system.ts';
import { ABSENT, textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import type { Attribution } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { ReviewKind } from '../../../src/core/review/service/reviews.ts';
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
    kind: ReviewKind,
    name: string,
    before: string | undefined,
    after: string | undefined,
    who = by('1'),
  ): Promise<void> => {
    if (before !== undefined && text(name) === undefined) writeFileSync(at(name), before);
    const contents = { before: content(before), after: content(after) };
    await reviews.agent.edits(kind, at(name), contents, who);
    if (kind === 'proposed') return;
    if (after === undefined) rmSync(at(name));
    else writeFileSync(at(name), after);
  };

  const restart = async (): Promise<void> => {
    await reviews.flush();
    reviews.dispose();
    reviews = new Reviews({ values, files, clock, log: silentLog });
    await reviews.load();
  };

  const hunks = (kind: ReviewKind, name: string) => {
    const review = reviews.find(kind, at(name));
    return review === undefined ? [] : hunksOf(review);
  };

  for (const kind of ['written', 'proposed'] as const) {
    describe(kind, () => {
      const [isThere, isNot] = kind === 'written' ? [AFTER, BEFORE] : [BEFORE, BEFORE];

      it('are decided hunk by hunk, and each only once', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        assert.equal(text('a'), isThere);
        const [first, second] = hunks(kind, 'a');
        await reviews.decisions.accept({ kind, path: at('a'), choice: [first!.id] });
        assert.equal(text('a'), kind === 'written' ? AFTER : 'A\nb\nc\nd\n');
        for (const decision of ['accept', 'reject'] as const)
          await assert.rejects(
            reviews.decisions[decision]({ kind, path: at('a'), choice: [first!.id] }),
            {
              code: 'not_found',
            },
          );
        await restart();
        await reviews.decisions.reject({ kind, path: at('a'), choice: [second!.id] });
        assert.equal(text('a'), 'A\nb\nc\nd\n');
        assert.deepEqual(reviews.pending, []);
        await assert.rejects(
          reviews.decisions.accept({ kind, path: at('a') }),
          /Nothing is pending in .*a /u,
        );
        assert.deepEqual(await values.list(kind === 'written' ? 'review:' : 'proposal:'), []);
      });

      it('stay pending when the file may not be written, and the message says why', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        const before = hunks(kind, 'a').map(({ id }) => id);
        files.beforeChange = (file) => {
          throw new BelayError({ code: 'permission', message: `${file} is read-only.` });
        };
        const decision = kind === 'written' ? 'reject' : 'accept';
        await assert.rejects(
          reviews.decisions[decision]({ kind, path: at('a') }),
          /a is read-only/u,
        );
        const decided = await reviews.decisions.decide(decision, [{ kind, path: at('a') }]);
        assert.deepEqual(decided, {
          done: 0,
          left: 0,
          elsewhere: 0,
          failed: [{ path: at('a'), reason: `${at('a')} is read-only.` }],
        });
        assert.equal(text('a'), isThere);
        assert.deepEqual(
          hunks(kind, 'a').map(({ id }) => id),
          before,
        );
        await restart();
        assert.equal(reviews.decisions.interrupted, undefined);
        files.beforeChange = () => undefined;
        await reviews.decisions.reject({ kind, path: at('a') });
        assert.equal(text('a'), isNot);
      });

      it('stay pending when the file changes in this very moment, and that change stays', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        files.beforeChange = () => writeFileSync(at('a'), `new\n${isThere}`);
        const decision = kind === 'written' ? 'reject' : 'accept';
        await assert.rejects(
          reviews.decisions[decision]({ kind, path: at('a') }),
          /a was changed by/u,
        );
        assert.equal(text('a'), `new\n${isThere}`);
        assert.equal(hunks(kind, 'a').length, 2);
        files.beforeChange = () => undefined;
        await reviews.decisions[decision]({ kind, path: at('a') });
        assert.equal(text('a'), `new\n${kind === 'written' ? BEFORE : AFTER}`);
      });

      it('stay pending when the store is full; nothing is done to the file', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        values.isFull = () => true;
        const decision = kind === 'written' ? 'reject' : 'accept';
        await assert.rejects(reviews.decisions[decision]({ kind, path: at('a') }), /full/u);
        const other = kind === 'written' ? 'accept' : 'reject';
        if (kind === 'written')
          await assert.rejects(reviews.decisions[other]({ kind, path: at('a') }), /full/u);
        assert.equal(text('a'), isThere);
        assert.equal(hunks(kind, 'a').length, 2);
        const contents = { before: content('x'), after: content('y') };
        await assert.rejects(reviews.agent.edits(kind, at('b'), contents, by('2')), /full/u);
        assert.equal(reviews.find(kind, at('b')), undefined);
      });

      it('of which the file was changed already are decided, and stored when there is room', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        values.isFull = (key) => key.includes('revision');
        await reviews.decisions[kind === 'written' ? 'reject' : 'accept']({ kind, path: at('a') });
        assert.equal(text('a'), kind === 'written' ? BEFORE : AFTER);
        assert.deepEqual(reviews.pending, []);
        values.isFull = () => false;
        await clock.advance(400);
        assert.deepEqual(await values.list(kind === 'written' ? 'review:' : 'proposal:'), []);
      });

      it('follow a file that the person renames, and one that goes back to its old name', async () => {
        await edit(kind, 'a', BEFORE, AFTER);
        await files.rename(at('a'), at('b'));
        reviews.files.fileRenamed(at('a'), at('b'));
        await restart();
        assert.equal(hunks(kind, 'b').length, 2);
        await reviews.decisions.reject({ kind, path: at('b') });
        assert.equal(text('b'), BEFORE);
        assert.equal(text('a'), undefined);
      });

      it('of a renaming go back, stay, and are nothing when the person undoes it', async () => {
        const renamed = async (from: string, to: string): Promise<void> => {
          await edit(kind, from, BEFORE, AFTER);
          const to_ = { path: at(to), content: content(AFTER) };
          await reviews.agent.renames(kind, at(from), to_, by('2'));
          if (kind === 'written') await files.rename(at(from), at(to));
        };
        await renamed('a', 'A');
        await renamed('b', 'B');
        await restart();
        await reviews.decisions.accept({ kind, path: at('A') });
        assert.deepEqual([text('a'), text('A')], [undefined, AFTER]);
        await reviews.decisions.reject({ kind, path: at('B') });
        assert.deepEqual([text('b'), text('B')], [BEFORE, undefined]);
        await edit(kind, 'c', BEFORE, BEFORE.toUpperCase());
        assert.deepEqual(reviews.decisions.offers, []);
      });

      it('of several files are decided in any order in which that can be done', async () => {
        // A new file in the place of one that was renamed.
        writeFileSync(at('a'), BEFORE);
        const to = { path: at('b'), content: content(BEFORE) };
        await reviews.agent.renames(kind, at('a'), to, by('1'));
        if (kind === 'written') await files.rename(at('a'), at('b'));
        await edit(kind, 'a', undefined, AFTER);
        const all = [
          { kind, path: at('a') },
          { kind, path: at('b') },
        ];
        const order = kind === 'written' ? all.toReversed() : all;
        const decision = kind === 'written' ? 'reject' : 'accept';
        assert.deepEqual(await reviews.decisions.decide(decision, order), {
          done: 2,
          left: 0,
          elsewhere: 0,
          failed: [],
        });
        assert.deepEqual(
          [text('a'), text('b')],
          kind === 'written' ? [BEFORE, undefined] : [AFTER, BEFORE],
        );
      });

      it('keep what was at a name that a renaming takes', async () => {
        await edit(kind, 'b', 'old\n', undefined);
        writeFileSync(at('a'), BEFORE);
        const to = { path: at('b'), content: content(BEFORE) };
        await reviews.agent.renames(kind, at('a'), to, by('2'));
        if (kind === 'written') await files.rename(at('a'), at('b'));
        await reviews.decisions.decide(
          'reject',
          reviews.pending.map(({ review }) => ({ kind, path: review.path })),
        );
        assert.deepEqual([text('a'), text('b')], [BEFORE, 'old\n']);
      });

      it('know their requests, are counted, and marked when they were looked at', async () => {
        const told: string[] = [];
        reviews.onChange((changed) => told.push(`${changed.kind} ${path.basename(changed.path)}`));
        await edit(kind, 'a', BEFORE, 'A\nb\nc\nd\n', by('1', 'first', 1));
        await edit(kind, 'a', 'A\nb\nc\nd\n', AFTER, by('2', 'second', 2));
        await edit(kind, 'b', undefined, 'x\n', by('3', 'second', 3));
        assert.deepEqual(totalsOf(reviews.pending), { files: 2, hunks: 3, added: 3, removed: 2 });
        reviews.decisions.look({ kind, path: at('a') }, [hunks(kind, 'a')[1]!.id, 'other'], true);
        await restart();
        assert.deepEqual(
          reviews.pending.map(({ review }) =>
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
        reviews.decisions.look({ kind, path: at('a') }, [hunks(kind, 'a')[1]!.id], false);
        assert.deepEqual(reviews.find(kind, at('a'))?.looked, []);
        assert.ok(told.includes(`${kind} a`) && told.includes(`${kind} b`));
      });
    });
  }

  it('of both kinds in one file: rejecting what is written leaves the proposal, on the file as it is', async () => {
    await edit('written', 'a', BEFORE, 'A\nb\nc\nd\n');
    await edit('proposed', 'a', 'A\nb\nc\nd\n', AFTER);
    await reviews.decisions.reject({ kind: 'written', path: at('a') });
    assert.equal(text('a'), BEFORE);
    assert.equal(textOf(reviews.find('proposed', at('a'))!.document), 'a\nb\nc\nD\n');
    await reviews.decisions.accept({ kind: 'proposed', path: at('a') });
    assert.equal(text('a'), 'a\nb\nc\nD\n');
  });

  it('say whose change of the same lines they meet, and show both texts', async () => {
    await edit('proposed', 'a', BEFORE, AFTER);
    const typed = 'ay\nb\nc\nd\n';
    writeFileSync(at('a'), typed);
    const place = { line: 0, character: 1 };
    const changes = [{ start: place, end: place, text: 'y' }];
    reviews.files.documentChanged(at('a'), content(typed), { kind: 'typed', changes });
    const [first, second] = hunks('proposed', 'a');
    assert.deepEqual([first!.conflict, second!.conflict], ['person', 'none']);
    assert.equal(textOf(reviews.find('proposed', at('a'))!.baseline), typed);
    assert.equal(textOf(reviews.find('proposed', at('a'))!.document), 'ay\nA\nb\nc\nD\n');
    writeFileSync(at('a'), 'ay\nb\nc\nformatted\n');
    await reviews.files.fileChanged(at('a'));
    await restart();
    assert.deepEqual(
      hunks('proposed', 'a').map(({ conflict, changedOutside }) => [conflict, changedOutside]),
      [
        ['person', true],
        ['outside', true],
      ],
    );
    await reviews.decisions.accept({ kind: 'proposed', path: at('a') });
    assert.equal(text('a'), 'ay\nA\nb\nc\nformatted\nD\n');

    await edit('written', 'w', BEFORE, AFTER);
    writeFileSync(at('w'), 'A;\nb\nc\nD\n');
    await reviews.files.fileChanged(at('w'));
    assert.deepEqual(
      hunks('written', 'w').map(({ conflict, removed, added }) => [conflict, removed, added]),
      [
        ['outside', ['a'], ['A;']],
        ['none', ['d'], ['D']],
      ],
    );
  });

  it('of a file that something else deleted are rejected without bringing it back', async () => {
    await edit('written', 'a', BEFORE, AFTER);
    rmSync(at('a'));
    await reviews.files.fileChanged(at('a'));
    await reviews.decisions.reject({ kind: 'written', path: at('a') });
    assert.equal(text('a'), undefined);
    assert.deepEqual(reviews.pending, []);
  });

  it('that an agent renamed just before a crash are found at the old name or the new one', async () => {
    await edit('written', 'a', BEFORE, AFTER);
    const to = { path: at('b'), content: content(AFTER) };
    await reviews.agent.renames('written', at('a'), to, by('2'));
    await restart();
    assert.deepEqual(
      reviews.pending.map(({ review }) => [path.basename(review.path), review.renamedFrom]),
      [['a', undefined]],
    );
    await reviews.decisions.reject({ kind: 'written', path: at('a') });
    assert.equal(text('a'), BEFORE);
    await edit('proposed', 'c', BEFORE, AFTER);
    const other = { path: at('d'), content: content(AFTER) };
    await reviews.agent.renames('proposed', at('c'), other, by('3'));
    await files.rename(at('c'), at('d'));
    await restart();
    await reviews.decisions.accept({ kind: 'proposed', path: at('d') });
    assert.equal(text('d'), AFTER);
  });
});
