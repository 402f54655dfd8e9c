// `npm run test:ui`: the end-to-end suite alone, or these files of it, on a fresh package.
import { makePackage } from './package.ts';
import { onEnd, stopEverything } from './processes.ts';
import { report } from './tally.ts';
import { testFiles } from './suite.ts';
import { runPreviewSuite, runUiSuite } from './ui-suite.ts';

onEnd(stopEverything);
process.env['BELAY_TEST_VERBOSE'] ??= '1';
await makePackage();
const print = (text: string): void => void process.stdout.write(text);
const named = process.argv.slice(2);
const files = named.length === 0 ? testFiles('ui') : named;
const isPreview = (file: string): boolean => file.includes('panel-preview');
if (!files.every(isPreview)) report('ui', await runUiSuite(print, files));
if (files.some(isPreview)) report('panel-preview', await runPreviewSuite(print, files));
