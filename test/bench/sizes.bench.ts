import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildAll } from '../../esbuild.mjs';
import { loadedAtStart } from '../rig/loaded-at-start.ts';
import { root } from '../rig/processes.ts';

/** What each entry loads at its start, then the sizes of the production bundles, the largest first. */
export async function run(): Promise<Readonly<Record<string, string | number>>[]> {
  await buildAll({ production: true });
  const dist = path.join(root, 'dist');
  const names = (await readdir(dist)).filter((name) => /\.(cjs|js|css|ttf)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(path.join(dist, name)) })),
  );
  const starts = (await loadedAtStart()).map(({ entry, bytes, limit }) => ({
    bundle: `at start: ${entry}${limit === undefined ? '' : ` (limit ${kilobytes(limit)})`}`,
    kB: kilobytes(bytes),
    'kB packed': '',
  }));
  const bundles = files
    .toSorted((a, b) => b.bytes.length - a.bytes.length)
    .map(({ name, bytes }) => ({
      bundle: name,
      kB: kilobytes(bytes.length),
      'kB packed': kilobytes(gzipSync(bytes).length),
    }));
  return [...starts, ...bundles];
}

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;
