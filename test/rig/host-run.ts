import Mocha from 'mocha';
import ResultReporter from './reporter.ts';

/** Runs in the extension host: loads the tests under mocha's globals and rejects when one failed. */
export async function runInHost(load: () => Promise<void>): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: ResultReporter });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await load();
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} host tests failed`);
}
