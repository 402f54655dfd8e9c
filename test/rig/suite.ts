import { globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessTree, root } from './processes.ts';
import type { SuiteNotes, SuiteResult } from './reporter.ts';
import type { Print } from './tally.ts';

/** Time a suite has to end after its last test; what still runs then is a leak, and a failure. */
const patienceAfterEnd = 10_000;

/**
 * Milliseconds after which a test hangs. It measures nothing: whole engines with tokenizers and databases in one process
 * take a second on a quiet machine, and were seen to take twelve with fifteen others' work on each processor.
 */
export const hangLimit = 60_000;

/** A run of the long files of all turns takes twice as long. */
const share = process.env['BELAY_TURN'] === 'all' ? 2 : 1;

/** Longest time of one suite: a stuck one must not hold up the others for ever. */
const suiteLimit = share * 26 * 60_000;

/** Longest time of a run since its start: who runs it may end it hard after half an hour. */
const runLimit = share * 29 * 60_000;

/**
 * Where Node keeps what it compiled, types stripped: each engine of a test has a thread of its own that loads the store
 * anew, which took a third of the scenarios' processor time.
 */
const compileCache = path.join(root, 'node_modules/.cache/belay-tests');

/** Folders under test/ that hold no suite, or one that needs more than plain Node. */
const otherFolders = new Set(['host', 'ui', 'fixtures', 'support', 'bench']);

/** The folders under test/ whose tests mocha runs on plain Node 24. */
export function nodeSuites(): string[] {
  return readdirSync(path.join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !otherFolders.has(entry.name))
    .map((entry) => entry.name)
    .filter((name) => testFiles(name).length > 0)
    .toSorted();
}

/** Test files of a suite, relative to the repository. */
export function testFiles(suite: string): string[] {
  return globSync(`test/${suite}/**/*.test.{ts,tsx}`, { cwd: root }).toSorted();
}

/** How long a suite that begins now may take, in ms. */
export function timeLeft(): number {
  return Math.max(0, Math.min(suiteLimit, runLimit - performance.now()));
}

/**
 * Runs test files with mocha in a process of its own, those of the folder test/`suite` unless given. A suite without
 * test files is `null`.
 */
export async function runSuite(
  suite: string,
  print: Print,
  mochaArgs: readonly string[] = [],
  files: readonly string[] = testFiles(suite),
): Promise<SuiteResult | null> {
  if (files.length === 0) return null;
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  return withResults(print, (env) => {
    const args = [
      mocha,
      '--reporter',
      './test/rig/reporter.ts',
      ...(mochaArgs.includes('--timeout') ? [] : ['--timeout', String(hangLimit)]),
      ...mochaArgs,
      ...files.flatMap((file) => ['--spec', file]),
    ];
    return new ProcessTree(process.execPath, args, { env });
  });
}

/** Starts a process that leaves its result in the file named by BELAY_TEST_RESULTS, and reads it. */
async function withResults(
  print: Print,
  start: (env: NodeJS.ProcessEnv) => ProcessTree,
): Promise<SuiteResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-results-'));
  const file = path.join(folder, 'results.json');
  const limit = timeLeft();
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, BELAY_TEST_RESULTS: file };
  const tree = start(env);
  const printed = passOn(tree, print);
  const ended = new Promise<number>((resolve) => {
    tree.child.once('exit', (code) => resolve(code ?? 1));
    tree.child.once('error', () => resolve(1));
  });
  try {
    const code = await Promise.race([ended, leak(file, limit)]);
    const notes = readNotes(file);
    await tree.stop();
    await printed;
    return judge(notes, code, (line) => print(`${line}\n`));
  } finally {
    await tree.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Passes on what a process prints. Resolves when all of it has come, which is when its descendants have ended, too. */
async function passOn({ child }: ProcessTree, print: Print): Promise<void> {
  const ends = [child.stdout, child.stderr].map(async (stream) => {
    if (stream === null) return;
    stream.setEncoding('utf8').on('data', print);
    await new Promise((resolve) => stream.once('close', resolve));
  });
  await Promise.all(ends);
}

/** Resolves when a suite has reported its end and yet goes on, or takes longer than `limit` milliseconds. */
async function leak(file: string, limit: number): Promise<'leak' | 'limit'> {
  const deadline = Date.now() + limit;
  while (Date.now() < deadline) {
    await delay(500, undefined, { ref: false });
    if (readNotes(file)?.ended === true) {
      await delay(patienceAfterEnd, undefined, { ref: false });
      return 'leak';
    }
  }
  return 'limit';
}

/** What the reporter has left so far. */
export function readNotes(file: string): SuiteNotes | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SuiteNotes;
  } catch {
    return undefined;
  }
}

/**
 * Counts as failed: a suite that did not report, ran nothing, ended badly without a failed test, or did not end. What
 * one that broke off did until then counts, and the test at which it did is named.
 */
export function judge(
  notes: SuiteNotes | undefined,
  code: number | 'leak' | 'limit',
  say: (line: string) => void,
): SuiteResult {
  const { ended, running, ...result } = notes ?? nothing;
  const failed = (reason: string): SuiteResult => {
    say(`  ✖ ${reason}`);
    return { ...result, failed: result.failed + 1 };
  };
  const at = running === undefined ? '' : `, in: ${running}`;
  if (code === 'limit') return failed(`the suite did not end in its time, and was stopped${at}`);
  if (!ended) return failed(`the suite broke off (exit code ${code})${at}`);
  if (code === 'leak') return failed('something keeps the process alive after the last test');
  if (result.passed + result.failed === 0) return failed('the suite ran no test');
  if (code !== 0 && result.failed === 0) return failed(`the suite ended with exit code ${code}`);
  return result;
}

const nothing: SuiteNotes & { readonly running?: string } = {
  passed: 0,
  failed: 0,
  pending: 0,
  failures: [],
  files: {},
  ended: false,
};
