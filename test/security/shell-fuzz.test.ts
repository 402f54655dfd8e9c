import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { judgeCommand } from '../../src/core/permissions/command/judge-command.ts';
import type { JudgedCommand } from '../../src/core/permissions/command/judge-command.ts';
import { parseShell } from '../../src/core/permissions/command/shell/shell-syntax.ts';
import { PathGuard } from '../../src/core/permissions/path-guard.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../src/hosts/node/search/ignore/belay-ignore.ts';
import { runs } from '../support/seed.ts';
import { findReasonToSkip } from './checked-versions.ts';
import { noRepository } from './no-repository.ts';

const RUNS = runs(2000);
/** Lines that are given to one bash; starting one for each would take minutes. */
const BATCH = 250;

/** Pieces of command lines: words of every kind, and everything that means something to a shell. */
const PIECES = [
  'ls',
  'cat',
  'echo',
  'cd',
  'git',
  'status',
  'sort',
  'true',
  'false',
  'touch',
  'rm',
  'x',
  'a.txt',
  '-l',
  '-o',
  '--',
  '--output=x',
  '-exec',
  '*',
  '?',
  '[a]',
  '~',
  '~x',
  '.',
  '..',
  '/',
  '=',
  ' ',
  ' ',
  ' ',
  ' ',
  '\t',
  '\n',
  ';',
  '&',
  '&&',
  '|',
  '||',
  '|&',
  '!',
  '(',
  ')',
  '{',
  '}',
  '{ ',
  '; }',
  '>',
  '>>',
  '<',
  '<<',
  '<<<',
  '<(',
  '>(',
  '>&',
  '2>&1',
  '&>',
  '>|',
  '<>',
  '/dev/null',
  '1',
  '3',
  "'",
  '"',
  '\\',
  '`',
  '$',
  '$(',
  '${',
  '$((',
  '))',
  '$x',
  '$?',
  "$'",
  '$"',
  '\\\n',
  '#',
  ' # ',
  '#\n',
  'a=b',
  'PATH=.',
  'a+=b',
  'a[0]=b',
  '{a,b}',
  '{1..3}',
  '!(x)',
  '@(x)',
  'EOF',
  '<<EOF\n',
  '\nEOF\n',
  "<<'E'\n",
  '\nE\n',
  'if',
  'then',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'while',
  'case',
  'esac',
  'function',
  'time',
  'coproc',
  '[[',
  ']]',
  '((',
  'select',
  'until',
  'eval',
  'exec',
  'command',
  '-v',
  'type',
  'test',
  '[',
  ']',
  'printf',
  'export',
  'alias',
  'source',
  'é',
  '\u00a0',
  '^',
  '%',
  '+',
  ',',
  ':',
  '@',
  '-',
];

const line = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 })
  .map((pieces) => pieces.join(''));

/** Programs that exist in the traced shell: each writes down how it was called, and does nothing. */
const STUBS = [
  'ls',
  'cat',
  'git',
  'sort',
  'touch',
  'rm',
  'x',
  'head',
  'wc',
  'grep',
  'rg',
  'find',
  'sed',
  'uniq',
  'tr',
  'cut',
  'basename',
];

/** They run what they are given; they are never allowed, and what they run is not named. */
const RUNNERS = new Set(['eval', 'exec', 'command', 'source', '.', 'alias', 'export', 'type']);

const reason = findReasonToSkip('bash');
const title = `the command parser beside a real shell${reason === undefined ? '' : ` (${reason})`}`;

