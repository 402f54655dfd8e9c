// `npm test`: everything, in one go; the last line is `N passed, N failed`.
//   --verbose   names every test, with its milliseconds
//   --lanes N   how many suites run side by side; 2 where there are processors for it
import os from 'node:os';
import { parseArgs } from 'node:util';
import { check } from './check.ts';
import { runHostSuite } from './host-suite.ts';
import { sideBySide } from './lanes.ts';
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { setUp } from './setup.ts';
import { nodeSuites, runSuite } from './suite.ts';
import { Tally } from './tally.ts';
import type { Print } from './tally.ts';
import { runPreviewSuite, runUiSuite } from './ui-suite.ts';

const { values: options } = parseArgs({
  options: {
    verbose: { type: 'boolean', default: false },
    lanes: { type: 'string', default: String(Math.min(2, os.availableParallelism())) },
  },
});
if (options.verbose) process.env['BELAY_TEST_VERBOSE'] = '1';

/** Suites that take a minute or more: they begin first, so that none of them is left alone at the end. */
const long = ['scenario', 'unit', 'chaos', 'contract'];
const inOrder = nodeSuites().toSorted(
  (one, other) => Number(long.includes(other)) - Number(long.includes(one)),
);

const tally = new Tally();
onEnd(async (reason) => {
  tally.close(`ended early: ${reason}`);
  await stopEverything();
});

await tally.job('set-up', setUp);
await tally.job('check', () => check());
await tally.job('package', makePackage); // before the suites: some run the bundles
const suites: readonly (readonly [string, (print: Print) => ReturnType<typeof runSuite>])[] = [
  ['ui', runUiSuite],
  ['host', runHostSuite],
  ['panel-preview', runPreviewSuite],
  ...inOrder.map(
    (suite) => [suite, (print: Print) => runSuite(suite, print, ['--forbid-only'])] as const,
  ),
];
await sideBySide(
  suites.map(
    ([name, run]) =>
      () =>
        tally.suite(name, run),
  ),
  Math.max(1, Number(options.lanes)),
);
tally.close();
