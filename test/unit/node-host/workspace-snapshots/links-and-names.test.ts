import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { markOf, RealTree } from './real-tree.ts';

describe('checkpoints of links, names and modes', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n');
  });
  afterEach(() => tree.dispose());

  const link = (target: string, name: string): void => symlinkSync(target, tree.at(name));

  describe('links', () => {
    const LINKS = {
      'to-file': 'a.txt',
      'to-folder': 'folder',
      'to-outside': '../outside',
      broken: 'nowhere/at all',
      itself: 'itself',
      up: '..',
      'folder/loop': '../folder',
    };

    beforeEach(() => {
      writeFileSync(path.join(tree.outside, 'secret.txt'), 'mine\n');
      tree.write('folder/in.txt', 'in\n');
      for (const [name, target] of Object.entries(LINKS)) link(target, name);
    });

    const targets = (): Record<string, string> =>
      Object.fromEntries(Object.keys(LINKS).map((name) => [name, readlinkSync(tree.at(name))]));

    it('are held as links, and never followed', async () => {
      assert.deepEqual(
        (await tree.held()).toSorted(),
        ['a.txt', 'folder/in.txt', ...Object.keys(LINKS)].toSorted(),
      );
      assert.equal(await tree.leftOut(), 0);
    });

    it('come back as they were: changed, deleted, and where a file took their place', async () => {
      const changed = await tree.agentDoes(() => {
        for (const name of ['to-file', 'to-outside', 'folder/loop']) {
          rmSync(tree.at(name));
          link('elsewhere', name);
        }
        tree.remove('broken');
        rmSync(tree.at('up'));
        tree.write('up', 'a file now\n');
        link('a.txt', 'made');
      });
      assert.equal(changed.length, 6);
      await tree.goBack();
      assert.deepEqual(targets(), LINKS);
      assert.equal(existsSync(tree.at('made')), false);
      assert.equal(readFileSync(path.join(tree.outside, 'secret.txt'), 'utf8'), 'mine\n');
    });

    it('a file where a link is now stays a link that nobody writes through', async () => {
      await tree.agentDoes(() => tree.write('a.txt', 'by the agent\n'));
      rmSync(tree.at('a.txt'));
      link('../outside/secret.txt', 'a.txt');
      await tree.goBack();
      assert.equal(readlinkSync(tree.at('a.txt')), '../outside/secret.txt');
      assert.equal(readFileSync(path.join(tree.outside, 'secret.txt'), 'utf8'), 'mine\n');
    });

    it('what was written through a link to a folder outside is no change of the workspace', async () => {
      assert.deepEqual(
        await tree.agentDoes(() => writeFileSync(tree.at('to-outside/new.txt'), 'x')),
        [],
      );
    });

    it('a folder that the person made a link keeps its files on record; they are a conflict, and nobody writes through it', async () => {
      tree.write('other.txt', 'other\n');
      await tree.agentDoes(() => {
        tree.write('folder/in.txt', 'by the agent\n');
        tree.write('other.txt', 'by the agent\n');
      });
      renameSync(tree.at('folder'), tree.at('folder-was'));
      link('../outside', 'folder');
      const before = markOf(tree.outside);
      const previews = await tree.preview();
      assert.deepEqual(
        previews.map(({ path: name, outcome }) => [name, outcome]),
        [
          ['folder/in.txt', 'conflict'],
          ['other.txt', 'restored'],
        ],
      );
      await tree.goBack();
      assert.equal(tree.text('other.txt'), 'other\n');
      const steps = previews.slice(0, 1).map(({ now, to, ...at }) => ({ ...at, from: now, to }));
      const { left } = await tree.snapshots.restore([{ root: tree.root, steps }], null);
      assert.deepEqual(
        left.map(({ path: name }) => name),
        ['folder/in.txt'],
      );
      assert.equal(markOf(tree.outside), before);
    });

    it('a folder that the agent made a link comes back with all that was in it', async () => {
      tree.write('folder/deep/er.txt', 'deep\n');
      await tree.agentDoes(() => {
        tree.remove('folder');
        link('../outside', 'folder');
      });
      const before = markOf(tree.outside);
      await tree.goBack();
      assert.equal(tree.text('folder/in.txt') + tree.text('folder/deep/er.txt'), 'in\ndeep\n');
      assert.equal(readlinkSync(tree.at('folder/loop')), '../folder');
      assert.equal(markOf(tree.outside), before);
    });

    it('whose target is no text are counted and stay as they are, rather than lead elsewhere afterwards', async () => {
      const target = Buffer.from([0x78, 0xff, 0xfe]);
      symlinkSync(target, tree.at('odd'));
      assert.equal(await tree.leftOut(), 1);
      await tree.agentDoes(() => rmSync(tree.at('itself')));
      await tree.goBack();
      assert.deepEqual(readlinkSync(tree.at('odd'), { encoding: 'buffer' }), target);
      assert.equal(readlinkSync(tree.at('itself')), 'itself');
    });
  });

  describe('names', () => {
    const NAMES = [
      'with space',
      ' first and last ',
      'new\nline',
      'tab\there',
      'quote\'s "double"',
      'back\\slash',
      '-rf',
      '--help',
      '$(touch x)',
      '`x`',
      '*',
      '[a]',
      '!not',
      '#no comment',
      '%41',
      'con',
      'aux.txt',
      '__proto__',
      'constructor',
      'toString',
      '...',
      'ends.',
      'caf\u00e9',
      'cafe\u0301',
      '\u1E9B\u0323',
      '\ud83e\uddd7\u200d\u2640\ufe0f',
      '\u202Egnp.exe',
      '\u05d0\u05d1',
      'x'.repeat(255),
      'case',
      'CASE',
      'Case',
    ];

    it('of every kind are held, changed and brought back as they are', async () => {
      for (const name of NAMES) {
        tree.write(name, `of ${name}\n`);
        tree.write(`in/${name}/${name}`, `in ${name}\n`);
      }
      const before = (): string[] =>
        NAMES.map((name) => tree.text(name) + tree.text(`in/${name}/${name}`));
      const texts = before();
      const changed = await tree.agentDoes(() => {
        for (const [index, name] of NAMES.entries()) {
          if (index % 2 === 0) tree.write(name, 'by the agent\n');
          else tree.remove(name);
          tree.remove(`in/${name}`);
        }
      });
      assert.deepEqual(
        changed.toSorted(),
        NAMES.flatMap((name) => [name, `in/${name}/${name}`]).toSorted(),
      );
      await tree.goBack();
      assert.deepEqual(before(), texts);
      assert.deepEqual(readdirSync(tree.at('in')).toSorted(), NAMES.toSorted());
    });

    it('that differ only in case or in the form of their letters are two files', async () => {
      tree.write('readme.md', 'lower\n');
      tree.write('caf\u00e9', 'composed\n');
      const changed = await tree.agentDoes(() => {
        renameSync(tree.at('readme.md'), tree.at('README.md'));
        renameSync(tree.at('caf\u00e9'), tree.at('cafe\u0301'));
      });
      assert.deepEqual(
        changed.toSorted(),
        ['README.md', 'cafe\u0301', 'caf\u00e9', 'readme.md'].toSorted(),
      );
      await tree.goBack();
      assert.deepEqual(readdirSync(tree.root), ['a.txt', 'caf\u00e9', 'readme.md']);
      assert.equal(tree.text('readme.md') + tree.text('caf\u00e9'), 'lower\ncomposed\n');
    });

    it('of a folder in another case: all that is in it comes back under the old one', async () => {
      tree.write('Src/x.ts', 'x\n');
      tree.write('Src/deep/y.ts', 'y\n');
      await tree.agentDoes(() => {
        renameSync(tree.at('Src'), tree.at('src'));
        tree.write('src/x.ts', 'changed too\n');
      });
      await tree.goBack();
      assert.deepEqual(readdirSync(tree.root), ['Src', 'a.txt']);
      assert.equal(tree.text('Src/x.ts') + tree.text('Src/deep/y.ts'), 'x\ny\n');
    });

    it('deep down are reached', async () => {
      const deep = `${'d/'.repeat(200)}x`;
      tree.write(deep, 'x\n');
      await tree.agentDoes(() => tree.remove('d'));
      await tree.goBack();
      assert.equal(tree.text(deep), 'x\n');
    });
  });

  describe('modes', () => {
    const modeOf = (name: string): string => (statSync(tree.at(name)).mode & 0o777).toString(8);

    it('are brought back, alone and with the content, also of what is not writable', async () => {
      tree.write('run.sh', '#!/bin/sh\n', 0o755);
      tree.write('plain', 'x\n', 0o644);
      tree.write('private', 'x\n', 0o600);
      tree.write('fixed', 'x\n', 0o444);
      tree.write('gone.sh', 'x\n', 0o750);
      const changed = await tree.agentDoes(() => {
        chmodSync(tree.at('run.sh'), 0o644);
        chmodSync(tree.at('plain'), 0o755);
        tree.remove('private', 'fixed', 'gone.sh');
        tree.write('private', 'y\n', 0o666);
        tree.write('fixed', 'y\n', 0o644);
      });
      assert.deepEqual(changed, ['fixed', 'gone.sh', 'plain', 'private', 'run.sh']);
      await tree.goBack();
      assert.deepEqual(['run.sh', 'plain', 'private', 'fixed', 'gone.sh'].map(modeOf), [
        '755',
        '644',
        '600',
        '444',
        '750',
      ]);
      assert.equal(tree.text('fixed'), 'x\n');
    });

    it('that give rights beyond reading and writing are not brought back', async () => {
      tree.write('su', 'x\n');
      chmodSync(tree.at('su'), 0o4755);
      await tree.agentDoes(() => tree.remove('su'));
      await tree.goBack();
      assert.equal(lstatSync(tree.at('su')).mode & 0o7777, 0o755);
    });
  });

  describe('what is empty', () => {
    it('files are brought back, and a file that the agent emptied', async () => {
      tree.write('empty', '');
      await tree.agentDoes(() => {
        tree.remove('empty');
        tree.write('a.txt', '');
        tree.write('other-empty', '');
      });
      await tree.goBack();
      assert.equal(tree.text('empty'), '');
      assert.equal(tree.text('a.txt'), 'one\n');
      assert.equal(existsSync(tree.at('other-empty')), false);
    });

    it('folders are nothing on record: those of the person stay', async () => {
      mkdirSync(tree.at('mine/empty'), { recursive: true });
      assert.deepEqual(
        await tree.agentDoes(() => mkdirSync(tree.at('by/the/agent'), { recursive: true })),
        [],
      );
      await tree.agentDoes(() => tree.write('mine/new.txt', 'x'));
      await tree.goBack();
      assert.ok(existsSync(tree.at('mine/empty')));
    });

    it('a workspace is one, and all that was made in it goes', async () => {
      tree.remove('a.txt');
      await tree.agentDoes(() => tree.write('made/x.txt', 'x'));
      await tree.goBack();
      assert.deepEqual(readdirSync(tree.root), []);
    });
  });
});
