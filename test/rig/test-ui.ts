// `npm run test:ui`: the end-to-end suite alone, on a fresh package.
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { report } from './tally.ts';
import { runPreviewSuite, runUiSuite } from './ui-suite.ts';

onEnd(stopEverything);
process.env['BELAY_TEST_VERBOSE'] ??= '1';
await makePackage();
const print = (text: string): void => void process.stdout.write(text);
report('ui', await runUiSuite(print));
report('panel-preview', await runPreviewSuite(print));
