import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildAll } from '../../esbuild.mjs';
import { root } from '../rig/processes.ts';

/** Sizes of the production bundles, the largest first. */
export async function run(): Promise<Readonly<Record<string, string | number>>[]> {
  await buildAll({ production: true });
  const dist = path.join(root, 'dist');
  const names = (await readdir(dist)).filter((name) => /\.(cjs|js|css|ttf)$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(path.join(dist, name)) })),
  );
  return files
    .toSorted((a, b) => b.bytes.length - a.bytes.length)
    .map(({ name, bytes }) => ({
      bundle: name,
      kB: kilobytes(bytes.length),
      'kB packed': kilobytes(gzipSync(bytes).length),
    }));
}

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;
