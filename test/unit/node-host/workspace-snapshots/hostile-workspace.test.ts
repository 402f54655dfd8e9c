import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RealTree } from './real-tree.ts';

describe('checkpoints of a workspace that is made to stop them', () => {
  let tree: RealTree;

  beforeEach(() => {
    tree = new RealTree();
    tree.write('a.txt', 'one\n');
    tree.write('in/b.txt', 'two\n');
  });
  afterEach(() => tree.dispose());

  it('a pipe in the place of rules is not waited for', async () => {
    mkdirSync(tree.at('.git/info'), { recursive: true });
    for (const name of ['.gitignore', 'in/.gitignore', '.git/info/exclude'])
      execFileSync('mkfifo', [tree.at(name)]);
    assert.deepEqual(await tree.held(), ['a.txt', 'in/b.txt']);
  });

  it('rules that are a link have no meaning, as for git, and a device is not read without an end', async () => {
    writeFileSync(path.join(tree.outside, 'rules'), 'a.txt\n');
    tree.repository();
    symlinkSync('../outside/rules', tree.at('.gitignore'));
    symlinkSync('/dev/zero', tree.at('in/.gitignore'));
    const byGit = tree.git(['ls-files', '-co', '--exclude-standard']).trim().split('\n');
    assert.deepEqual((await tree.held()).toSorted(), byGit.toSorted());
    assert.ok(byGit.includes('a.txt'));
  });

  it('a rule that would take years for a deep path is left aside, the others count', async () => {
    const years = 'd/' + '**/d/'.repeat(12) + 'x';
    const same = 'd/' + '**/'.repeat(12) + 'ignored';
    tree.write('.gitignore', `${years}\n${years.replaceAll('**', '***')}\n${same}\n*.log\n`);
    tree.write(`${'d/'.repeat(60)}y`, 'y\n');
    tree.write(`${'d/'.repeat(30)}ignored`, 'x\n');
    tree.write('in/x.log', 'x\n');
    const held = await tree.held();
    assert.deepEqual(held, ['.gitignore', 'a.txt', `${'d/'.repeat(60)}y`, 'in/b.txt']);
  });

  it('a path that is longer than the system takes is counted; all else is held', async () => {
    const [was, name] = [process.cwd(), 'd'.repeat(100)];
    process.chdir(tree.root);
    try {
      for (let depth = 0; depth < 60; depth += 1) {
        mkdirSync(name);
        process.chdir(name);
      }
      writeFileSync('too-deep.txt', 'x\n');
    } finally {
      process.chdir(was);
    }
    assert.deepEqual(await tree.held(), ['a.txt', 'in/b.txt']);
    assert.equal(await tree.leftOut(), 1);
    execFileSync('rm', ['-rf', tree.at(name)]);
  });
});
