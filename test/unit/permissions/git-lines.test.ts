import type { RepositoryInspector } from '../../../src/core/ports/commands/repository-inspector.ts';
import { DISK, expectRisks, expectVerdicts, judging } from './disk-rig.ts';

describe('calls of git that read', () => {
  const repository: RepositoryInspector = {
    hazards: async (folder) =>
      folder === '/ws/bad' ? ['a', 'b', 'c', 'd'] : folder === '/ws/odd' ? ['a'] : [],
    files: async (folder) =>
      folder === '/ws/none' ? undefined : ['/ws/src/a.ts', '/ws/docs/x.md'],
    filesOf: async (_, name) =>
      (
        {
          main: ['/ws/src/a.ts'],
          'stash^3': ['/ws/.env'],
          'refs/stash': ['/ws/.env'],
          'stash@{1}': ['/ws/.env'],
        } as const
      )[name as 'main'],
    topOf: async (folder) => (folder.startsWith('/ws') ? '/ws' : undefined),
    kindOf: async (_, name) =>
      /@\{|-g[0-9a-f]+$/u.test(name)
        ? 'commit'
        : ({ blobby: 'blob', treey: 'tree', main: 'commit' } as const)[name as 'main'],
  };
  const judge = judging({ ...DISK, ignored: ['/ws/docs/x.md'] }, { repositories: repository });

  it('are asked about where the repository runs something, or nobody knows', async () => {
    await expectVerdicts(
      { edit: 'git mv old.txt new.txt', always: 'git mv old.txt README.md\ngit mv .env x' },
      judge,
    );
    await expectRisks([['git status', 'unknown-git']]);
    await expectVerdicts({ allow: 'git status\ncd src && git status\ngit -C src status' }, judge);
    await expectVerdicts(
      { always: 'cd bad && git status\ngit -C odd status\ngit -C bad status\ncd bad; git status' },
      judge,
    );
    await expectRisks([['git -C bad status', 'git-runs a, b, c']], judge);
  });

  it('show what is kept from the agent, or lies elsewhere, only after a yes', async () => {
    await expectVerdicts(
      {
        allow: `git diff --stat
          git diff -- src
          git diff src/a.ts
          git grep foo src
          git grep -l foo
          git log
          git log -p -- src
          git show main:src/a.ts
          git blame src/a.ts`,
        always: `git diff
          git diff -- nothing
          git diff -- src nothing
          git diff src 'd*'
          git diff -- docs
          git diff -- 's*'
          git diff -- :/
          git grep foo
          git grep foo docs
          git grep --untracked foo src .
          git log -p
          git show
          git show main:.env
          git show :.env
          git -C none diff
          git diff -- /other
          git diff --no-index src /other/x
          git diff --no-index src plain`,
        refuse: `git show main:../own/x
          git show main:docs/x.md
          git blame docs/x.md
          git -C src show main:docs/x.md
          git -C src show main:../docs/x.md`,
      },
      judge,
    );
    await expectRisks(
      [
        ['git diff', 'hidden-below the person keeps it from you ("x" in /ws/.belayignore)'],
        [
          'git grep --untracked foo src/a.ts .env',
          'protected .env',
          'unknown-option git grep --untracked',
        ],
        ['git -C none diff', 'unknown-git'],
      ],
      judge,
    );
  });

  it('show what git has of secrets in a stash or another commit only after a yes', async () => {
    await expectVerdicts(
      {
        allow: `git show main
          git log -p main
          git log --all
          git log --stat --all
          git show --stat stash^3
          git diff main -- src
          git show stash^3 -- src
          git stash list`,
        always: `git show stash^3
          git show 'stash^3'
          git diff main stash^3
          git diff main..stash^3
          git diff-tree -p stash^3
          git grep foo stash^3
          git log -p --all
          git log -p --glob=refs/stash
          git log -p main stash^3
          git stash show -p
          git stash show -p 1
          git stash list -p`,
      },
      judging({ ...DISK, ignored: [] }, { repositories: repository }),
    );
  });

  it('show no object by a placeholder, and no setting that may be a password', async () => {
    await expectVerdicts(
      {
        allow: `git branch --format='%(refname)'
          git branch --sort=-committerdate
          git symbolic-ref --short HEAD
          git cherry -v main
          git config --get user.email`,
        always: `git branch --format='%(raw)'
          git branch --sort=-signature:grade
          git tag -l --sort signature
          git for-each-ref --sort='*signature'
          git tag -l --format='%(*raw)'
          git for-each-ref --format='%(raw:size)'
          git config --get http.proxy
          git config --get sendemail.smtpPass
          git config --get x.apiKey`,
      },
      judge,
    );
  });

  it('name objects without their paths only after a yes', async () => {
    await expectVerdicts(
      {
        allow: 'git show main -- src\ngit show --stat main\ngit cat-file -t blobby\ngit log blobby',
        always: `git show blobby
          git show --stat blobby
          git cat-file -p blobby
          git cat-file -p treey:a
          git show main blobby
          git diff main..blobby -- src
          git diff main blobby -- src
          git diff main...blobby -- src
          git diff ^blobby -- src
          git diff 'blobby^!' -- src
          git grep -e x blobby -- src`,
      },
      judge,
    );
    await expectRisks(
      [
        ['git show blobby', 'git-object blobby'],
        ['git show treey', 'git-object treey'],
      ],
      judge,
    );
  });

  it('name a commit by what looks like a path in one only after a yes', async () => {
    await expectVerdicts(
      {
        allow: 'git show main:src/a.ts\ngit show main~1:src/a.ts',
        always: `git show 'main^{/a: b}:src/a.ts'
          git show 'main^{/a: b}:docs/x.md'
          git show ':/fix: x'
          git show main:x-gabcdef1
          git show 'main:x-gabcdef1^!'
          git show main:src/a.ts..main:x-gabcdef1
          git cat-file -p 'main@{1.day.ago}:a}'
          git show 'main^{/{a}: b}:src/a.ts'
          git show 'main^{/a: b'`,
      },
      judge,
    );
    await expectRisks([['git show main:x-gabcdef1', 'git-object main:x-gabcdef1']], judge);
  });

  it('are judged by the options before the subcommand, and in the folder that they name', () =>
    expectVerdicts(
      {
        allow: `git --no-pager -P status
          git -C src log a.ts
          git log *.md
          git -C src blame /ws/README.md
          git config user.name
          git config --get user.name
          git log token
          git show --stat main -- blobby
          git blame -- blobby`,
        always: `git
          git -C
          git -C src
          git -C src -C docs status
          git -C * status
          git -C ~ status
          git -C ~/x log a
          git -C /other log
          git -c core.pager=x status
          git --git-dir=x status
          git *
          git -C plain blame .e*
          git -C plain blame .env
          git -C src blame /ws/.env
          git -C src log *.ts`,
        ask: 'git config user\ngit config user.name x\ngit config --get user.name x\ngit push\ngit -C src commit\ngit branch new\ngit config x\ngit tag v1\ngit stash',
      },
      judge,
    ));

  it('read the files that they name', () =>
    expectVerdicts(
      {
        allow: `git grep foo README.md src
          git grep -l foo plain
          git grep -e foo README.md
          git log .env
          git log -n 3 -S foo --stat
          git diff --stat .env.example
          git show --stat main
          git blame README.md`,
        always: `git grep foo .env
          git grep -e foo .env
          git blame .env
          git diff .env
          git show main -- .env
          git log -L 1,5:README.md -- src
          git log --format=%G?
          git log --format='%(signature)'
          git log --submodule=diff
          git config --get http.extraheader`,
      },
      judge,
    ));

  it('show text by their options, or only what changed', () =>
    expectVerdicts(
      {
        allow: `git diff --name-only
          git diff --raw
          git status --short
          git stash list
          git stash show
          git reflog
          git shortlog -s
          git rev-list --count main
          git diff-tree main
          git show -s main
          git grep --count foo
          git grep -q foo`,
        always: `git diff --stat -p
          git status -v
          git status --verbose
          git stash show -p
          git stash list -p
          git reflog -p
          git log --cc
          git log -U3
          git log --word-diff
          git whatchanged -p
          git shortlog -p
          git rev-list --patch main
          git diff-tree -p main
          git show main:src/a.ts main
          git grep -n foo`,
      },
      judge,
    ));
});
