import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { JudgedCommand } from '../../src/core/permissions/command/judge-command.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { noRepository } from './no-repository.ts';

describe('edges of judging a command line (security, rule 3)', () => {
  let ws: string;
  let judge: (command: string) => Promise<JudgedCommand>;

  before(async () => {
    ws = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-edges-')));
    await mkdir(path.join(ws, 'src'));
    await mkdir(path.join(ws, '.vscode'));
    for (const name of ['README.md', 'src/a.ts', 'src/b.ts', '.env', 'Makefile'])
      await writeFile(path.join(ws, name), 'x\n');
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const parts = { guard, files, platform: 'posix', home: '/home/nobody' } as const;
    judge = (command) =>
      judgeCommand({ ...parts, repositories: noRepository }, { command, cwd: ws }, [ws]);
  });
  after(() => rm(ws, { recursive: true }));

  it('a line that is not understood and names a protected place is asked about each time', async () => {
    for (const line of [
      'x=$(y); tee .git/hooks/pre-commit <<< "$x"',
      'case $a in b) cp x .vscode/tasks.json;; esac',
    ]) {
      const { verdict, always, programs } = await judge(line);
      assert.deepEqual([verdict, always, programs], ['ask', true, undefined], line);
    }
  });

  it('what only makes, moves or copies files of the workspace is an edit', async () => {
    for (const line of [
      'mkdir -p a/b',
      'touch new.txt',
      'cp src/a.ts src/c.ts',
      'mv src/a.ts src/c.ts',
      'mkdir a && mv src/a.ts a/',
      'echo x > src/new.ts',
      "cat <<'EOF' >> README.md\nline\nEOF",
      'rmdir src',
      'ls | tee out',
      'ls | tee -a README.md | head',
    ])
      assert.equal((await judge(line)).edits, true, line);
    for (const line of [
      'mkdir /elsewhere',
      'cp src/a.ts .vscode/tasks.json',
      'cp .env src/env.txt',
      'mv src/a.ts Makefile',
      'mv .env src/x',
      'cp src/a.ts src/b.ts src',
      'cp src/a.ts',
      'mkdir a && rm -r src',
      'mkdir $(x)',
      'echo x > Makefile',
      'ls | tee Makefile',
      'ls | tee out .env',
      'echo x > ./-a',
      'echo x > .ignore && rg y',
      'npm test > out',
    ])
      assert.notEqual((await judge(line)).edits, true, line);
  });

  it('what the shell makes of a word is not guessed', async () => {
    for (const line of [
      'cat {README.md,.env}',
      'cat .e{n,}v',
      'cat .{e..f}nv',
      'cat .en?',
      'cat .[e]nv',
      'cat ~root/.ssh/id_rsa',
      'cat ~/.ssh/id_rsa',
      'cat $HOME/.ssh/id_rsa',
      'cat "$HOME"/.ssh/id_rsa',
      'cat < .env',
      'find . -name "*" -exec cat {} +',
      'find . -path "./.e*" -exec cat {} ";"',
      'find src .env -exec cat {} ";"',
      'ls -a | xargs cat',
      'ls -a | xargs -I% cat %',
      'ls -a | xargs -d "\\n" head',
      'for f in .e*; do cat "$f"; done',
      'for f in .env; do cat $f; done',
      'command cd / && cat etc/shadow',
      'cd / ; cat etc/passwd',
      'echo x > .vscode/settings.json',
      'echo x >> ./.git/config',
      'echo x &> Makefile',
    ])
      assert.notEqual((await judge(line)).verdict, 'allow', line);
    for (const line of [
      'cat README.md src/a.ts',
      'cat src/*.ts',
      'cat src/{a,b}.ts',
      'cat < README.md',
      'command -v node',
      'wc -l 2> /dev/null README.md',
    ]) {
      assert.equal((await judge(line)).verdict, 'allow', line);
    }
  });
});
