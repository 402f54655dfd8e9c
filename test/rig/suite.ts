import { globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessTree, root } from './processes.ts';
import type { SuiteResult } from './reporter.ts';

/** Time a suite has to end after its last test; what still runs then is a leak, and a failure. */
const patienceAfterEnd = 10_000;

/** Longest time of one suite: a stuck one must not hold up the others for ever. */
const suiteLimit = 20 * 60_000;

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

/** Runs one folder of tests with mocha in a process of its own. A suite without test files is `null`. */
export async function runSuite(
  suite: string,
  mochaArgs: readonly string[] = [],
): Promise<SuiteResult | null> {
  const files = testFiles(suite);
  if (files.length === 0) return null;
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  return withResults((env) => {
    const args = [
      mocha,
      '--reporter',
      './test/rig/reporter.ts',
      // A shared machine stalls now and then; what is broken fails three times.
      '--retries',
      '2',
      ...mochaArgs,
      ...files.flatMap((file) => ['--spec', file]),
    ];
    return new ProcessTree(process.execPath, args, {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  });
}

/** Starts a process that leaves its result in the file named by BELAY_TEST_RESULTS, and reads it. */
async function withResults(start: (env: NodeJS.ProcessEnv) => ProcessTree): Promise<SuiteResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-results-'));
  const file = path.join(folder, 'results.json');
  const tree = start({ ...process.env, BELAY_TEST_RESULTS: file });
  const ended = new Promise<number>((resolve) => {
    tree.child.once('exit', (code) => resolve(code ?? 1));
    tree.child.once('error', () => resolve(1));
  });
  try {
    const code = await Promise.race([ended, leak(file)]);
    return judge(readResult(file), code);
  } finally {
    await tree.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves when a suite has reported and yet does not end, or takes too long. */
async function leak(file: string): Promise<'leak' | 'limit'> {
  const deadline = Date.now() + suiteLimit;
  while (Date.now() < deadline) {
    await delay(500, undefined, { ref: false });
    if (readResult(file) !== undefined) {
      await delay(patienceAfterEnd, undefined, { ref: false });
      return 'leak';
    }
  }
  return 'limit';
}

function readResult(file: string): SuiteResult | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SuiteResult;
  } catch {
    return undefined;
  }
}

/** Counts as failed: a suite that did not report, ran nothing, ended badly without a failed test, or did not end. */
export function judge(
  result: SuiteResult | undefined,
  code: number | 'leak' | 'limit',
  say: (line: string) => void = console.error,
): SuiteResult {
  const failed = (reason: string, given: SuiteResult = { passed: 0, failed: 0, pending: 0 }) => {
    say(`  ✖ ${reason}`);
    return { ...given, failed: given.failed + 1 };
  };
  if (code === 'limit')
    return failed(`the suite did not end within ${suiteLimit / 60_000} minutes`);
  if (result === undefined) return failed(`the suite broke off (exit code ${code})`);
  if (code === 'leak')
    return failed('something keeps the process alive after the last test', result);
  if (result.passed + result.failed === 0) return failed('the suite ran no test', result);
  if (code !== 0 && result.failed === 0)
    return failed(`the suite ended with exit code ${code}`, result);
  return result;
}
