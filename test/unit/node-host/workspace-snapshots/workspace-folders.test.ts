import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type {
  FolderChanges,
  WorkspaceSnapshot,
} from '../../../../src/core/ports/files/workspace-snapshots.ts';
import { RealTree } from './real-tree.ts';

describe('checkpoints of a workspace of several folders', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n');
    tree.write('packages/inner/b.txt', 'two\n');
  });
  afterEach(() => tree.dispose());

  const changesOf = async (
    before: WorkspaceSnapshot,
    after: WorkspaceSnapshot,
  ): Promise<readonly (readonly [string, string])[]> =>
    (await tree.snapshots.changes(before, after)).flatMap(({ root, changes }) =>
      changes.map((change) => [path.relative(tree.folder, root), change.path] as const),
    );

  /** What the changes took away, put back. */
  async function putBack(folders: readonly FolderChanges[]): Promise<void> {
    const { snapshots } = tree;
    const steps = folders.map(async ({ root, changes }) => ({
      root,
      steps: await Promise.all(
        changes.map(async ({ path: name, before, after }) => ({
          path: name,
          from: await snapshots.contentOf(after),
          to: await snapshots.contentOf(before),
        })),
      ),
    }));
    await snapshots.restore(await Promise.all(steps), null);
  }

  it('one of which lies in another: what changes in it is on record once, and comes back', async () => {
    const roots = [tree.root, tree.at('packages/inner')];
    const before = await tree.snapshots.take(roots);
    tree.write('a.txt', 'by the agent\n');
    tree.write('packages/inner/b.txt', 'by the agent\n');
    const after = await tree.snapshots.take(roots);
    assert.deepEqual(await changesOf(before, after), [
      ['ws', 'a.txt'],
      ['ws/packages/inner', 'b.txt'],
    ]);
    await putBack(await tree.snapshots.changes(before, after));
    assert.equal(tree.text('a.txt') + tree.text('packages/inner/b.txt'), 'one\ntwo\n');
  });

  it('one of which is added or removed meanwhile: nobody has made or deleted what is in it', async () => {
    const both = [tree.root, tree.at('packages/inner')];
    const one = await tree.snapshots.take([tree.root]);
    const two = await tree.snapshots.take(both);
    assert.deepEqual(await changesOf(one, two), []);
    assert.deepEqual(await changesOf(two, one), []);
  });

  it('that are the same by another name are one', async () => {
    const link = path.join(tree.folder, 'link');
    symlinkSync(tree.root, link);
    const { folders } = await tree.snapshots.take([link, tree.root]);
    assert.deepEqual(
      folders.map(({ root }) => root),
      [tree.root],
    );
  });

  it('one of which is not there: it is named, and the others are held', async () => {
    const other = path.join(tree.folder, 'other');
    mkdirSync(other);
    const before = await tree.snapshots.take([tree.root, other]);
    rmSync(other, { recursive: true });
    tree.write('a.txt', 'by the agent\n');
    const after = await tree.snapshots.take([other, tree.root]);
    assert.deepEqual(after.leftOut.reasons, [{ why: 'unreadable', count: 1, named: ['other/'] }]);
    assert.deepEqual(await changesOf(before, after), [['ws', 'a.txt']]);
    await assert.rejects(tree.snapshots.take([other]), { code: 'tool' });
  });
});
