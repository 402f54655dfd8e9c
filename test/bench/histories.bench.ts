// Random histories of a new seed, many of each: the property tests and the ones that make up paths and command lines.
// `npm test` always runs the same few.
import { globSync } from 'node:fs';
import path from 'node:path';
import { root, run as runProgram } from '../rig/processes.ts';

/** The test files that this runs, each in a process of its own. */
const FILES = [
  'test/property/**/*.test.ts',
  'test/security/{path-fuzz,shell-fuzz,visible-command,allowed-lines}.test.ts',
];

/**
 * Runs each test file with a new seed (or `BELAY_SEED`) and 20 times the usual number of random cases (or
 * `BELAY_RUNS_FACTOR`). What fails is printed with the path of the failed case. The exit code is 1 if a file fails.
 */
export async function run(): Promise<readonly Readonly<Record<string, string | number>>[]> {
  const seed = process.env['BELAY_SEED'] ?? String(Date.now() % 2 ** 31);
  const factor = process.env['BELAY_RUNS_FACTOR'] ?? '20';
  console.log(`BELAY_SEED=${seed} BELAY_RUNS_FACTOR=${factor}`);
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const rows: Record<string, string | number>[] = [];
  for (const file of FILES.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted())) {
    const started = performance.now();
    // Files that set no limit of their own have as much time as they need.
    const args = [mocha, '--exit', '--timeout', '0', '--reporter', 'dot', '--spec', file];
    const env = { ...process.env, BELAY_SEED: seed, BELAY_RUNS_FACTOR: factor };
    const code = await runProgram(process.execPath, args, { env });
    if (code !== 0) {
      process.exitCode = 1;
      console.log(`Failed: BELAY_SEED=${seed} BELAY_RUNS_FACTOR=${factor} npx mocha ${file}`);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    rows.push({ file, result: code === 0 ? 'passed' : 'failed', seconds });
  }
  return rows;
}
