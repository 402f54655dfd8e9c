import { printedProblem } from '../../hosts/node/headless/printed.ts';
import type { Engine } from '../engine.ts';

/** Prints to standard error what is wrong with the record: what an opening has found or mended, and what comes later. */
export function printProblems({ store }: Pick<Engine, 'store'>): void {
  const tell = ({ message }: { readonly message: string }): void => {
    process.stderr.write(`${printedProblem(message)}\n`);
  };
  store.problems.forEach(tell);
  store.onProblem(tell);
}
