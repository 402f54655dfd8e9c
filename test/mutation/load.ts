// Imported before everything else, in the main thread and in each worker: loads the files that are mutated with all
// their mutants inside. Which one holds is `globalThis.mutant`; a worker gets it with its environment.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { instrument } from './mutants.ts';

declare global {
  var mutant: number;
  var reached: (id: number) => unknown;
}

/** File → number of its first mutant. */
const files = new Map(
  Object.entries(JSON.parse(process.env['BELAY_MUTATED'] ?? '{}') as Record<string, number>),
);

globalThis.mutant = Number(process.env['BELAY_MUTANT'] ?? -1);
globalThis.reached = () => undefined;

registerHooks({
  load(url, context, nextLoad) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : '';
    const first = files.get(file);
    if (first === undefined) return nextLoad(url, context);
    const { code } = instrument(readFileSync(file, 'utf8'), first);
    return { format: 'module-typescript', source: code, shortCircuit: true };
  },
});
