// `npm run test:host`: the host suite alone, on a fresh build.
import { buildAll } from '../../esbuild.mjs';
import { runHostSuite } from './host-suite.ts';
import { onEnd, stopEverything } from './processes.ts';
import { report } from './tally.ts';

onEnd(stopEverything);
process.env['BELAY_TEST_VERBOSE'] ??= '1';
await buildAll();
report('host', await runHostSuite((text) => void process.stdout.write(text)));
