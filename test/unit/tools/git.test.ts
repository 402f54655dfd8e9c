import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { NodeGit } from '../../../src/hosts/node/git/git.ts';
import type { Sample } from '../../contract/tool/samples.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';

const WITH_GIT: Readonly<Record<string, Sample>> = {
  git: {
    good: {},
    bad: [],
    changes: false,
    parts: (folder) => ({ git: { git: new NodeGit(), roots: () => [folder] } }),
  },
};

describe('git', () => {
  let workspace: WorkspaceRig;

  function run(...args: readonly string[]): void {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', [...who, ...args], { cwd: workspace.folder, stdio: 'ignore' });
  }

  beforeEach(async () => {
    workspace = await WorkspaceRig.open(
      { 'src/a.ts': 'one\n', 'b.md': 'one\n', '.env': 'KEY=1\n', 'kept/c.txt': 'one\n' },
      WITH_GIT,
    );
    run('init', '--initial-branch=main');
    run('add', '--force', '.');
    run('commit', '-m', 'First');
    await workspace.write('src/a.ts', 'two\n');
    await workspace.write('b.md', 'two\n');
    await workspace.write('.env', 'KEY=2\n');
    run('add', 'b.md');
  });
  afterEach(() => workspace.close());

  const text = (input: Record<string, string | number>) => workspace.text('git', input);

  it('tells what has changed, staged and not', async () => {
    assert.match(
      await text({ action: 'status' }),
      /^## main\n M \.env\nM {2}b\.md\n M src\/a\.ts$/u,
    );
    const [all, staged, unstaged] = [
      await text({ action: 'diff' }),
      await text({ action: 'staged' }),
      await text({ action: 'unstaged' }),
    ];
    assert.ok(all.includes('a/src/a.ts') && all.includes('a/b.md'));
    assert.ok(!staged.includes('a/src/a.ts') && staged.includes('a/b.md'));
    assert.ok(unstaged.includes('a/src/a.ts') && !unstaged.includes('a/b.md'));
    assert.ok(!(await text({ action: 'diff', path: 'src' })).includes('b.md'));
  });

  it('rule 4: shows nothing of files with secrets and of those in .belayignore, and says so', async () => {
    await workspace.write('.belayignore', 'kept/\n');
    await workspace.write('kept/c.txt', 'hidden words\n');
    const diff = await text({ action: 'diff' });
    assert.ok(!diff.includes('KEY=') && !diff.includes('hidden words'), diff);
    assert.match(diff, /not shown, because they are kept from you: \.env, kept\/c\.txt/u);
    run('add', '.');
    run('commit', '-m', 'Second');
    const shown = await text({ action: 'show' });
    assert.ok(
      !shown.includes('KEY=') && !shown.includes('hidden words') && shown.includes('Second'),
    );
  });

  it('shows history, lines and branches', async () => {
    assert.match(await text({ action: 'log' }), /^[0-9a-f]+ \d{4}-\d\d-\d\d Ada: First$/mu);
    assert.match(await text({ action: 'blame', path: 'b.md', ref: 'HEAD' }), /Ada .*\) one/u);
    assert.match(await text({ action: 'branches' }), /\* main [0-9a-f]+ .* First/u);
    assert.match(await text({ action: 'log', path: 'src' }), /First/u);
    assert.equal(await text({ action: 'log', ref: 'HEAD..main' }), 'No commits.');
  });

  it('gives what a commit message is written about', async () => {
    const message = await text({ action: 'message' });
    assert.match(message, /^What is staged:\n/u);
    assert.match(message, /\+two/u);
    assert.match(message, /The last messages, for their style:\nFirst/u);
  });

  it('takes no options and no files for revisions', async () => {
    for (const ref of ['--output=x', '-p', 'HEAD:.env', ':/x', 'HEAD -- x', '$(touch x)'])
      assert.match(await workspace.failure('git', { action: 'show', ref }), /"ref" must be/u);
    await assert.rejects(workspace.read('x'));
  });

  it('rule 4: a revision is a commit: names of files, trees and tags of files show nothing', async () => {
    const output = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: workspace.folder, encoding: 'utf8' }).trim();
    const blob = output('rev-parse', 'HEAD:.env');
    run('tag', 'env-file', blob);
    run('tag', '-a', '-m', 'x', 'env-tag', blob);
    run('update-ref', 'refs/heads/env-branch', output('rev-parse', 'HEAD'));
    const trees = [output('rev-parse', 'HEAD^{tree}'), 'HEAD^{tree}', `HEAD..${blob}`];
    const short = blob.slice(0, 8);
    for (const ref of [blob, short, 'env-file', 'env-tag', `${blob}^{}`, ...trees])
      for (const action of ['show', 'diff', 'log', 'blame'])
        assert.match(
          await workspace.failure('git', { action, ref, path: 'b.md' }),
          /no commit or branch|"ref" must be/u,
          `${action} ${ref}`,
        );
    assert.match(await text({ action: 'show', ref: 'env-branch' }), /First/u);
    assert.match(
      await text({ action: 'show', ref: output('rev-parse', 'HEAD').slice(0, 8) }),
      /First/u,
    );
  });

  it('rule 4: a file of secrets that was renamed shows nothing of what it was', async () => {
    const lines = Array.from({ length: 30 }, (_, line) => `WORD${line}=zebra`).join('\n');
    await workspace.write('.env', lines);
    run('add', '--force', '.');
    run('commit', '-m', 'Second');
    run('mv', '.env', 'env.txt');
    await workspace.write('env.txt', `${lines}\nnew`);
    run('add', '--force', '.');
    run('commit', '-m', 'Third');
    for (const action of ['show', 'diff'])
      assert.ok(
        !(await text({ action, ref: action === 'show' ? 'HEAD' : 'HEAD~1' })).includes('zebra'),
      );
  });

  it('names what is not there', async () => {
    assert.match(
      await workspace.failure('git', { action: 'diff', ref: 'main...topic' }),
      /no commit or branch topic/u,
    );
    assert.match(await workspace.failure('git', { action: 'blame', path: 'src' }), /is a folder/u);
    assert.match(await workspace.failure('git', { action: 'blame' }), /"path" is missing/u);
  });

  it('E11: is there only in a repository', async () => {
    const tool = workspace.rig.tools.find(({ name }) => name === 'git');
    assert.equal(await tool?.available?.(), true);
    const elsewhere = await WorkspaceRig.open({}, WITH_GIT);
    try {
      const absent = elsewhere.rig.tools.find(({ name }) => name === 'git');
      assert.equal(await absent?.available?.(), false);
    } finally {
      await elsewhere.close();
    }
  });
});
