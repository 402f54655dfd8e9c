import type { SuiteResult } from './reporter.ts';
import { runSuite, testFiles } from './suite.ts';
import type { Print } from './tally.ts';

/** A UI test starts a VS Code, so it may take its time. In ms. */
const timeout = 120_000;

const isPreview = (file: string): boolean => file.startsWith('test/ui/panel-preview/');

/** Runs test/ui: the packaged extension in a real VS Code in a real browser. `dist/belay.vsix` must be there. */
export async function runUiSuite(print: Print): Promise<SuiteResult | null> {
  return run(
    print,
    testFiles('ui').filter((file) => !isPreview(file)),
  );
}

/** Runs test/ui/panel-preview: the panel alone in a browser. A suite of its own, so that it runs beside the other. */
export async function runPreviewSuite(print: Print): Promise<SuiteResult | null> {
  return run(print, testFiles('ui').filter(isPreview));
}

async function run(print: Print, files: readonly string[]): Promise<SuiteResult | null> {
  return runSuite('ui', print, ['--timeout', String(timeout)], files);
}
