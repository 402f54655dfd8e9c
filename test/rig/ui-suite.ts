import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './processes.ts';
import type { SuiteResult } from './reporter.ts';
import { runSuite, testFiles } from './suite.ts';
import type { Print } from './tally.ts';

/**
 * Milliseconds after which a UI test hangs. It measures nothing: a start of VS Code took two minutes where others had work
 * on both processors, and some tests start it twice.
 */
const timeout = 480_000;

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
  );
}

/** Runs test/ui/panel-preview: the panel alone in a browser. A suite of its own, so that it runs beside the other. */
export async function runPreviewSuite(
  print: Print,
  all: readonly string[] = testFiles('ui'),
): Promise<SuiteResult | null> {
  return run(print, all.filter(isPreview));
}

async function run(print: Print, files: readonly string[]): Promise<SuiteResult | null> {
  return runSuite('ui', print, ['--timeout', String(timeout)], files);
}
