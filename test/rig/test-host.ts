// `npm run test:host`: the host suite alone, on a fresh build.
import { buildAll } from '../../esbuild.mjs';
import { runHostSuite } from './host-suite.ts';
import { report } from './tally.ts';

process.env['BELAY_TEST_VERBOSE'] ??= '1';
await buildAll();
report(await runHostSuite());
