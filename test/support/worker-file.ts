import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { root } from '../rig/processes.ts';

const folder = path.join(root, 'node_modules/.cache/belay-tests/workers');
const made = new Map<string, URL>();

/**
 * The file of a worker's thread, by its source below `src`: bundled, because each engine of a test starts two of them, and
 * a thread that loads its sources one by one takes five times the processor time (410 ms, 90 as one file). With mutants
 * it is made of the copy of the sources that has them.
 */
export function workerFile(source: string): URL {
  const file = path.join(process.env['BELAY_MUTATED'] ?? root, 'src', source);
  const known = made.get(source) ?? bundled(file);
  made.set(source, known);
  return known;
}

/** Named by its content, so that processes that run side by side share it and none reads half of one. */
function bundled(file: string): URL {
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    packages: 'external',
    write: false,
    logLevel: 'error',
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const place = path.join(folder, `${path.basename(file, '.ts')}-${hash}.mjs`);
  if (!existsSync(place)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${place}.${process.pid}`;
    writeFileSync(unfinished, text);
    renameSync(unfinished, place);
  }
  return pathToFileURL(place);
}
