import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { markOf, RealTree } from './real-tree.ts';

const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-rewrite pre-auto-gc pre-commit prepare-commit-msg reference-transaction post-update pre-receive'.split(
    ' ',
  );

describe('checkpoints beside git', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n');
    tree.write('src/b.txt', 'two\n');
  });
  afterEach(() => tree.dispose());

  /** Makes, changes and deletes, and takes that back. @returns the paths that were on record */
  async function workAndGoBack(): Promise<readonly string[]> {
    const changed = await tree.agentDoes(() => {
      tree.write('a.txt', 'by the agent\n');
      tree.remove('src/b.txt');
      tree.write('made/new.txt', 'by the agent\n');
    });
    await tree.goBack();
    assert.equal(tree.text('a.txt'), 'one\n');
    assert.equal(tree.text('src/b.txt'), 'two\n');
    assert.equal(existsSync(tree.at('made')), false);
    return changed;
  }

  /** Everything that git could be told to run makes the canary. */
  function trap(gitFolder: string): void {
    const run = `touch '${tree.canary}'`;
    mkdirSync(path.join(gitFolder, 'hooks'), { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(path.join(gitFolder, 'hooks', hook), `#!/bin/sh\n${run}\n`);
      chmodSync(path.join(gitFolder, 'hooks', hook), 0o755);
    }
    appendFileSync(
      path.join(gitFolder, 'config'),
      `[core]\n\tfsmonitor = "${run}; false"\n\teditor = "${run}"\n\tpager = "${run}"\n\tsshCommand = "${run}"\n` +
        `[diff]\n\texternal = "${run}"\n[diff "x"]\n\ttextconv = "${run}; cat"\n` +
        `[filter "x"]\n\tclean = "${run}; cat"\n\tsmudge = "${run}; cat"\n\tprocess = "${run}"\n\trequired\n` +
        `[merge "x"]\n\tdriver = "${run}"\n[alias]\n\tstatus = "!${run}"\n\tstash = "!${run}"\n[gpg]\n\tprogram = "${run}"\n`,
    );
    mkdirSync(path.join(gitFolder, 'info'), { recursive: true });
    writeFileSync(path.join(gitFolder, 'info', 'attributes'), '* filter=x diff=x merge=x\n');
  }

  it('leave HEAD, index, refs, stash, config, hooks and objects byte for byte as they were', async () => {
    tree.repository();
    tree.git(['tag', 'v1']);
    tree.git(['branch', 'other']);
    tree.git(['pack-refs', '--all']);
    tree.write('a.txt', 'stashed\n');
    tree.git(['stash', 'push', '--quiet']);
    tree.write('staged.txt', 'staged\n');
    tree.git(['add', 'staged.txt']);
    tree.write('intended.txt', 'x\n');
    tree.git(['add', '--intent-to-add', 'intended.txt']);
    tree.git(['update-index', '--skip-worktree', 'src/b.txt']);
    tree.git(['notes', 'add', '-m', 'a note', 'HEAD']);
    tree.write('untracked.txt', 'mine\n');
    writeFileSync(tree.at('.git/MERGE_HEAD'), readFileSync(tree.at('.git/ORIG_HEAD'), 'utf8'));
    tree.write('.gitattributes', '* filter=x\n*.txt text eol=crlf working-tree-encoding=UTF-16\n');
    trap(tree.at('.git'));
    const before = markOf(tree.at('.git'));
    assert.match(before, /refs\/stash/u);
    assert.deepEqual(await workAndGoBack(), ['a.txt', 'made/new.txt', 'src/b.txt']);
    assert.equal(markOf(tree.at('.git')), before);
    assert.equal(existsSync(tree.canary), false, 'something was run');
    assert.equal(tree.text('untracked.txt'), 'mine\n');
  });

  it('start no program, not even git', async () => {
    tree.repository();
    const programs = path.join(tree.folder, 'programs');
    mkdirSync(programs);
    const real = process.env['PATH'];
    for (const program of ['git', 'sh', 'rg', 'node', 'watchman']) {
      writeFileSync(path.join(programs, program), `#!/bin/sh\n: > '${tree.canary}'\n`);
      chmodSync(path.join(programs, program), 0o755);
    }
    process.env['PATH'] = programs;
    try {
      await workAndGoBack();
    } finally {
      process.env['PATH'] = real;
    }
    assert.equal(existsSync(tree.canary), false);
  });

  it('hold a repository in the repository without its own folder, by its own rules', async () => {
    tree.write('.gitignore', '*.log\n');
    tree.repository();
    tree.write('inner/.gitignore', '!x.log\n/out\n');
    tree.write('inner/c.txt', 'three\n');
    tree.write('inner/x.log', 'wanted there\n');
    tree.write('inner/out', 'not wanted\n');
    tree.repository(tree.at('inner'));
    tree.write('inner/.git/info/exclude', '*.private\n');
    tree.write('inner/d.private', 'x\n');
    tree.write('e.private', 'not of the inner one\n');
    trap(tree.at('inner/.git'));
    const before = markOf(tree.at('inner/.git'));
    assert.deepEqual(await tree.held(), [
      '.gitignore',
      'a.txt',
      'e.private',
      'inner/.gitignore',
      'inner/c.txt',
      'inner/x.log',
      'src/b.txt',
    ]);
    await tree.agentDoes(() => {
      tree.write('inner/c.txt', 'by the agent\n');
      tree.remove('inner/x.log');
    });
    await tree.goBack();
    assert.equal(tree.text('inner/c.txt') + tree.text('inner/x.log'), 'three\nwanted there\n');
    assert.equal(markOf(tree.at('inner/.git')), before);
    assert.equal(existsSync(tree.canary), false);
  });

  it('a repository that the agent cloned or initialized keeps its own folder when it goes', async () => {
    const changed = await tree.agentDoes(() => {
      tree.write('cloned/readme.md', 'x\n');
      tree.repository(tree.at('cloned'));
    });
    assert.deepEqual(changed, ['cloned/readme.md']);
    const before = markOf(tree.at('cloned/.git'));
    await tree.goBack();
    assert.deepEqual(readdirSync(tree.at('cloned')), ['.git']);
    assert.equal(markOf(tree.at('cloned/.git')), before);
  });

  it('hold the files of a submodule, and neither its .git nor what git knows of it', async () => {
    const library = path.join(tree.outside, 'library');
    mkdirSync(library);
    writeFileSync(path.join(library, 'lib.txt'), 'of the library\n');
    tree.repository(library);
    tree.repository();
    tree.git(['submodule', '--quiet', 'add', library, 'vendor/library']);
    tree.git(['commit', '--quiet', '-m', 'second']);
    assert.match(tree.text('vendor/library/.git'), /^gitdir: /u);
    trap(tree.at('.git/modules/vendor/library'));
    const before = markOf(tree.at('.git'));
    assert.deepEqual(await tree.held(), [
      '.gitmodules',
      'a.txt',
      'src/b.txt',
      'vendor/library/lib.txt',
    ]);
    await tree.agentDoes(() => {
      tree.write('vendor/library/lib.txt', 'by the agent\n');
      tree.write('vendor/library/new.txt', 'new\n');
    });
    await tree.goBack();
    assert.deepEqual(readdirSync(tree.at('vendor/library')), ['.git', 'lib.txt']);
    assert.equal(tree.text('vendor/library/lib.txt'), 'of the library\n');
    assert.match(tree.text('vendor/library/.git'), /^gitdir: /u);
    assert.equal(markOf(tree.at('.git')), before);
    assert.equal(tree.git(['submodule', 'status']).startsWith(' '), true);
    assert.equal(existsSync(tree.canary), false);
  });

  it('work in a linked work tree, whose .git is a file, with the excludes of its repository', async () => {
    tree.repository();
    writeFileSync(tree.at('.git/info/exclude'), '*.private\n');
    const main = tree.root;
    const linked = path.join(tree.folder, 'linked');
    tree.git(['worktree', 'add', '--quiet', linked]);
    tree.root = linked;
    tree.write('x.private', 'x\n');
    trap(path.join(main, '.git'));
    const before = [markOf(path.join(main, '.git')), tree.text('.git')];
    assert.deepEqual(await tree.held(), ['a.txt', 'src/b.txt']);
    await workAndGoBack();
    assert.deepEqual([markOf(path.join(main, '.git')), tree.text('.git')], before);
    assert.equal(tree.text('x.private'), 'x\n');
    assert.equal(existsSync(tree.canary), false);
  });

  it('work in a repository without commits, and in a folder whose .git leads nowhere or is none', async () => {
    tree.git(['init', '--quiet']);
    const unborn = markOf(tree.at('.git'));
    await workAndGoBack();
    assert.equal(markOf(tree.at('.git')), unborn);
    tree.remove('.git');
    tree.write('.git', 'gitdir: ../nowhere/at/all\n');
    await workAndGoBack();
    assert.equal(tree.text('.git'), 'gitdir: ../nowhere/at/all\n');
    rmSync(tree.at('.git'));
    await workAndGoBack();
    assert.deepEqual(await tree.held(), ['a.txt', 'src/b.txt']);
  });

  it('work in a sparse checkout: what is not checked out is neither made nor deleted', async () => {
    tree.write('docs/long.md', 'long\n');
    tree.repository();
    tree.git(['sparse-checkout', 'set', 'src']);
    assert.equal(existsSync(tree.at('docs')), false);
    const before = markOf(tree.at('.git'));
    await workAndGoBack();
    assert.equal(existsSync(tree.at('docs')), false);
    assert.equal(markOf(tree.at('.git')), before);
  });

  it('bring files back that a command of git changed, and leave what it did in the repository', async () => {
    tree.repository();
    tree.git(['checkout', '--quiet', '-b', 'other']);
    tree.write('a.txt', 'of the other branch\n');
    tree.remove('src/b.txt');
    tree.git(['commit', '--quiet', '--all', '-m', 'second']);
    tree.git(['checkout', '--quiet', '-']);
    assert.deepEqual(await tree.agentDoes(() => tree.git(['checkout', '--quiet', 'other'])), [
      'a.txt',
      'src/b.txt',
    ]);
    const before = markOf(tree.at('.git'));
    await tree.goBack();
    assert.equal(tree.text('a.txt') + tree.text('src/b.txt'), 'one\ntwo\n');
    assert.equal(markOf(tree.at('.git')), before);
    assert.equal(tree.text('.git/HEAD'), 'ref: refs/heads/other\n');
  });

  it('a .git in another spelling is none of theirs either', async () => {
    tree.write('.GIT/config', 'x\n');
    tree.write('deep/.Git/config', 'x\n');
    tree.write('.git./config', 'x\n');
    tree.write('git~1/config', 'x\n');
    tree.write('.gitkeep', '');
    tree.write('my.git/config', 'x\n');
    assert.deepEqual(await tree.held(), ['.gitkeep', 'a.txt', 'my.git/config', 'src/b.txt']);
    renameSync(tree.at('.GIT'), tree.at('.was'));
    assert.ok((await tree.held()).includes('.was/config'));
  });
});
