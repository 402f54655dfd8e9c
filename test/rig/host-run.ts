import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import ResultReporter from './reporter.ts';

/**
 * Runs in the extension host: loads the tests under mocha's globals and rejects when one failed.
 * The console there is VS Code's and mixed with its own lines, so mocha prints to the file BELAY_TEST_OUTPUT if set.
 */
export async function runInHost(load: () => Promise<void>): Promise<void> {
  const output = process.env['BELAY_TEST_OUTPUT'];
  if (output !== undefined) {
    Mocha.reporters.Base.consoleLog = (...args: unknown[]) =>
      appendFileSync(output, `${format(...args)}\n`);
  }
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, retries: 2, reporter: ResultReporter });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  try {
    await load();
  } catch (error) {
    Mocha.reporters.Base.consoleLog('  ✖ the tests could not be loaded:', error);
    throw error;
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed`);
}
