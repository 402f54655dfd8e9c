import type { SuiteResult } from './reporter.ts';
import { runSuite } from './suite.ts';
import type { Print } from './tally.ts';

/** A UI test starts a VS Code, so it may take its time. In ms. */
const timeout = 120_000;

/** Runs test/ui: the packaged extension in a real VS Code in a real browser. `dist/belay.vsix` must be there. */
export function runUiSuite(print: Print): Promise<SuiteResult | null> {
  return runSuite('ui', print, ['--timeout', String(timeout)]);
}
