import type { Metafile } from 'esbuild';

/** One import: repository paths, a package's name, `node:…` or `vscode`. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

const middle = ['providers', 'tools', 'mcp', 'store', 'telemetry'] as const;
const engine = ['domain', 'core', ...middle] as const;

/**
 * The rings of src/ and webview/, by folder, from the most specific to the least, and which others each may
 * import. Siblings in the middle never import each other.
 */
const RINGS: Readonly<Record<string, readonly string[]>> = {
  'src/compose/vscode': [
    ...engine,
    'protocol',
    'window',
    'panel',
    'manifest',
    'hosts/node',
    'hosts/vscode',
    'compose',
    'compose/node',
  ],
  'src/compose/node': [...engine, 'hosts/node', 'compose'],
  'src/compose': engine,
  'src/hosts/vscode': [...engine, 'protocol', 'window', 'panel', 'manifest'],
  'src/hosts/node': engine,
  'src/panel': [...engine, 'protocol', 'window'],
  'src/window': engine,
  'src/manifest': engine,
  'src/providers': ['domain', 'core'],
  'src/tools': ['domain', 'core'],
  'src/mcp': ['domain', 'core'],
  'src/store': ['domain', 'core'],
  'src/telemetry': ['domain', 'core'],
  'src/protocol': ['domain'],
  'src/core': ['domain'],
  'src/domain': [],
  webview: ['domain', 'protocol'],
  'src/extension.ts': ['compose/vscode', 'hosts/vscode'],
  'src/headless.ts': [...engine, 'hosts/node', 'compose', 'compose/node'],
};

/** Rings that run where there is no Node, or must not know of it. */
const WITHOUT_NODE = ['domain', 'core', 'protocol', 'webview'];

/** Name of the ring that a repository path belongs to; packages and Node's modules belong to none. */
export function ringOf(file: string): string | undefined {
  return folderOf(file)?.replace(/^src\//, '');
}

function folderOf(file: string): string | undefined {
  return Object.keys(RINGS).find((folder) => file === folder || file.startsWith(`${folder}/`));
}

/** Every import in a metafile whose importer is Belay's own source. */
export function edgesOf(metafile: Metafile): Edge[] {
  return Object.entries(metafile.inputs)
    .filter(([from]) => isOwn(from))
    .flatMap(([from, input]) => input.imports.map(({ path }) => ({ from, to: path })));
}

/** Whether a path of a metafile is a source file of Belay (and not a package's, nor one the bundler made). */
export function isOwn(file: string): boolean {
  return /^(src|webview)\//.test(file);
}

/** A sentence for each import that goes against the direction. */
export function violations(edges: readonly Edge[]): string[] {
  return edges.flatMap(({ from, to }) => {
    const why = fault(from, to);
    return why === undefined ? [] : [`${from} imports ${to}: ${why}`];
  });
}

function fault(from: string, to: string): string | undefined {
  const folder = folderOf(from);
  const ring = ringOf(from);
  if (folder === undefined || ring === undefined) return `${from} belongs to no ring`;
  if (to === 'vscode') {
    return ring === 'hosts/vscode' || from === 'src/extension.ts'
      ? undefined
      : 'only src/hosts/vscode may import vscode';
  }
  if (to.startsWith('node:')) {
    return WITHOUT_NODE.includes(ring) ? `${ring} must not need Node` : undefined;
  }
  // The words of a person's language are everywhere the same small library.
  if (to === '@vscode/l10n' || to.startsWith('node_modules/@vscode/l10n/')) return undefined;
  if (!isOwn(to)) return ring === 'domain' ? 'the domain imports nothing' : undefined;
  const target = ringOf(to);
  if (target === undefined) return `${to} belongs to no ring`;
  if (target === ring || RINGS[folder]?.includes(target) === true) return undefined;
  return `${ring} may not import ${target}`;
}
