import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { ObjectStore } from '../../../../src/hosts/node/workspace-snapshots/object-store.ts';
import { compareTrees } from '../../../../src/hosts/node/workspace-snapshots/tree.ts';
import { RealTree } from './real-tree.ts';

/** Bytes: more than a snapshot takes in. */
const TOO_LARGE = 10 * 2 ** 20 + 1;

describe('checkpoints of what they do not hold', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n');
  });
  afterEach(() => tree.dispose());

  describe('ignored files', () => {
    it('are those of every .gitignore, of info/exclude and of the person, as git says', async () => {
      tree.repository();
      tree.write('.gitignore', '*.log\n/build/\n!keep.log\n# no rule\n\\#odd\n');
      tree.write('sub/.gitignore', '!wanted.log\nlocal\n');
      tree.write('.git/info/exclude', '*.private\n');
      mkdirSync(path.join(tree.home, '.config/git'), { recursive: true });
      writeFileSync(path.join(tree.home, '.config/git/ignore'), '*~\n');
      const names =
        'x.log keep.log build/y sub/x.log sub/wanted.log sub/local/z sub/build/y #odd s.private t~ sub/u~'.split(
          ' ',
        );
      for (const name of names) tree.write(name, name);
      const byGit = tree
        .git(
          [
            '-c',
            `core.excludesFile=${tree.home}/.config/git/ignore`,
            'ls-files',
            '-co',
            '-z',
          ].concat('--exclude-standard'),
        )
        .split('\0')
        .filter((name) => name !== '');
      assert.deepEqual((await tree.held()).toSorted(), byGit.toSorted());
      assert.ok(
        !byGit.includes('s.private') && !byGit.includes('t~') && byGit.includes('sub/build/y'),
      );
    });

    it('that a command makes visible are listed, and going back does not delete them', async () => {
      tree.write('.gitignore', 'dist/\n*.env\n');
      tree.write('dist/deep/bundle.js', 'built by the person\n');
      tree.write('my.env', 'secret\n');
      const changed = await tree.agentDoes(() => {
        tree.write('.gitignore', '\n');
        tree.write('new.txt', 'by the agent\n');
      });
      assert.deepEqual(changed, ['.gitignore', 'new.txt']);
      assert.deepEqual(await tree.unkept(), ['dist', 'my.env']);
      await tree.goBack();
      assert.equal(tree.text('dist/deep/bundle.js'), 'built by the person\n');
      assert.equal(tree.text('my.env'), 'secret\n');
      assert.equal(existsSync(tree.at('new.txt')), false);
    });

    it('that a command hides are listed, and not deleted by it', async () => {
      tree.write('dist/bundle.js', 'built\n');
      assert.deepEqual(await tree.agentDoes(() => tree.write('.gitignore', 'dist\na.txt\n')), [
        '.gitignore',
      ]);
      assert.deepEqual(await tree.unkept(), ['a.txt', 'dist']);
      await tree.goBack();
      assert.equal(tree.text('dist/bundle.js'), 'built\n');
      assert.deepEqual(await tree.held(), ['a.txt', 'dist/bundle.js']);
    });

    it('are listed next to more changes than one answer of the thread has room for', async () => {
      tree.write('dist/bundle.js', 'built\n');
      const changed = await tree.agentDoes(() => {
        tree.write('.gitignore', 'dist\n');
        for (let file = 0; file < 300; file += 1) tree.write(`new/${file}.txt`, 'new\n');
      });
      assert.equal(changed.length, 301);
      assert.deepEqual(await tree.unkept(), ['dist']);
    });

    it('are judged anew when a rule somewhere changes, not only where a file did', async () => {
      tree.repository();
      tree.write('deep/er/x.tmp', 'x');
      assert.ok((await tree.held()).includes('deep/er/x.tmp'));
      tree.write('.git/info/exclude', '*.tmp\n');
      assert.ok(!(await tree.held()).includes('deep/er/x.tmp'));
      tree.write('deep/.gitignore', '!x.tmp\n');
      assert.ok((await tree.held()).includes('deep/er/x.tmp'));
      tree.remove('deep/.gitignore');
      writeFileSync(path.join(tree.home, '.gitconfig'), `[core]\n\texcludesFile = ~/mine\n`);
      tree.write('.git/info/exclude', '');
      assert.ok((await tree.held()).includes('deep/er/x.tmp'));
      writeFileSync(path.join(tree.home, 'mine'), 'x.*\n');
      assert.ok(!(await tree.held()).includes('deep/er/x.tmp'));
    });

    it('above the workspace count as well, when it is a folder of a repository', async () => {
      tree.repository();
      tree.write('.gitignore', 'packages/one/out\n*.log\n');
      tree.write('packages/one/out/x', 'x');
      tree.write('packages/one/debug.log', 'x');
      tree.write('packages/one/in', 'x');
      tree.root = tree.at('packages/one');
      assert.deepEqual(await tree.held(), ['in']);
    });

    it('that the agent wrote with a tool are held from then on, and come back', async () => {
      tree.write('.gitignore', 'local/\n');
      tree.write('local/settings.json', '{}\n');
      tree.write('local/other.json', '{}\n');
      await tree.snapshots.keep(tree.root, ['local/settings.json']);
      assert.deepEqual(await tree.held(), ['.gitignore', 'a.txt', 'local/settings.json']);
      await tree.agentDoes(() => {
        tree.write('local/settings.json', '{"by": "the agent"}\n');
        tree.write('local/other.json', '{"by": "the agent"}\n');
      });
      await tree.goBack();
      assert.equal(tree.text('local/settings.json'), '{}\n');
      assert.equal(tree.text('local/other.json'), '{"by": "the agent"}\n');
    });
  });

  it('a file beyond the limit is counted, and listed instead of deleted when it has become small', async () => {
    tree.write('dump.sql', '');
    truncateSync(tree.at('dump.sql'), TOO_LARGE);
    assert.deepEqual(await tree.held(), ['a.txt']);
    assert.equal(await tree.leftOut(), 1);
    assert.deepEqual(await tree.agentDoes(() => tree.write('dump.sql', 'short\n')), []);
    assert.deepEqual(await tree.unkept(), ['dump.sql']);
    await tree.goBack();
    assert.equal(tree.text('dump.sql'), 'short\n');
  });

  it('a file that has become too large is listed, and stays', async () => {
    const changed = await tree.agentDoes(() => truncateSync(tree.at('a.txt'), TOO_LARGE));
    assert.deepEqual(changed, []);
    assert.deepEqual(await tree.unkept(), ['a.txt']);
    await tree.goBack();
    assert.equal(statSync(tree.at('a.txt')).size, TOO_LARGE);
  });

  it('a sparse file within the limit is held by its content', async () => {
    tree.write('sparse.bin', '');
    truncateSync(tree.at('sparse.bin'), 1_000_000);
    await tree.agentDoes(() => tree.write('sparse.bin', 'full\n'));
    await tree.goBack();
    assert.equal(statSync(tree.at('sparse.bin')).size, 1_000_000);
  });

  it('pipes and sockets are counted, never opened, and stay', async () => {
    execFileSync('mkfifo', [tree.at('pipe')]);
    const server = net.createServer();
    await new Promise<void>((resolve) => void server.listen(tree.at('socket'), resolve));
    try {
      assert.equal(await tree.leftOut(), 2);
      assert.deepEqual(await tree.agentDoes(() => tree.write('a.txt', 'two\n')), ['a.txt']);
      await tree.goBack();
      assert.ok(lstatSync(tree.at('pipe')).isFIFO() && lstatSync(tree.at('socket')).isSocket());
      assert.equal(tree.text('a.txt'), 'one\n');
    } finally {
      server.close();
    }
  });

  it('a name that is no text is counted and stays as it is', async () => {
    const odd = Buffer.concat([Buffer.from(tree.at('odd-')), Buffer.from([0xff, 0xfe])]);
    writeFileSync(odd, 'odd\n');
    assert.deepEqual(await tree.held(), ['a.txt']);
    assert.equal(await tree.leftOut(), 1);
    await tree.agentDoes(() => tree.write('a.txt', 'two\n'));
    await tree.goBack();
    assert.equal(statSync(odd).size, 4);
  });

  it('what may not be read is counted, and is listed instead of deleted or made when that changes', async () => {
    if (process.platform === 'win32') return;
    tree.write('locked.txt', 'mine\n', 0o000);
    tree.write('closed/inside.txt', 'mine\n');
    chmodSync(tree.at('closed'), 0o000);
    // Its names can be listed, and no more.
    tree.write('listed/inside.txt', 'mine\n');
    tree.write('listed/folder/inside.txt', 'mine\n');
    chmodSync(tree.at('listed'), 0o744);
    // Who is root may read everything, so that another user has to look.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(tree.folder, 0o755);
    mkdirSync(path.join(tree.folder, 'of-nobody'), { mode: 0o777 });
    chmodSync(path.join(tree.folder, 'of-nobody'), 0o777);
    const source = (name: string): string =>
      JSON.stringify(
        new URL(`../../../../src/hosts/node/workspace-snapshots/${name}`, import.meta.url),
      );
    const script = `
      import { chmodSync } from 'node:fs';
      import { ObjectStore } from ${source('object-store.ts')};
      import { Snapshooter } from ${source('snapshot.ts')};
      import { compareTrees } from ${source('tree.ts')};
      const [root, storage] = process.argv.slice(1);
      const objects = new ObjectStore(storage, 'x');
      const rules = { largestFile: 1000, mostFiles: 1000, without: [], including: [], environment: {} };
      const { tree, leftOut } = await new Snapshooter(objects).take(root, rules);
      console.log(JSON.stringify({ held: compareTrees(objects, undefined, tree).map((one) => one.path), leftOut, tree }));`;
    const look = () => {
      const child = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', script, tree.root, path.join(tree.folder, 'of-nobody')],
        { encoding: 'utf8', ...asNobody },
      );
      assert.equal(child.status, 0, child.stderr);
      return JSON.parse(child.stdout) as { held: string[]; leftOut: unknown; tree: string };
    };
    const before = look();
    assert.deepEqual(before.held, ['a.txt']);
    assert.deepEqual(before.leftOut, [
      {
        why: 'unreadable',
        count: 4,
        named: ['closed', 'listed/folder', 'listed/inside.txt', 'locked.txt'],
      },
    ]);
    chmodSync(tree.at('locked.txt'), 0o644);
    chmodSync(tree.at('closed'), 0o755);
    chmodSync(tree.at('listed'), 0o755);
    const after = look();
    assert.deepEqual(after.held, [
      'a.txt',
      'closed/inside.txt',
      'listed/folder/inside.txt',
      'listed/inside.txt',
      'locked.txt',
    ]);
    const objects = new ObjectStore(path.join(tree.folder, 'of-nobody'), 'looking');
    const unkept: string[] = [];
    assert.deepEqual(compareTrees(objects, before.tree, after.tree, unkept), []);
    assert.deepEqual(unkept, ['closed/', 'listed/folder/', 'listed/inside.txt', 'locked.txt']);
    assert.deepEqual(compareTrees(objects, after.tree, before.tree), []);
    objects.close();
  });

  it('a folder that is named as a file was, and the other way round', async () => {
    tree.write('thing', 'a file\n');
    tree.write('place/inside.txt', 'in a folder\n');
    tree.write('place/deeper/x.txt', 'x\n');
    await tree.agentDoes(() => {
      tree.remove('thing', 'place');
      tree.write('thing/inside.txt', 'new\n');
      tree.write('place', 'new\n');
    });
    await tree.goBack();
    assert.equal(tree.text('thing'), 'a file\n');
    assert.equal(tree.text('place/deeper/x.txt'), 'x\n');
    assert.deepEqual(readdirSync(tree.root), ['a.txt', 'place', 'thing']);
  });

  it('a folder that is moved comes back with all that it held, ignored files too where they are', async () => {
    tree.write('.gitignore', '*.log\n');
    tree.write('old/x.txt', 'x\n');
    tree.write('old/x.log', 'noise\n');
    await tree.agentDoes(() => renameSync(tree.at('old'), tree.at('new')));
    await tree.goBack();
    assert.equal(tree.text('old/x.txt'), 'x\n');
    assert.equal(tree.text('new/x.log'), 'noise\n', 'what is not held is not lost');
  });
});
