import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { JudgedCommand } from '../../src/core/permissions/command/judge-command.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { NodeFileSystem } from '../../src/hosts/node/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/belay-ignore.ts';

/** What an ordinary day needs without a question. */
const HARMLESS = String.raw`
ls
ls -la src
ls *.md 2>/dev/null
ls 2>&1 | tail -5
cat package.json | grep version
cat src/*.ts
head -20 README.md && echo "done; ok" || echo 'no'
tail -n +5 README.md
wc -l src/*.ts
sed -n '1,20p' README.md
sed -n '/foo/,/bar/p' README.md
sed 's/a/b/g' README.md
awk '{print $1, $NF}' README.md
grep -rn "foo;bar" src
grep -n 'a\|b' README.md
rg "a|b" src
rg -g '*.ts' foo src
rg --files src
find . -name "*.ts" -not -path './node_modules/*'
find . -type f \( -name '*.ts' -o -name '*.js' \) | head -3
sort README.md | uniq -c | sort -rn | head
diff -u README.md package.json
git status --short
git log --oneline -5
git log -S foo --stat
git diff HEAD~1 -- src/a.ts
git diff --cached --stat
git show HEAD:src/a.ts
git branch --list
git branch --show-current
git stash list
git grep -n foo
git -C src status
git blame README.md
git rev-parse --abbrev-ref HEAD
git remote -v
git tag -l 'v*'
git ls-files | wc -l
echo "a > b; c"
echo $?
printf '%s\n' hi
pwd; which node; uname -a
node --version
date +%F
test -f README.md && echo yes
[ -d src ] && echo yes
cd src && ls && cd .. && cat README.md
(cd src; ls) | wc -l
LC_ALL=C sort README.md
jq .version package.json
true # a comment; touch x
`;

/** What only a rule of the person's may let through: nobody knows what it does. */
const UNKNOWN = String.raw`
npm test
npm run build && ls
make
env
printenv
ls; touch x
ls | xargs cat
git commit -m x
git branch new
git stash
git tag v1
git remote add x y
git push
curl http://example.org
./ls
/bin/ls
xargs rm
`;

/** What asks each time: it writes, runs something, or leaves the workspace. */
const RISKY = String.raw`
cat .env
cat .e*
cat src/../.env
cat link/../x
cat linked
cat ~/.ssh/id_rsa
cat /etc/passwd
cat ../other/x
cat < /etc/passwd
grep -rn SECRET .
grep -f /etc/passwd README.md
rg --hidden SECRET
rg -g '*' SECRET
rg --pre ./x.sh SECRET
rg --pre=./x.sh SECRET
rg -z x
rg -L x
find / -name x
find . -name x -exec touch y \;
find . -delete
find . -ok touch y \;
find . -fprint out
find . -fls out
find . -execdir touch y \;
sed -i s/a/b/ README.md
sed '1e touch x' README.md
sed 's/a/b/e' README.md
sed 's/a/b/w out' README.md
sed 'w out' README.md
sed -n '1r /etc/passwd' README.md
sed -f script README.md
awk 'BEGIN{system("x")}' README.md
awk '{print > "out"}' README.md
awk '{print | "sh"}' README.md
sort -o x README.md
sort --compress-program=./x README.md
sort --outp=x README.md
uniq README.md out
git log --output=x
git diff --ext-diff
git diff --output=x HEAD~1
git grep -Ovim foo
git -c core.pager=x status
git --exec-path=. status
git -C / status
git log --format=%G?
git show HEAD:.env
git diff --no-index /etc/passwd README.md
echo hi > src/x.ts
echo hi >> README.md
echo hi > .vscode/settings.json
echo hi >& out
echo hi | cat > out
{ ls; } > out
PATH=. ls
LD_PRELOAD=./x ls
GIT_EXTERNAL_DIFF=./x git diff
date -s 1
date 01010000
hostname evil
jq env package.json
printf -v PATH x
test -v 'a[$(touch x)]'
cd / && ls
cd
cd - && ls
`;

