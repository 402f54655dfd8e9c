import { ended } from '../../../domain/lifetime/ended.ts';
import { type Engine, openEngine } from '../../engine.ts';
import { type Given, hostArguments } from '../../../hosts/node/headless/arguments.ts';
import { printedProblem } from '../../../hosts/node/headless/printed.ts';
import { EXIT } from '../../../hosts/node/headless/run-headless.ts';
import { type HeadlessHost, oneLine, openHost } from '../headless-host.ts';
import { printProblems } from '../print-problems.ts';
import type { Program } from './command.ts';

/** Does something with an engine that runs nothing. A failure is one sentence and exit code 1. */
export async function withEngine(
  given: Given,
  program: Program,
  work: (engine: Engine, host: HeadlessHost) => Promise<void>,
): Promise<number> {
  const host = openHost(hostArguments(given), program, { reviewed: true });
  let engine: Engine | undefined;
  try {
    engine = await openEngine(host.engine);
    printProblems(engine);
    await work(engine, host);
    return EXIT.done;
  } catch (error) {
    process.stderr.write(`${printedProblem(oneLine(error))}\n`);
    return EXIT.error;
  } finally {
    await ended(
      async () => engine?.dispose(),
      async () => host.dispose(),
    );
  }
}
