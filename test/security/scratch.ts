import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { JudgedCommand } from '../../src/core/permissions/command/judge-command.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeGit } from '../../src/hosts/node/git/git.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { ripgrepForTests } from '../contract/search/ripgrep-for-tests.ts';

/** No output of an allowed command has this. */
export const CANARY = 'CANARY-7f3a';

const SECRET = `SECRET=${CANARY}\n`;
/** The object of a secret that was staged once, by its name. */
export const SECRET_OBJECT = createHash('sha1')
  .update(`blob ${SECRET.length}\0${SECRET}`)
  .digest('hex');

const WITHOUT_NETWORK: readonly string[] = ['unshare', '-n'];

/** A small workspace with canaries in it, beside it and in a home folder, in which commands are really run. */
export class Scratch {
  readonly base: string;
  readonly ws: string;
  readonly #judge: (command: string) => Promise<JudgedCommand>;
  readonly #isolate: readonly string[];

  private constructor(base: string) {
    this.base = base;
    this.ws = path.join(base, 'ws');
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const home = path.join(base, 'home');
    const repositories = new NodeGit();
    const parts = { guard, files, platform: 'posix', home, repositories } as const;
    this.#judge = (command) => judgeCommand(parts, { command, cwd: this.ws }, [this.ws]);
    // Without a network where the system lets us.
    const [program = '', ...words] = WITHOUT_NETWORK;
    this.#isolate = spawnSync(program, [...words, 'true']).status === 0 ? WITHOUT_NETWORK : [];
  }

  static async create(): Promise<Scratch> {
    const scratch = new Scratch(realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-scratch-'))));
    const { base, ws } = scratch;
    for (const folder of ['ws/src', 'ws/docs', 'home/.ssh', 'outside'])
      await mkdir(path.join(base, folder), { recursive: true });
    const texts: Readonly<Record<string, string>> = {
      'ws/a.txt': 'one\ntwo\nthree 3\n',
      'ws/b.txt': 'one\n2\nthree\n',
      'ws/data.json': '{"a": [1, 2], "env": "x"}\n',
      'ws/src/c.ts': 'export const one = 1;\n',
      'ws/src/list': '.env\n../outside/canary.ts\n',
      'ws/docs/d.md': '# one\n',
      'ws/.env': SECRET,
      'home/.ssh/id_rsa': `${CANARY}\n`,
      'home/.config': `${CANARY}\n`,
      'outside/canary.ts': `${CANARY}\n`,
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(path.join(base, name), text);
    await symlink('../../outside/canary.ts', path.join(ws, 'docs', 'linked.ts'));
    await symlink('../../outside', path.join(ws, 'docs', 'away'));
    scratch.git('init', '-q', '-b', 'main');
    scratch.git('add', 'a.txt', 'src');
    scratch.git('commit', '-qm', 'one');
    await writeFile(path.join(ws, 'a.txt'), 'one\ntwo\nthree 3\nfour\n');
    // With what git does not know, as people keep it for a while.
    scratch.git('stash', '-q', '-u');
    scratch.git('stash', 'apply', '-q');
    // A secret that was staged once is still there, without its name.
    scratch.git('hash-object', '-w', '.env');
    return scratch;
  }

  judge(command: string): Promise<JudgedCommand> {
    return this.#judge(command);
  }

  /** Runs a line in the workspace, as an agent's command would be run. */
  run(command: string): string {
    const [program, ...before] = [...this.#isolate, 'bash'];
    const ran = spawnSync(program, [...before, '-c', command], {
      cwd: this.ws,
      input: '1\n',
      timeout: 5000,
      maxBuffer: 1 << 24,
      env: this.#environment(),
      encoding: 'utf8',
    });
    return `${ran.stdout}${ran.stderr}`;
  }

  /** The same without a shell: for a program's own answer about its options. */
  answer(program: string, words: readonly string[]): string {
    const { stdout, stderr } = spawnSync(program, words, {
      cwd: path.join(this.ws, 'src'),
      input: '',
      timeout: 3000,
      env: this.#environment(),
      encoding: 'utf8',
    });
    return `${stdout ?? ''}${stderr ?? ''}`;
  }

  git(...words: readonly string[]): string {
    const given = ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words];
    return spawnSync('git', given, { cwd: this.ws, encoding: 'utf8' }).stdout;
  }

  /** Every file and folder with what is in it; the repository's own without what git renews when it looks. */
  tree(): string {
    return treeOf(this.base, '').join('\n');
  }

  dispose(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  #environment(): Record<string, string> {
    return {
      PATH,
      HOME: path.join(this.base, 'home'),
      LC_ALL: 'C',
      BELAY_KEY: CANARY,
      GIT_PAGER: 'cat',
    };
  }
}

function treeOf(base: string, below: string): string[] {
  return readdirSync(path.join(base, below))
    .toSorted()
    .flatMap((name) => {
      const at = path.join(below, name);
      if (at === 'ws/.git/index') return [];
      const stat = lstatSync(path.join(base, at));
      if (stat.isDirectory()) return [`${at}/`, ...treeOf(base, at)];
      return [stat.isFile() ? `${at} ${readFileSync(path.join(base, at), 'utf8')}` : at];
    });
}

/** The programs of this machine, but first the ripgrep that the VS Code of the tests brings along. */
export const PATH = [path.dirname(ripgrepForTests() ?? ''), process.env['PATH'] ?? ''].join(':');

/** Whether a program is on this machine. */
export function isInstalled(program: string): boolean {
  // With a socket as its input bash would begin with what the person's shell begins with.
  const words = ['--norc', '-c', `command -v -- "$1"`, 'bash', program];
  return spawnSync('bash', words, { env: { PATH }, stdio: 'ignore' }).status === 0;
}
