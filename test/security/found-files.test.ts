import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { RiskCode } from '../../src/core/permissions/risks.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';

/** Files by name, links by name and target. */
interface Made {
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
}

describe('command lines and the files that they find', () => {
  let base: string;
  let count = 0;

  before(async () => {
    base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-found-')));
  });
  after(() => rm(base, { recursive: true }));

  async function folderWith({ files = {}, links = {} }: Made): Promise<string> {
    count += 1;
    const folder = path.join(base, `${count}`);
    await mkdir(folder);
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    for (const [name, target] of Object.entries(links)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await symlink(target, path.join(folder, name));
    }
    return folder;
  }

  /** The gravest risk; undefined without a question, edits as mode Edit has them. */
  async function asked(command: string, root: string, cwd = root): Promise<RiskCode | undefined> {
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const repositories = new NodeGit();
    const parts = { guard, files, platform: 'posix', home: '/home/nobody', repositories } as const;
    const { verdict, edits, risks = [] } = await judgeCommand(parts, { command, cwd }, [root]);
    return verdict === 'allow' || edits === true ? undefined : risks[0]?.code;
  }

  it('cd enters only a folder that is certain', async () => {
    const ws = await folderWith({
      files: { 'docs/sub/x.md': 'x', '.vscode/settings.json': '{}', 'src/.env': '' },
      links: { '.vscode/docs': '../docs/sub' },
    });
    assert.equal(await asked('cd docs/sub && touch tasks.json', ws), undefined);
    for (const line of [
      'cd .vscode/docs/.. && touch tasks.json',
      'cd .vscode && touch tasks.json',
      'cd docs && cd ../.vscode && touch tasks.json',
      'cd docs; touch x',
      'cd nowhere && ls; cat x',
      'ls && cd docs && cat x',
      'cd docs | cat && cat x',
      '! cd docs && cat x',
      'time cd docs && cat x',
      '(cd src && cat .env)',
      '(cd docs; cd ../src; cat .env)',
    ])
      assert.notEqual(await asked(line, ws), undefined, line);
  });

  it('a link means something else at another place', async () => {
    const ws = await folderWith({
      files: { 'a.txt': 'a', 'src/b.txt': 'b', 'odd/-oMakefile': '' },
      links: { 'src/up': '../a.txt', 'sub/below/up': '../../a.txt' },
    });
    for (const line of ['mv src/up up', 'cp -r src new', 'mv sub/below below', 'cp src/up c.txt'])
      assert.equal(await asked(line, ws), 'link', line);
    assert.equal(await asked('cp -r odd new', ws), 'option-name');
    assert.equal(await asked('cp src/b.txt c.txt && mv c.txt d.txt', ws), undefined);
  });

  it('a copy may come into a folder that the line makes', async () => {
    const ws = await folderWith({
      files: { 'docs/AGENTS.md': 'x', 'docs/x.md': 'x', 'docs/new.md/y.md': '' },
    });
    assert.equal(await asked('mkdir new && cp docs/AGENTS.md new', ws), 'obeyed');
    assert.equal(await asked('mkdir new && cp docs/x.md new', ws), undefined);
  });

  describe('hidden files that ripgrep reads', () => {
    const secrets = { '.env': 'S=1', '.credentials.json': '{}', 'a.ts': 'x', 'sub/b.ts': 'y' };

    it('by a pattern or a type', async () => {
      const ws = await folderWith({ files: secrets });
      for (const line of ["rg -g '*.json' S", 'rg -t json S', 'rg -t all S', 'rg -tsh S'])
        assert.equal(await asked(line, ws), 'secret', line);
      for (const line of ["rg -g '*.ts' S", 'rg -t ts S', 'rg S', 'rg -t json S sub'])
        assert.equal(await asked(line, ws), undefined, line);
    });

    for (const [name, text] of [
      ['.ignore', '*.log\n!.env\n'],
      ['.rgignore', '!/.e*'],
      ['.gitignore', '\ufeff!.*\r\n'],
      ['.git/info/exclude', '!**'],
    ] as const)
      it(`that ${name} takes back`, async () => {
        const ws = await folderWith({ files: { ...secrets, 'sub/.env': '', [name]: text } });
        for (const line of ['rg S', 'rg -t sh S', 'rg S sub'])
          assert.equal(await asked(line, ws), 'secret', line);
        assert.equal(await asked("rg -g '*.ts' S", ws), undefined);
      });

    it('below a folder that is taken back', async () => {
      const files = { '.ignore': '!.kept/\n', '.kept/id_rsa': 'k', '.other/id_rsa': 'k' };
      const ws = await folderWith({ files });
      assert.equal(await asked('rg k', ws), 'secret');
    });

    it('that a file takes back which is too large to be read', async () => {
      const files = { '.env': '', '.ignore': `${'#'.repeat(1_000_001)}\n!.env` };
      const ws = await folderWith({ files });
      assert.equal(await asked('rg k', ws), 'secret');
    });

    it('and none by what is ignored, or taken back by another name', async () => {
      const files = {
        '.env': '',
        '.gitignore': '.env*\n!.env.example\n!*/\n#!.env\n!\n',
        'a.ts': '',
      };
      const ws = await folderWith({ files: { ...files, '.env.example': '' } });
      assert.equal(await asked('rg k', ws), undefined);
    });
  });

  it('text that git has of files outside the workspace is asked about', async function outside() {
    this.timeout(60_000);
    const top = await folderWith({ files: { 'a.txt': 'one\n', 'src/b.txt': 'one\n' } });
    const git = (...words: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: top });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one: x');
    const src = path.join(top, 'src');
    for (const line of ['git grep one -- :/', 'git log -p', 'git diff -- ../a.txt']) {
      assert.equal(await asked(line, src), 'outside-read', line);
      assert.equal(await asked(line, top, line.includes('..') ? src : top), undefined, line);
    }
    for (const line of ["git show 'HEAD^{/one: x}'", "git show ':/one: x'", 'git status -v'])
      assert.notEqual(await asked(line, top), undefined, line);
    for (const line of ['git grep one', 'git log -p -- .', 'git status'])
      assert.equal(await asked(line, src), undefined, line);
  });
});
