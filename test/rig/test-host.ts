// `npm run test:host`: the host suite alone, or these files of it, on a fresh build.
import { buildAll } from '../../esbuild.mjs';
import { runHostSuite } from './host-suite.ts';
import { onEnd, stopEverything } from './processes.ts';
import { report } from './tally.ts';

onEnd(stopEverything);
process.env['BELAY_TEST_VERBOSE'] ??= '1';
await buildAll();
const files = process.argv.slice(2);
const print = (text: string): void => void process.stdout.write(text);
report('host', await (files.length === 0 ? runHostSuite(print) : runHostSuite(print, files)));