/** What the parser does not follow. */
const NOT_UNDERSTOOD = [
  ...String.raw`
echo "$(touch x)"
echo ${'`touch x`'}
cat <(touch x)
echo ${'$'}{a:=1}
echo $HOME
echo "$HOME"
echo $((1+1))
echo ${'$'}'a\nb'
ls &
ls & touch x
for f in *; do cat $f; done
while true; do ls; done
if true; then ls; fi
f() { ls; }
[[ -v a ]]
(( a = 1 ))
time ls
coproc ls
cat {a,b}
cat +(a|b)
cat ~nobody/x
ls =ls
echo x | (
echo "unfinished
ls |
`
    .trim()
    .split('\n'),
  'ls\r\ntouch x',
  'ls\u00a0-la',
  'ls \u202e;x',
  'cat <<EOF\n$(touch x)\nEOF',
  'cat <<EOF\nno end',
  `ls ${'a'.repeat(10_000)}`,
];

const lines = (text: string): string[] => text.trim().split('\n');

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
    await symlink(path.join(base, 'other', 'inner'), path.join(ws, 'link'));
    await symlink(path.join(base, 'other', 'x'), path.join(ws, 'linked'));
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const repositories = { hazards: async () => [], files: async () => [] };
    const parts = { guard, files, platform: 'posix', home: path.join(base, 'home') } as const;
    judge = (command) => judgeCommand({ ...parts, repositories }, { command, cwd: ws }, [ws]);
  });

  after(() => rm(base, { recursive: true }));

  for (const command of lines(HARMLESS)) {
    it(`needs no question: ${command}`, async () => {
      const { verdict, reason } = await judge(command);
      assert.equal(verdict, 'allow', reason);
    });
  }
  for (const command of lines(UNKNOWN)) {
    it(`asks, and a rule may allow it: ${command}`, async () => {
      const { verdict, always, asking, reason } = await judge(command);
      assert.equal(verdict, 'ask');
      assert.equal(always, undefined, reason);
      assert.ok((asking?.length ?? 0) > 0);
    });
  }
  for (const command of lines(RISKY)) {
    it(`asks each time: ${command}`, async () => {
      const { verdict, always } = await judge(command);
      assert.deepEqual({ verdict, always }, { verdict: 'ask', always: true });
    });
  }
  for (const command of NOT_UNDERSTOOD) {
    it(`asks as not understood: ${JSON.stringify(command.slice(0, 60))}`, async () => {
      const { verdict, programs } = await judge(command);
      assert.deepEqual({ verdict, programs }, { verdict: 'ask', programs: undefined });
    });
  }

  for (const command of ['echo x > .git/config', 'cat /proc/self/environ', 'cat < /dev/sda']) {
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
        return judged.verdict === 'allow' ? undefined : judged.reason;
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
      'git stash show -p',
      'git whatchanged --cc',
      'git reflog -p',
      'git diff -- src kept/../kept',
    ])
      it(`asks: ${command}`, async () => {
        assert.match((await asked(command)) ?? '', /keeps it from you|may not be used/u);
      });

    it('asks where git compares whole folders as they are, repository or none', async () => {
      for (const command of [
        'git diff --no-index src .',
        'git diff --no-index -- src kept/..',
        'git -C src diff . ../',
        `git diff ${repository}/src ${repository}`,
      ])
        assert.match((await asked(command)) ?? '', /\.env|keeps it|may not be used/u, command);
      assert.equal(await asked('git diff --no-index src/a.ts src'), undefined);
      const files = new NodeFileSystem();
      const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
      const parts = { guard, files, platform: 'posix', repositories: new NodeGit() } as const;
      const outside = await judgeCommand(parts, { command: 'git diff src .', cwd: ws }, [ws]);
      assert.equal(outside.verdict, 'ask');
    });

    it('asks for what git does not have yet, and holds secrets', async () => {
      assert.match((await asked('git grep --untracked SECRET -- .env src')) ?? '', /\.env/u);
      assert.match((await asked('git grep --untracked SECRET -- src/..')) ?? '', /\.env|kept/u);
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
    const repositories = { hazards: async () => ['filter.x.clean'], files: async () => [] };
    const hostile = await judgeCommand({ guard, files, platform: 'posix', repositories }, place, [
      ws,
    ]);
    assert.match(hostile.reason ?? '', /filter\.x\.clean/u);
  });

  it('tells the words of each program, for rules', async () => {
    const { programs, asking } = await judge('ls -l && npm test -- "a b" | head');
    assert.deepEqual(programs, [['ls', '-l'], ['npm', 'test', '--', 'a b'], ['head']]);
    assert.deepEqual(asking, [['npm', 'test', '--', 'a b']]);
  });
});
