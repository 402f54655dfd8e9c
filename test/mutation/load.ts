// Imported before everything else, in the main thread, in each worker and in each process that a test starts: loads
// `src` from the copy that has all mutants inside. Which one holds is `globalThis.mutant`; workers and processes get
// it with their environment, and tell what they reach.
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEnvironmentData } from 'node:worker_threads';

declare global {
  var mutant: number;
  var reached: (id: number) => unknown;
}

/** Folder with the copy of `src`, and the one it is a copy of. */
const copy = process.env['BELAY_MUTATED'] ?? '';
const source = path.join(process.env['BELAY_MUTATED_ROOT'] ?? '', 'src') + path.sep;

globalThis.mutant = Number(process.env['BELAY_MUTANT'] ?? -1);
globalThis.reached = told();

registerHooks({
  load(url, context, nextLoad) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!file.startsWith(source) || !file.endsWith('.ts')) return nextLoad(url, context);
    const code = readFileSync(path.join(copy, 'src', file.slice(source.length)), 'utf8');
    return { format: 'module-typescript', source: code, shortCircuit: true };
  },
});

/** How the process with the tests hears of what is reached here; it has a way of its own. */
function told(): (id: number) => unknown {
  const shared: unknown = getEnvironmentData('belay.reached');
  if (shared instanceof SharedArrayBuffer) {
    const flags = new Uint8Array(shared);
    return (id) => (flags[id] = 1);
  }
  const file = process.env['BELAY_REACHED'];
  if (file === undefined) return () => undefined;
  const known = new Set<number>();
  return (id) => {
    if (known.has(id)) return;
    known.add(id);
    try {
      appendFileSync(file, `${id}\n`);
    } catch {
      // the tests are over, or it runs as somebody who may not write there
    }
  };
}
