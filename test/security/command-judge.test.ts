import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { JudgedCommand } from '../../src/core/permissions/command/judge-command.ts';
import { createRisk } from '../../src/core/permissions/risks.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { HARMLESS, NOT_UNDERSTOOD, RISKY, UNKNOWN, WRITES } from './command-lines.ts';
import { noRepository } from './no-repository.ts';

const lines = (text: string): string[] => text.trim().split('\n');

const codes = ({ risks = [] }: JudgedCommand): string => risks.map(({ code }) => code).join(', ');

describe('judging a command line (security, rule 3)', () => {
  let ws: string;
  let base: string;
  let judge: (command: string) => Promise<JudgedCommand>;

  before(async () => {
    base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-command-')));
    ws = path.join(base, 'ws');
    await mkdir(path.join(ws, 'src'), { recursive: true });
    await mkdir(path.join(base, 'other', 'inner'), { recursive: true });
    await writeFile(path.join(base, 'other', 'x'), 'secret');
    await writeFile(path.join(ws, 'README.md'), 'x\n');
    await writeFile(path.join(ws, 'package.json'), '{}');
    await writeFile(path.join(ws, '.env'), 'SECRET=1');
    await writeFile(path.join(ws, 'src', 'a.ts'), '');
    await mkdir(path.join(ws, 'plain'));
    await writeFile(path.join(ws, 'plain', '.env'), 'SECRET=1');
    await writeFile(path.join(ws, 'plain', 'b.ts'), '');
    await symlink(path.join(base, 'other', 'inner'), path.join(ws, 'link'));
    await symlink(path.join(base, 'other', 'x'), path.join(ws, 'linked'));
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const parts = { guard, files, platform: 'posix', home: path.join(base, 'home') } as const;
    judge = (command) =>
      judgeCommand({ ...parts, repositories: noRepository }, { command, cwd: ws }, [ws]);
  });

  after(() => rm(base, { recursive: true }));

  for (const command of lines(HARMLESS)) {
    it(`needs no question: ${command}`, async () => {
      const judged = await judge(command);
      assert.equal(judged.verdict, 'allow', codes(judged));
    });
  }
  for (const command of lines(UNKNOWN)) {
    it(`asks, and a rule may allow it: ${command}`, async () => {
      const judged = await judge(command);
      assert.equal(judged.verdict, 'ask');
      assert.equal(judged.always, undefined, codes(judged));
      assert.ok((judged.asking?.length ?? 0) > 0);
    });
  }
  for (const command of lines(RISKY)) {
    it(`asks each time: ${command}`, async () => {
      const { verdict, always } = await judge(command);
      assert.deepEqual({ verdict, always }, { verdict: 'ask', always: true });
    });
  }
  for (const command of lines(WRITES)) {
    it(`is an edit: ${command}`, async () => {
      const { verdict, edits, always } = await judge(command);
      assert.deepEqual({ verdict, edits, always }, { verdict: 'ask', edits: true, always: true });
    });
  }
  for (const command of NOT_UNDERSTOOD) {
    it(`asks as not understood: ${JSON.stringify(command.slice(0, 60))}`, async () => {
      const { verdict, programs } = await judge(command);
      assert.deepEqual({ verdict, programs }, { verdict: 'ask', programs: undefined });
    });
  }

  for (const command of [
    'echo x > .git/config',
    'tee .git/hooks/pre-commit',
    'cat /proc/self/environ',
    'cat < /dev/sda',
  ]) {
    it(`refuses: ${command}`, async () => assert.equal((await judge(command)).verdict, 'refuse'));
  }

  it('asks when a pattern stands for a file whose name is an option', async () => {
    const file = path.join(ws, 'src', '--pre=x');
    await writeFile(file, '');
    try {
      assert.equal((await judge('cd src && rg a *')).verdict, 'ask');
      assert.equal((await judge('rg a src/*')).verdict, 'allow');
    } finally {
      await rm(file);
    }
  });

  it('asks when a pattern stands for a link that leads out', async () => {
    assert.equal((await judge('cat l*')).verdict, 'ask');
  });

  describe('git, where the person keeps a file of the repository from the agent', () => {
    let repository: string;
    let asked: (command: string) => Promise<string | undefined>;

    before(async () => {
      repository = path.join(base, 'repository');
      await mkdir(path.join(repository, 'kept'), { recursive: true });
      await mkdir(path.join(repository, 'src'));
      await writeFile(path.join(repository, '.belayignore'), 'kept/\n');
      await writeFile(path.join(repository, 'kept', 'plan.md'), 'the plan\n');
      await writeFile(path.join(repository, 'src', 'a.ts'), 'a\n');
      await writeFile(path.join(repository, '.npmrc'), 'save-exact=true\n');
      const git = (...args: string[]): unknown =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: repository,
        });
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'one');
      await writeFile(path.join(repository, '.env'), 'SECRET=1');
      const files = new NodeFileSystem();
      const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
      const parts = { guard, files, platform: 'posix', repositories: new NodeGit() } as const;
      asked = async (command) => {
        const judged = await judgeCommand(parts, { command, cwd: repository }, [repository]);
        return judged.verdict === 'allow' ? undefined : codes(judged);
      };
    });

    for (const command of [
      'git grep plan',
      'git grep plan HEAD',
      "git grep -n plan -- '*.md'",
      'git grep -e plan --and -e the',
      'git -C src grep plan -- ..',
      'git diff',
      'git diff HEAD~1',
      'git diff --stat -p',
      'git diff HEAD -- :/',
      'git show',
      'git show HEAD --',
      'git show HEAD HEAD:src/a.ts',
      'git log -p',
      'git log -3 --patch src/../kept/..',
      'git log -U1',
      'git whatchanged --cc',
      'git reflog -p',
      'git diff -- src kept/../kept',
      'git show HEAD:kept/plan.md',
      'git -C src show HEAD:kept/plan.md',
      'git -C src show HEAD:../kept/plan.md',
      'git show main:kept/plan.md',
      'git show :kept/plan.md',
    ])
      it(`asks: ${command}`, async () => {
        assert.match((await asked(command)) ?? '', /^hidden(?:-below)?$/u);
      });

    it('asks for an object without its path, however it is named', async () => {
      const git = (...words: string[]): string =>
        execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
      const blob = git('rev-parse', 'HEAD:kept/plan.md');
      const tree = git('rev-parse', 'HEAD:kept');
      git('tag', 'noted', blob);
      for (const command of [
        `git show ${blob}`,
        `git show ${blob.slice(0, 7)}`,
        `git cat-file -p ${blob}`,
        `git cat-file -p noted`,
        `git show noted`,
        `git diff ${blob} HEAD:src/a.ts`,
        `git diff ${blob}..${blob}`,
        `git grep plan ${blob}`,
        `git grep -e plan ${blob}`,
        `git show ${tree}:plan.md`,
        `git cat-file -p ${tree}:plan.md`,
        `git diff-tree -p ${tree} HEAD`,
        "git show 'HEAD@{1.day.ago}:a}'",
        'git show :0:kept/plan.md',
        'git cat-file -p HEAD:kept/plan.md',
        'git stash show -p',
      ])
        assert.notEqual(await asked(command), undefined, command);
      for (const command of [
        `git cat-file -t ${blob}`,
        'git show --stat HEAD',
        'git -C src show HEAD:src/a.ts',
        'git -C src show HEAD:./a.ts',
      ])
        assert.equal(await asked(command), undefined, command);
    });

    it('asks where git compares whole folders as they are, repository or none', async () => {
      for (const command of [
        'git diff --no-index src .',
        'git diff --no-index -- src kept/..',
        'git -C src diff . ../',
        `git diff ${repository}/src ${repository}`,
      ])
        assert.notEqual(await asked(command), undefined, command);
      const files = new NodeFileSystem();
      const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
      const parts = { guard, files, platform: 'posix', repositories: new NodeGit() } as const;
      const outside = await judgeCommand(parts, { command: 'git diff src .', cwd: ws }, [ws]);
      assert.equal(outside.verdict, 'ask');
    });

    it('asks for what git does not have yet, and holds secrets', async () => {
      assert.notEqual(await asked('git grep --untracked SECRET -- .env src'), undefined);
      assert.notEqual(await asked('git grep --untracked SECRET -- src/..'), undefined);
    });

    for (const command of [
      'git status',
      'git log --oneline --stat',
      'git diff --stat',
      'git diff --name-only HEAD',
      'git grep -l plan',
      'git grep a src',
      'git grep a -- src',
      'git diff -- src/a.ts',
      'git diff HEAD src',
      'git show HEAD:src/a.ts',
      'git show --stat HEAD',
      'git log -p -- src',
      'git blame src/a.ts',
    ])
      it(`needs no question: ${command}`, async () => {
        assert.equal(await asked(command), undefined);
      });
  });

  it('asks about git when it is not known what the repository runs', async () => {
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const place = { command: 'git status', cwd: ws };
    const without = await judgeCommand({ guard, files, platform: 'posix' }, place, [ws]);
    assert.equal(without.verdict, 'ask');
    const repositories = { ...noRepository, hazards: async () => ['filter.x.clean'] };
    const hostile = await judgeCommand({ guard, files, platform: 'posix', repositories }, place, [
      ws,
    ]);
    assert.deepEqual(hostile.risks, [createRisk('git-runs', 'filter.x.clean')]);
  });

  it('tells the words of each program, for rules', async () => {
    const { programs, asking } = await judge('ls -l && npm test -- "a b" | head');
    assert.deepEqual(programs, [['ls', '-l'], ['npm', 'test', '--', 'a b'], ['head']]);
    assert.deepEqual(asking, [['npm', 'test', '--', 'a b']]);
  });
});
