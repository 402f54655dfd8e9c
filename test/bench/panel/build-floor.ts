import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

const source = path.join(import.meta.dirname, 'floor');

/** Builds the floor's extension into a folder. */
export async function buildFloor(folder: string): Promise<void> {
  const common = { bundle: true, minify: true, outdir: folder, logLevel: 'warning' } as const;
  await esbuild.build({
    ...common,
    entryPoints: [path.join(source, 'extension.ts')],
    platform: 'node',
    external: ['vscode'],
    outExtension: { '.js': '.cjs' },
  });
  await esbuild.build({ ...common, entryPoints: [path.join(source, 'page.ts')] });
  await copyFile(path.join(source, 'package.json'), path.join(folder, 'package.json'));
}
