import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './processes.ts';
import type { SuiteResult } from './reporter.ts';
import { runSuite, testFiles } from './suite.ts';
import type { Print } from './tally.ts';

/** A UI test starts a VS Code, so it may take its time. In ms. */
const timeout = 120_000;

/**
 * Times that a test in a window of VS Code is tried again: focus and dialogs there are VS Code's own. What fails at
 * first is printed each time; no other suite has a second attempt.
 */
const secondAttempts = 1;

const isPreview = (file: string): boolean => file.startsWith('test/ui/panel-preview/');

/**
 * Which window a file has: its own, the common one, or the one that allows everything. In this order they are run: a
 * window that is open draws all the time, and took a sixth of a processor from the others' tests.
 */
function windowOf(file: string): number {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (text.includes('useSharedPermissiveWindow(')) return 2;
  return text.includes('useSharedWindow(') ? 1 : 0;
}

/** Runs test/ui: the packaged extension in a real VS Code in a real browser. `dist/belay.vsix` must be there. */
export async function runUiSuite(
  print: Print,
  all: readonly string[] = testFiles('ui'),
): Promise<SuiteResult | null> {
  const files = all.filter((file) => !isPreview(file));
  return run(
    print,
    files.toSorted((one, other) => windowOf(one) - windowOf(other)),
    ['--retries', String(secondAttempts)],
  );
}

/** Runs test/ui/panel-preview: the panel alone in a browser. A suite of its own, so that it runs beside the other. */
export async function runPreviewSuite(
  print: Print,
  all: readonly string[] = testFiles('ui'),
): Promise<SuiteResult | null> {
  return run(print, all.filter(isPreview));
}

async function run(
  print: Print,
  files: readonly string[],
  more: readonly string[] = [],
): Promise<SuiteResult | null> {
  return runSuite('ui', print, ['--timeout', String(timeout), ...more], files);
}
