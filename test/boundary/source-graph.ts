import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Metafile, Plugin } from 'esbuild';
import { root } from '../rig/processes.ts';

/** Every source file of Belay, used by an entry or not. */
export function sourceFiles(): string[] {
  return globSync('{src,webview}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .toSorted();
}

/**
 * The graph of all source files, as the bundler sees it: each one is an entry, so that nothing escapes by not being
 * imported. `inject` appends code to files, to see that a fault is found; then only they and what they import count.
 */
export async function sourceGraph(
  inject: Readonly<Record<string, string>> = {},
): Promise<Metafile> {
  const injected = Object.keys(inject);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: injected.length > 0 ? injected : sourceFiles(),
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    external: ['node:*', 'vscode'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.css': 'empty', '.ttf': 'empty', '.svg': 'empty' },
    outdir: 'dist',
    logLevel: 'silent',
    plugins: [injecting(inject)],
  });
  return metafile;
}

function injecting(inject: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'inject',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
        const added = inject[path.relative(root, file).replaceAll('\\', '/')];
        if (added === undefined) return undefined;
        const contents = `${await readFile(file, 'utf8')}\n${added}`;
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}