(reason === undefined ? describe : describe.skip)(title, function fuzz() {
  this.timeout(Math.max(30_000, RUNS * 60));
  let base: string;
  let ws: string;
  /** Absolute: the lines are run without the PATH of this machine. */
  let bash: string;
  let judge: (command: string) => Promise<JudgedCommand>;

  before(async () => {
    bash = execFileSync('bash', ['--norc', '-c', 'type -P bash'], { encoding: 'utf8' }).trim();
    base = realpathSync(await mkdtemp(path.join(tmpdir(), 'belay-fuzz-')));
    ws = path.join(base, 'ws');
    await mkdir(ws);
    await mkdir(path.join(base, 'bin'));
    for (const name of STUBS) {
      const stub = path.join(base, 'bin', name);
      await writeFile(
        stub,
        `#!${bash}\n{ printf '%s\\0' "${name}" "$@"; printf '\\1\\0'; } >> "$BELAY_LOG"\n`,
      );
      await chmod(stub, 0o755);
    }
    const files = new NodeFileSystem();
    const guard = new PathGuard({ files, ownFolders: [], ignored: new NodeIgnoredPaths() });
    const parts = {
      guard,
      files,
      platform: 'posix',
      home: base,
      repositories: noRepository,
    } as const;
    judge = (command) => judgeCommand(parts, { command, cwd: ws }, [ws]);
  });

  after(() => rm(base, { recursive: true }));

  function sample(): string[] {
    return fc.sample(line, { numRuns: RUNS });
  }

  /** Which of the lines bash itself can read. */
  function readable(lines: readonly string[]): readonly boolean[] {
    const script =
      'while IFS= read -r -d "" line; do if bash -n -c -- "$line" </dev/null 2>/dev/null; then printf y; else printf n; fi; done';
    const answers: boolean[] = [];
    for (let at = 0; at < lines.length; at += BATCH) {
      const input = lines.slice(at, at + BATCH).map((one) => `${one}\0`);
      const output = execFileSync('bash', ['-c', script], {
        input: input.join(''),
        encoding: 'utf8',
      });
      answers.push(...output.split('').map((letter) => letter === 'y'));
    }
    return answers;
  }

  it('understands nothing that bash cannot read', () => {
    const understood = sample().filter((one) => parseShell(one) !== undefined);
    const answers = readable(understood);
    assert.equal(answers.length, understood.length);
    assert.ok(understood.length > RUNS / 200, `only ${understood.length} lines were understood`);
    const wrong = understood.filter((_, index) => answers[index] !== true);
    assert.deepEqual(wrong, []);
  });

  it('names every program, with the words that bash gives it, and nothing is changed by what is allowed', async () => {
    const lines = sample();
    let compared = 0;
    for (const one of lines) {
      const judged = await judge(one);
      if (judged.verdict !== 'allow' && judged.programs === undefined) continue;
      // What it names is compared; what would leave the folder or write a file is not run.
      if (judged.verdict === 'refuse' || judged.always === true) continue;
      if (judged.verdict !== 'allow' && judged.programs?.some(([name = '']) => RUNNERS.has(name)))
        continue;
      // It may go on for ever.
      if (/\b(?:while|until)\b/u.test(one)) continue;
      compared += 1;
      const log = path.join(base, 'log');
      await writeFile(log, '');
      const ran = spawnSync(bash, ['-c', one], {
        cwd: ws,
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: 10_000,
        env: { PATH: path.join(base, 'bin'), HOME: base, BELAY_LOG: log },
      });
      assert.equal(ran.error, undefined, JSON.stringify(one));
      const named = new Set((judged.programs ?? []).map((words) => JSON.stringify(words)));
      for (const call of callsIn(await readFile(log, 'utf8')))
        assert.ok(
          named.has(JSON.stringify(call)),
          `${JSON.stringify(one)} ran ${JSON.stringify(call)}, named: ${[...named].join(' ')}`,
        );
      assert.deepEqual(await readdir(ws), [], JSON.stringify(one));
    }
    assert.ok(compared > RUNS / 200, `only ${compared} lines were compared`);
  });
});

function callsIn(log: string): string[][] {
  return log
    .split('\u0001\0')
    .slice(0, -1)
    .map((call) => call.split('\0').slice(0, -1));
}
