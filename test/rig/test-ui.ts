// `npm run test:ui`: the end-to-end suite alone, on a fresh package.
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { report } from './tally.ts';
import { runUiSuite } from './ui-suite.ts';

onEnd(stopEverything);
process.env['BELAY_TEST_VERBOSE'] ??= '1';
await makePackage();
report('ui', await runUiSuite((text) => void process.stdout.write(text)));
