import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { RealTree } from './real-tree.ts';

describe('checkpoints whose storage is harmed', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n'.repeat(100));
    tree.write('b.txt', 'two\n'.repeat(100));
  });
  afterEach(() => tree.dispose());

  const storage = (): string => path.join(tree.folder, 'storage');
  const packs = (): string[] =>
    readdirSync(storage())
      .filter((name) => name.endsWith('.pack'))
      .map((name) => path.join(storage(), name));

  async function workAndGoBack(): Promise<void> {
    await tree.agentDoes(() => tree.write('a.txt', 'by the agent\n'));
    await tree.goBack();
    assert.equal(tree.text('a.txt'), 'one\n'.repeat(100));
  }

  it('deleted: the next checkpoint is whole, and this window is announced again', async () => {
    await tree.held();
    rmSync(storage(), { recursive: true });
    await workAndGoBack();
    assert.ok(readdirSync(storage()).includes('test.owner'));
  });

  for (const [what, harm] of [
    ['cut off', (file: string) => truncateSync(file, 50)],
    [
      'longer than this window has written it',
      (file: string) => appendFileSync(file, 'x'.repeat(99)),
    ],
  ] as const)
    it(`a pack that is ${what}: what is stored from then on is whole`, async () => {
      await tree.held();
      packs().forEach(harm);
      tree.write('c.txt', 'three\n'.repeat(100));
      await workAndGoBack();
    });

  it('a damaged object: its file stays, and it is stored anew when a checkpoint sees it again', async () => {
    await tree.agentDoes(() => tree.write('a.txt', 'by the agent\n'));
    const [file = ''] = packs();
    const descriptor = openSync(file, 'r+');
    // The content of the first object, behind its header.
    writeSync(descriptor, Buffer.alloc(8, 7), 0, 8, 41);
    closeSync(descriptor);
    const outcomes = (await tree.preview()).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['lost']);
    await tree.goBack();
    assert.equal(tree.text('a.txt'), 'by the agent\n');
    tree.write('a.txt', 'one\n'.repeat(100));
    await tree.held();
    tree.write('a.txt', 'by the agent\n');
    await tree.goBack();
    assert.equal(tree.text('a.txt'), 'one\n'.repeat(100));
  });

  it('a disk that is full in the middle of an object: nothing that is stored before or after is shifted', function () {
    if (process.platform === 'win32') this.skip();
    const module = '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
    const script = `
      import { randomBytes } from 'node:crypto';
      import { ObjectStore } from ${JSON.stringify(new URL(module, import.meta.url))};
      const folder = process.argv[1];
      const store = new ObjectStore(folder, 'full');
      const [small, large, last] = [randomBytes(500), randomBytes(100_000), randomBytes(500)];
      const first = store.put(small);
      let code;
      try { store.put(large); } catch (thrown) { code = thrown.code; }
      const then = store.put(last);
      store.close();
      const again = new ObjectStore(folder, 'again');
      console.log(JSON.stringify([code, again.get(first).equals(small), again.get(then).equals(last)]));`;
    // What is written beyond the limit of a file's size is cut off, as on a disk without room.
    const child = spawnSync(
      'sh',
      [
        '-c',
        'ulimit -f 8; exec "$0" "$@"',
        process.execPath,
        '--input-type=module',
        '-e',
        script,
        storage(),
      ],
      { encoding: 'utf8' },
    );
    assert.equal(child.status, 0, child.stderr);
    assert.deepEqual(JSON.parse(child.stdout), ['store', true, true]);
  });
});
