import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import ResultReporter from './reporter.ts';

/** Test files by their names, relative to the repository, each with what loads it. */
export type HostTests = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs in the extension host: loads the tests under mocha's globals and rejects when one failed.
 * The console there is VS Code's and mixed with its own lines, so mocha prints to the file BELAY_TEST_OUTPUT if set.
 */
export async function runInHost(tests: HostTests): Promise<void> {
  const output = process.env['BELAY_TEST_OUTPUT'];
  if (output !== undefined) {
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) =>
      appendFileSync(output, `${format(...args)}\n`);
  }
  // Longer than any wait in a test, which says what it waited for.
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    reporter: ResultReporter,
  });
  try {
    for (const [file, load] of Object.entries(tests)) {
      mocha.suite.emit('pre-require', globalThis, file, mocha);
      await load();
    }
  } catch (error) {
    Mocha.reporters.Base.consoleLog('  ✖ the tests could not be loaded:', error);
    throw error;
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed`);
}
