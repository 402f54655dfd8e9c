import type { Metafile } from 'esbuild';
import { bundleGraphs } from '../../esbuild.mjs';

/** What one entry reads before it does anything. */
export interface StartSize {
  readonly entry: string;
  /** Bytes of the minified bundles, before any packing. */
  readonly bytes: number;
  /** The most that is allowed, in bytes; absent: there is no limit. */
  readonly limit?: number;
  /** Bytes by room or package, the largest first. */
  readonly parts: readonly (readonly [part: string, bytes: number])[];
}

/** Bytes that VS Code may load of the host, and the browser of the panel, until the panel is shown. */
const HOST_LIMIT = 352_000;
const PANEL_LIMIT = 304_000;

/** What each entry loads at its start: its bundle and all that it imports other than by `import()`. */
export async function loadedAtStart(): Promise<readonly StartSize[]> {
  const { host, panel } = await bundleGraphs();
  const window = outputOf(host, 'src/compose/vscode/window.ts');
  return [
    sizeOf(host, 'extension, before anything is asked of it', ['dist/extension.cjs']),
    {
      ...sizeOf(host, 'extension, to show the panel', ['dist/extension.cjs', window]),
      limit: HOST_LIMIT,
    },
    sizeOf(host, 'extension, with what is loaded behind the panel', [
      'dist/extension.cjs',
      window,
      outputOf(host, 'src/compose/vscode/rest.ts'),
    ]),
    { ...sizeOf(panel, 'panel', ['dist/panel.js']), limit: PANEL_LIMIT },
    sizeOf(host, 'headless', ['dist/headless.cjs']),
    sizeOf(host, 'store worker', ['dist/store-worker.cjs']),
    sizeOf(host, 'snapshot worker', ['dist/snapshot-worker.cjs']),
  ];
}

function outputOf(graph: Metafile, source: string): string {
  const found = Object.entries(graph.outputs).find(([, { entryPoint, inputs }]) =>
    entryPoint === undefined ? Object.hasOwn(inputs, source) : entryPoint === source,
  );
  if (found === undefined) throw new Error(`${source} is in no bundle.`);
  return found[0];
}

function sizeOf(graph: Metafile, entry: string, starts: readonly string[]): StartSize {
  const loaded = new Set<string>();
  const queue = [...starts];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    for (const { kind, path, external } of graph.outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) queue.push(path);
  }
  const parts = new Map<string, number>();
  let bytes = 0;
  for (const name of loaded) {
    const output = graph.outputs[name];
    bytes += output?.bytes ?? 0;
    for (const [input, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
      const part = input
        .split('/')
        .slice(0, input.startsWith('src/') ? 3 : 2)
        .join('/');
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
    }
  }
  return { entry, bytes, parts: [...parts].toSorted((a, b) => b[1] - a[1]) };
}
