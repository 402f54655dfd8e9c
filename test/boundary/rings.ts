import type { Metafile } from 'esbuild';

/** One import, as the bundler resolved it: repository paths, a package's name, `node:…` or `vscode`. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The rings of src/ and webview/, from the most specific path to the least. */
const rings = [
  ['headless', 'src/headless.ts'],
  ['hosts/node', 'src/hosts/node/'],
  ['hosts/vscode', 'src/hosts/vscode/'],
  ['domain', 'src/domain/'],
  ['core', 'src/core/'],
  ['protocol', 'src/protocol/'],
  ['providers', 'src/providers/'],
  ['tools', 'src/tools/'],
  ['mcp', 'src/mcp/'],
  ['store', 'src/store/'],
  ['telemetry', 'src/telemetry/'],
  ['compose', 'src/compose/engine.ts'],
  ['compose', 'src/compose/egress.ts'],
  ['compose', 'src/compose/changes.ts'],
  ['compose', 'src/compose/restore.ts'],
  ['compose', 'src/compose/review.ts'],
  ['compose', 'src/compose/commands.ts'],
  ['compose', 'src/compose/permissions.ts'],
  ['compose', 'src/compose/run.ts'],
  ['compose', 'src/compose/tools.ts'],
  ['compose', 'src/compose/engine-host.ts'],
  ['compose-window', 'src/compose/vscode/terminal.ts'],
  ['compose-window', 'src/compose/vscode/window.ts'],
  ['extension', 'src/extension.ts'],
  ['webview', 'webview/'],
] as const;

type Ring = (typeof rings)[number][0];

const middle: readonly Ring[] = ['providers', 'tools', 'mcp', 'store', 'telemetry'];
const below: readonly Ring[] = ['domain', 'core', ...middle];

/** Which rings a ring may import besides itself. Siblings in the middle never import each other. */
const allowed: Readonly<Record<Ring, readonly Ring[]>> = {
  domain: [],
  core: ['domain'],
  protocol: ['domain'],
  providers: ['domain', 'core'],
  tools: ['domain', 'core'],
  mcp: ['domain', 'core'],
  store: ['domain', 'core'],
  telemetry: ['domain', 'core'],
  'hosts/node': below,
  'hosts/vscode': [...below, 'protocol'],
  compose: below,
  'compose-window': [...below, 'protocol', 'hosts/node', 'hosts/vscode', 'compose'],
  headless: [...below, 'hosts/node', 'compose'],
  extension: ['compose-window', 'hosts/vscode'],
  webview: ['domain', 'protocol'],
};

/** Rings that run where there is no Node, or must not know of it. */
const withoutNode: readonly Ring[] = ['domain', 'core', 'protocol', 'webview'];

/** The ring a repository path belongs to; packages and Node's modules belong to none. */
export function ringOf(file: string): Ring | undefined {
  return rings.find(
    ([, path]) => file === path || (path.endsWith('/') && file.startsWith(path)),
  )?.[0];
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
  const ring = ringOf(from);
  if (ring === undefined) return `${from} belongs to no ring`;
  if (to === 'vscode') {
    return ring === 'hosts/vscode' ? undefined : 'only src/hosts/vscode may import vscode';
  }
  if (to.startsWith('node:')) {
    return withoutNode.includes(ring) ? `${ring} must not need Node` : undefined;
  }
  if (!isOwn(to)) return ring === 'domain' ? 'the domain imports nothing' : undefined;
  const target = ringOf(to);
  if (target === undefined) return `${to} belongs to no ring`;
  if (target === ring || allowed[ring].includes(target)) return undefined;
  return `${ring} may not import ${target}`;
}
