// `npm run test:ui`: the end-to-end suite alone, on a fresh package.
import { makePackage } from './package.ts';
import { report } from './tally.ts';
import { runUiSuite } from './ui-suite.ts';

process.env['BELAY_TEST_VERBOSE'] ??= '1';
await makePackage();
report(await runUiSuite());
