import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { WorkspaceSnapshot } from '../../../../src/core/ports/files/workspace-snapshots.ts';
import { forgottenUntil } from '../../../../src/core/restore/storage/forgotten.ts';
import { CheckpointStorage } from '../../../../src/core/restore/storage/checkpoint-storage.ts';
import { NodeWorkspaceSnapshots } from '../../../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { Owners } from '../../../../src/hosts/node/workspace-snapshots/owners.ts';
import { MapValues } from '../../../support/map-values.ts';
import { workerFile } from '../../../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');
const KB = 1024;
const DAY = 86_400_000;

describe('the storage of checkpoints', () => {
  let folder: string;
  let values: MapValues;
  let snapshots: NodeWorkspaceSnapshots;
  let limits = { days: 30, bytes: 1000 * KB };
  const now = 100 * DAY;

  const open = (): NodeWorkspaceSnapshots =>
    new NodeWorkspaceSnapshots({
      folder: path.join(folder, 'storage'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
  const storage = (): CheckpointStorage =>
    new CheckpointStorage({
      snapshots,
      values,
      now: () => now,
      sessions: () => Promise.resolve(['s']),
      limits: () => limits,
    });
  /** Four days, each with 100 kB that no other day has. */
  const taken: WorkspaceSnapshot[] = [];

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-storage-')));
    mkdirSync(path.join(folder, 'ws'));
    values = new MapValues();
    snapshots = open();
    taken.length = 0;
    for (const day of [1, 2, 3, 4]) {
      writeFileSync(path.join(folder, 'ws/data.bin'), randomBytes(100 * KB));
      const snapshot = await snapshots.take([path.join(folder, 'ws')]);
      taken.push(snapshot);
      const kept = { ...snapshot, messageId: `m${day}`, at: now - (5 - day) * DAY };
      await values.set(`checkpoint/m${day}`, kept, 's');
    }
    // What was stored a moment ago stays: as if the window had been opened again.
    snapshots.dispose();
    snapshots = open();
    limits = { days: 30, bytes: 1000 * KB };
  });
  afterEach(() => {
    snapshots.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const left = async (): Promise<string[]> =>
    (await values.list('checkpoint/', 's')).map(({ key }) => key.slice('checkpoint/'.length));
  /** Whether everything of a checkpoint can be read: it differs from the next in one file. */
  const isWhole = async (snapshot: WorkspaceSnapshot): Promise<boolean> => {
    const writeSomething = writeFileSync(path.join(folder, 'ws/data.bin'), 'now');
    assert.equal(writeSomething, undefined);
    const current = await snapshots.take([path.join(folder, 'ws')]);
    const [found] = await snapshots.changes(snapshot, current);
    const before = found?.changes[0]?.before;
    assert.ok(before?.kind === 'file');
    return (await snapshots.contentOf(before)).kind === 'file';
  };

  it('is left alone within its limits', async () => {
    await storage().clean();
    assert.deepEqual(await left(), ['m1', 'm2', 'm3', 'm4']);
    for (const snapshot of taken) assert.ok(await isWhole(snapshot));
  });

  it('is cut down to its size: the oldest go first, and the newest stay whole', async () => {
    limits = { days: 30, bytes: 250 * KB };
    await storage().clean();
    assert.deepEqual(await left(), ['m3', 'm4']);
    assert.ok((await snapshots.size()) <= limits.bytes);
    assert.ok((await isWhole(taken[2]!)) && (await isWhole(taken[3]!)));
    await assert.rejects(isWhole(taken[0]!), { code: 'not_found' });
  });

  it('forgets what is too old, and everything when checkpoints are switched off', async () => {
    limits = { days: 2.5, bytes: 1000 * KB };
    await storage().clean();
    assert.deepEqual(await left(), ['m3', 'm4']);
    limits = { days: 30, bytes: 0 };
    await storage().clean();
    assert.deepEqual(await left(), []);
    assert.ok((await snapshots.size()) < 5 * KB);
  });

  it('remembers of each session how far what calls changed is forgotten, and not of checkpoints', async () => {
    const file = { kind: 'file', hash: 'f'.repeat(64), size: 1, mode: 0o644 } as const;
    for (const [day, number] of [
      [1, 1],
      [2, 2],
      [4, 3],
    ] as const) {
      const changes = [{ path: 'x', before: file, after: { kind: 'absent' } as const }];
      const folders = [{ root: '/ws', changes }];
      const record = { callId: `c${day}`, tool: 'x', folders, uncertain: false };
      await values.set(`changes/0000000${number}`, { ...record, at: now - (5 - day) * DAY }, 's');
    }
    await storage().clean();
    assert.equal(await forgottenUntil(values, 's'), undefined);
    limits = { days: 2.5, bytes: 1000 * KB };
    await storage().clean();
    assert.equal(await forgottenUntil(values, 's'), now - 3 * DAY);
    assert.deepEqual(
      (await values.list('changes/', 's')).map(({ key }) => key),
      ['changes/00000003'],
    );
  });

  it('is cleaned up as the person wishes', async () => {
    assert.deepEqual(await storage().cleanUp({ kind: 'gone' }), {
      deleted: 0,
      left: await snapshots.size(),
    });
    assert.equal((await storage().cleanUp({ kind: 'older', days: 2.5 })).deleted, 2);
    assert.deepEqual(await left(), ['m3', 'm4']);
    const size = await snapshots.size();
    assert.ok(size > 200 * KB && size < 250 * KB);
    await values.set('checkpoint/m3', null, 's');
    const { deleted, left: bytes } = await storage().cleanUp({ kind: 'gone' });
    assert.equal(deleted, 0);
    assert.ok(bytes !== undefined && bytes < 150 * KB, 'what no session has is given back');
    assert.equal((await storage().cleanUp({ kind: 'everything' })).deleted, 1);
    assert.ok((await snapshots.size()) < 5 * KB);
  });

  it('keeps what a call needs that is still under way', async () => {
    const own = storage();
    const release = own.hold(taken[0]!);
    await own.cleanUp({ kind: 'everything' });
    assert.ok(await isWhole(taken[0]!));
    release();
    snapshots.dispose();
    snapshots = open();
    await storage().cleanUp({ kind: 'gone' });
    await assert.rejects(isWhole(taken[0]!), { code: 'not_found' });
  });

  it('is left alone while another window may have stored something, and tidied when it is gone', async () => {
    const other = new Owners(path.join(folder, 'storage'), 'other');
    await other.announce();
    assert.equal((await storage().cleanUp({ kind: 'everything' })).left, undefined);
    assert.ok(await isWhole(taken[0]!));
    other.leave();
    snapshots.dispose();
    snapshots = open();
    assert.notEqual((await storage().cleanUp({ kind: 'everything' })).left, undefined);
    await assert.rejects(isWhole(taken[0]!), { code: 'not_found' });
    const owners = readdirSync(path.join(folder, 'storage')).filter((one) => /owner/u.test(one));
    assert.deepEqual(owners, ['test.owner']);
  });
});
