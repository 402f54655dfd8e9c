// `npm test`: everything, in one go; the last line is `N passed, N failed`.
//   --verbose   names every test, with its milliseconds
//   BELAY_TURN  which sixth of the long files is run: 1 to 6, or all; that of the commit when absent (see turns.ts)
//   --lanes N   how many suites run side by side; 2 where there are processors for it
import os from 'node:os';
import { parseArgs } from 'node:util';
import { check } from './check.ts';
import { runHostSuite } from './host-suite.ts';
import { sideBySide } from './lanes.ts';
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { setUp } from './setup.ts';
import { nodeSuites, runSuite, testFiles } from './suite.ts';
import { Tally } from './tally.ts';
import type { Print } from './tally.ts';
import { chooseTurn, left, ofTurn, TURNS } from './turns.ts';
import { runPreviewSuite, runUiSuite } from './ui-suite.ts';

const { values: options } = parseArgs({
  options: {
    verbose: { type: 'boolean', default: false },
    lanes: { type: 'string', default: String(Math.min(2, os.availableParallelism())) },
  },
});
if (options.verbose) process.env['BELAY_TEST_VERBOSE'] = '1';

/**
 * A short one that loads the engine, so that the others find it compiled; then those that take a minute or more, the
 * longest first, so that none of them is left alone at the end.
 */
const first = ['faults'];
const long = ['unit', 'security', 'scenario', 'contract', 'chaos', 'mcp'];
/** Part of the check, which ran before. */
const checked = ['boundary'];
const others = nodeSuites().filter((suite) => ![...first, ...checked].includes(suite));
const place = (suite: string): number => (long.includes(suite) ? long.indexOf(suite) : long.length);
const inOrder = others.toSorted((one, other) => place(one) - place(other));

const turn = chooseTurn();
if (turn !== 'all')
  console.log(
    `Turn ${turn} of ${TURNS}: ${left(turn)} long test files wait for another one. The same again: BELAY_TURN=${turn} npm test; all of them: BELAY_TURN=all npm test`,
  );
const tally = new Tally();
let isOver = false;
onEnd(async (reason) => {
  isOver = true;
  tally.close(`ended early: ${reason}`);
  await stopEverything();
});

await tally.job('set-up', setUp);
await tally.job('check', () => check());
await tally.job('package', makePackage); // before the suites: some run the bundles
type Suite = readonly [name: string, run: (print: Print) => ReturnType<typeof runSuite>];
const filesOf = (name: string): readonly string[] => ofTurn(testFiles(name), turn);
const onNode = (name: string): Suite => [
  name,
  (print) => runSuite(name, print, ['--forbid-only'], filesOf(name)),
];
const suites: readonly Suite[] = [
  ...first.map(onNode),
  ['ui', (print) => runUiSuite(print, filesOf('ui'))],
  ['host', (print) => runHostSuite(print, filesOf('host'))],
  ['panel-preview', (print) => runPreviewSuite(print, filesOf('ui'))],
  ...inOrder.map(onNode),
];
await sideBySide(
  suites.map(
    ([name, run]) =>
      () =>
        tally.suite(name, run),
  ),
  Math.max(1, Number(options.lanes)),
  () => isOver,
);
tally.close();
