import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from '../rig/processes.ts';

/** One import of a source file: `to` is a repository path, a package's name, `node:…` or `vscode`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** `type`: gone when the program runs; `later`: an `import()`. */
  readonly kind: 'value' | 'type' | 'later';
}

/** A node of a syntax tree. */
export interface Node {
  readonly type: string;
  /** Where it begins in the text, in characters. */
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Every source file of Belay, used by an entry or not. */
export function sourceFiles(): string[] {
  return globSync('{src,webview}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .toSorted();
}

/** Every import of all source files, types included. `inject` appends code to files, to see that a fault is found. */
export function sourceImports(inject: Readonly<Record<string, string>> = {}): Import[] {
  return sourceFiles().flatMap((file) => {
    const code = readFileSync(path.join(root, file), 'utf8');
    return importsOf(file, `${code}\n${inject[file] ?? ''}`);
  });
}

function importsOf(file: string, code: string): Import[] {
  const found: Import[] = [];
  const add = (source: unknown, kind: Import['kind']): void => {
    const name = (source as { readonly value?: unknown } | undefined)?.value;
    if (typeof name !== 'string') return;
    const near = name.startsWith('.');
    const to = near ? path.posix.join(path.posix.dirname(file), name) : name;
    found.push({ from: file, to, kind });
  };
  visit(parseSync(file, code).program, (node) => {
    if (node.type === 'ImportDeclaration') add(node.source, isOfTypes(node) ? 'type' : 'value');
    else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      add(node.source, node.exportKind === 'type' ? 'type' : 'value');
    } else if (node.type === 'ImportExpression') add(node.source, 'later');
    else if (node.type === 'TSImportType') add(node.source, 'type');
  });
  return found;
}

function isOfTypes(node: Node): boolean {
  const names = (node.specifiers ?? []) as readonly Node[];
  return (
    node.importKind === 'type' ||
    (names.length > 0 && names.every((name) => name.importKind === 'type'))
  );
}

/** Shows all nodes of a tree, each before those in it. */
export function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') see(value as Node);
    for (const field of Object.values(value)) visit(field, see);
  }
}

/** Groups of files that import each other in a circle, types included. */
export function importCircles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  // Tarjan's algorithm: what reaches back to a file that is still open belongs to its group.
  const enter = (file: string): number => {
    const mine = order.size;
    order.set(file, mine);
    lowest.set(file, mine);
    open.push(file);
    for (const to of next.get(file) ?? []) {
      const low = order.has(to) ? (open.includes(to) ? order.get(to) : undefined) : enter(to);
      lowest.set(file, Math.min(lowest.get(file) ?? mine, low ?? mine));
    }
    const low = lowest.get(file) ?? mine;
    if (low === mine) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group.toSorted());
    }
    return low;
  };
  for (const file of next.keys()) if (!order.has(file)) enter(file);
  return circles;
}

/** Source files that no entry reaches, types included. */
export function unreachedFiles(imports: readonly Import[], entries: readonly string[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const seen = new Set<string>();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...(next.get(file) ?? []));
  }
  return sourceFiles().filter((file) => !seen.has(file));
}
