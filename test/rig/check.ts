// `npm run check`: what can be said about the code without running it. `npm run check -- types lint` runs those only,
// `-- --report` prints how the house stands.
import path from 'node:path';
import { describeMissing, readTranslations } from '../boundary/translations.ts';
import { capture, root } from './processes.ts';
import { report } from './report.ts';
import { sizeWarnings } from './sizes.ts';
import { hangLimit } from './suite.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const tool = (name: string): string => path.join(root, 'node_modules/.bin', name);

const steps: readonly Step[] = [
  { name: 'types', command: [tool('tsc'), '--noEmit', '--pretty', 'false'] },
  { name: 'lint', command: [tool('oxlint')] },
  { name: 'format', command: [tool('oxfmt'), '--list-different'] },
  { name: 'unused', command: [tool('knip'), '--no-progress', '--no-config-hints'] },
  // From the bundles' entries alone: what only tests use is not used. Whole files: test/boundary names what waits.
  {
    name: 'reached',
    command: [
      tool('knip'),
      '--no-progress',
      '--no-config-hints',
      '--production',
      '--include',
      'exports,types',
    ],
  },
  {
    name: 'boundaries',
    command: [
      tool('mocha'),
      '--timeout',
      String(hangLimit),
      '--reporter',
      'dot',
      '--spec',
      'test/boundary/**/*.test.ts',
    ],
  },
];

/** Runs every step, prints what is wrong, and tells whether all is well. */
export async function check(only: readonly string[] = []): Promise<boolean> {
  const queue = steps.filter(({ name }) => only.length === 0 || only.includes(name));
  const failed: string[] = [];
  const worker = async (): Promise<void> => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const started = Date.now();
      const [command, ...args] = step.command;
      const { code, output } = await capture(command, args);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${code === 0 ? '✔' : '✖'} ${step.name} (${seconds} s)`);
      if (code === 0) continue;
      failed.push(step.name);
      console.log(output.trimEnd());
      if (step.name === 'format') console.log('Run `npm run format`.');
    }
  };
  await Promise.all([worker(), worker()]);
  const warnings = await sizeWarnings();
  if (only.length === 0 || only.includes('boundaries'))
    warnings.push(...describeMissing(readTranslations()));
  for (const line of warnings) console.log(`  warning: ${line}`);
  if (failed.length > 0) console.log(`The check found faults: ${failed.join(', ')}.`);
  return failed.length === 0;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  if (args.includes('--report')) await report();
  else process.exitCode = (await check(args)) ? 0 : 1;
}
