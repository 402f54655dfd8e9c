import assert from 'node:assert/strict';
import type { KeptContents } from '../../../src/core/ports/files/kept-contents.ts';
import type { LeafRecord } from '../../../src/core/ports/files/workspace-snapshots.ts';
import { AskedDrafts } from '../../../src/core/review/storage/asked-drafts.ts';
import { FileLocks } from '../../../src/core/review/storage/file-locks.ts';
import {
  inPieces,
  parsedPieces,
  PIECE,
  pieceKeysOf,
} from '../../../src/core/review/storage/in-pieces.ts';
import { KeptFiles } from '../../../src/core/review/storage/kept-files.ts';
import { SnapshotContents } from '../../../src/core/review/storage/snapshot-contents.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';

describe('what is kept beside pending changes', () => {
  it('drafts of asked edits: the newest twenty, and of what is no draft nothing', async () => {
    const [values, clock] = [new MapValues(), new FakeClock()];
    const drafts = new AskedDrafts(values, clock);
    await values.set('asked-edit:zz', { text: 'without a time' });
    await values.set('asked-edit:a', 7);
    assert.equal(await drafts.get('a'), undefined);
    await values.set('asked-edit:a', null);
    // The newest comes first by its key.
    const names = Array.from({ length: 21 }, (_, index) => String.fromCodePoint(122 - index));
    for (const [count, name] of names.entries()) {
      await drafts.put(name, `text of ${name}`);
      await clock.advance(1);
      const { length } = await values.list('asked-edit:');
      assert.equal(length, Math.min(count + 2, 20));
    }
    assert.equal(await drafts.get('zz'), undefined);
    assert.deepEqual(await Promise.all(['z', 'y', 'f'].map((name) => drafts.get(name))), [
      undefined,
      'text of y',
      'text of f',
    ]);
    await drafts.put('y', undefined);
    assert.equal(await drafts.get('y'), undefined);
  });

  it('files as they were: what was cleaned up is not there, what cannot be read is told', async () => {
    const kept = { hash: 'h', bytes: 1, mode: 0o644 };
    const failing = (thrown: Error): KeptFiles =>
      new KeptFiles({ read: () => Promise.reject(thrown) } as unknown as KeptContents);
    const gone = new BelayError({ code: 'not_found', message: 'It is gone.' });
    assert.equal(await failing(gone).bytes(kept), undefined);
    for (const thrown of [
      new BelayError({ code: 'store', message: 'It is damaged.' }),
      Object.assign(new Error('No file.'), { code: 'not_found' }),
    ])
      await assert.rejects(failing(thrown).bytes(kept), thrown);
    assert.equal(await new KeptFiles(undefined).bytes(kept), undefined);
    assert.equal(await new KeptFiles(undefined).keep('/w/a'), undefined);
  });

  it('files as they were, in the snapshots: below the folder of the workspace that they are in', async () => {
    const asked: unknown[] = [];
    let record: LeafRecord = { kind: 'file', hash: 'h', size: 3, mode: 0o600 };
    const contents = new SnapshotContents({
      roots: () => ['/other', '/link'],
      files: { realpath: async (path) => (path === '/link' ? '/real' : path) },
      snapshots: {
        keep: async (...given) => {
          asked.push(given);
          return [record];
        },
        contentOf: async (wanted) =>
          wanted.kind === 'file' && wanted.size === 3
            ? { kind: 'file', bytes: new Uint8Array(3), mode: wanted.mode }
            : { kind: 'absent' },
      },
    });
    assert.deepEqual(await contents.keep('/real/a'), { hash: 'h', bytes: 3, mode: 0o600 });
    const bytes = new Uint8Array([1]);
    assert.deepEqual(await contents.keep('/real/a', { bytes, mode: 0o755 }), {
      hash: 'h',
      bytes: 3,
      mode: 0o755,
    });
    for (const outside of ['/real', '/elsewhere/a'])
      assert.equal(await contents.keep(outside), undefined);
    record = { kind: 'link', target: 'b' };
    assert.equal(await contents.keep('/real/a'), undefined);
    assert.deepEqual(asked, [
      ['/real', ['a'], undefined],
      ['/real', ['a'], new Map([['a', bytes]])],
      ['/real', ['a'], undefined],
    ]);
    assert.equal((await contents.read({ hash: 'h', bytes: 3, mode: 0o600 })).length, 3);
    await assert.rejects(contents.read({ hash: 'h', bytes: 4, mode: 0o600 }), {
      code: 'not_found',
    });
  });

  it('a text in pieces: each can be stored, in order, and all of them are needed', () => {
    const text = JSON.stringify(`${'x'.repeat(PIECE - 2)}${'y'.repeat(PIECE)}`);
    const pieces = inPieces('k', text);
    assert.deepEqual(
      pieces.map(({ key, value }) => [key, (value as string).length]),
      [
        ['k#0000', PIECE],
        ['k#0001', PIECE],
      ],
    );
    assert.equal(inPieces('k', `${text} `).length, 3);
    const texts = new Map(pieces.map(({ key, value }) => [key, value]));
    const keys = [...texts.keys()];
    assert.equal(JSON.stringify(parsedPieces(keys, texts)), text);
    assert.equal(parsedPieces([...keys, 'k#0002'], texts), null);
    assert.equal(parsedPieces(keys.slice(1), texts), null, 'what is cut is no JSON');
    assert.deepEqual(pieceKeysOf({ pieces: ['a', 1, 'b'] }), ['a', 'b']);
    for (const other of [null, 'pieces', 7, {}, { pieces: 'a' }])
      assert.equal(pieceKeysOf(other), undefined);
  });

  describe('one window at a time decides about a file', () => {
    const file = { kind: 'written', path: '/w/a' } as const;
    let values: MapValues;
    let clock: FakeClock;
    const locks = (writer: string): FileLocks => new FileLocks({ values, clock, writer });
    const held = (): Promise<unknown> => values.get('review-lock:written:/w/a');
    const tries = (writer: string, one: typeof file | { kind: 'proposed'; path: string } = file) =>
      locks(writer)
        .during(one, async () => 'done')
        .catch((thrown: BelayError) => thrown.code);

    beforeEach(() => {
      [values, clock] = [new MapValues(), new FakeClock()];
    });

    it('another one does nothing meanwhile, and may afterwards, however it ended', async () => {
      const failure = new Error('No.');
      await assert.rejects(
        locks('1').during(file, async () => {
          assert.equal(await tries('2'), 'busy');
          assert.equal(await tries('2', { kind: 'proposed', path: '/w/a' }), 'done');
          assert.equal(await tries('1'), 'done', 'it waits for nobody but others');
          throw failure;
        }),
        failure,
      );
      assert.equal(await held(), undefined);
      assert.equal(await tries('2'), 'done');
    });

    it('one that is gone, or whose clock is another, holds it for ten seconds at most', async () => {
      for (const [passed, end] of [
        [9999, 'busy'],
        [10_000, 'done'],
        [-9999, 'busy'],
        [-10_000, 'done'],
      ] as const) {
        await values.set('review-lock:written:/w/a', ['1', clock.now() - passed]);
        assert.equal(await tries('2'), end, `${passed} ms`);
      }
      await values.set('review-lock:written:/w/a', ['1', 'now']);
      assert.equal(await tries('2'), 'done');
      // Taken over, it is not given back by the first.
      await locks('1').during(file, async () => {
        await clock.advance(10_000);
        await values.set('review-lock:written:/w/a', ['2', clock.now()]);
      });
      assert.deepEqual(await held(), ['2', clock.now()]);
    });

    it('two at the same moment: one of them; a store that takes nothing holds nothing up', async () => {
      const other = new MapValues();
      await values.set('review-lock:written:/w/a', null);
      const raced = Object.assign(values, {
        get: async () => undefined,
        swap: (...given: Parameters<MapValues['swap']>) => other.swap(...given),
      });
      await other.set('review-lock:written:/w/a', ['2', clock.now()]);
      assert.equal(await tries('1'), 'busy');
      const full = new BelayError({ code: 'store', message: 'The disk is full.' });
      Object.assign(raced, { get: () => Promise.reject(full) });
      assert.equal(await tries('1'), 'done');
    });
  });
});
