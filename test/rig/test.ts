// `npm test`: everything, in one go; the last line is `N passed, N failed`.
import { check } from './check.ts';
import { runHostSuite } from './host-suite.ts';
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { setUp } from './setup.ts';
import { nodeSuites, runSuite } from './suite.ts';
import { Tally } from './tally.ts';
import { runUiSuite } from './ui-suite.ts';

onEnd(stopEverything);
if (process.argv.includes('--verbose')) process.env['BELAY_TEST_VERBOSE'] = '1';

const tally = new Tally();
await tally.job('set-up', setUp);
await tally.job('check', () => check());
await tally.job('package', makePackage); // before the suites: some run the bundles
for (const suite of nodeSuites())
  await tally.suite(suite, () => runSuite(suite, ['--forbid-only']));
await tally.suite('host', runHostSuite);
await tally.suite('ui', runUiSuite);
tally.close();
