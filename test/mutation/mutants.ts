import { parseSync } from 'oxc-parser';

/** One change of a source file that some test should notice. */
export interface Mutant {
  /** Unique in a run: the number its switch asks for. */
  readonly id: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface Instrumented {
  /** The source with all its mutants inside, each behind its switch `globalThis.mutant === id`. */
  readonly code: string;
  readonly mutants: readonly Mutant[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/**
 * Makes the mutants of a TypeScript source, numbered from `firstId`; changed are expressions, calls for their effect
 * alone, and uses of the file's own number constants.
 */
export function instrument(source: string, firstId: number): Instrumented {
  const mutants: Mutant[] = [];
  const { program, errors } = parseSync('source.ts', source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const top = { ...(program as unknown as Node), start: 0, end: source.length };
  const numbers = new Set(constantsOf(top));
  const raw = (node: Node): string => source.slice(node.start, node.end);

  /** The node's text with the switches of everything inside it. */
  const inner = (node: Node): string => {
    let text = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      text += source.slice(at, child.start) + written(child);
      at = child.end;
    }
    return text + source.slice(at, node.end);
  };

  const written = (node: Node): string => {
    const after = numbers.has(raw(node)) ? `${raw(node)} + 1` : changed(node, raw);
    if (after === undefined) return inner(node);
    const id = firstId + mutants.length;
    const line = source.slice(0, node.start).split('\n').length;
    mutants.push({ id, line, before: raw(node), after });
    const own = inner(node);
    return node.type === 'ExpressionStatement'
      ? `{if(globalThis.mutant!==${id}){globalThis.reached(${id});${own}}}`
      : `(globalThis.mutant===${id}?(${after}):(globalThis.reached(${id}),${own}))`;
  };

  return { code: inner(top), mutants };
}

/** Names of the constants of a file that are a number. */
function constantsOf({ body }: Node): readonly string[] {
  return (body as readonly Node[])
    .map((one) =>
      one.type === 'ExportNamedDeclaration' ? (one['declaration'] as Node | null) : one,
    )
    .flatMap((one) => (one?.['kind'] === 'const' ? (one['declarations'] as Node[]) : []))
    .filter(({ init }) => isNode(init) && typeof init['value'] === 'number')
    .map(({ id }) => (id as Node)['name'] as string);
}

/** What a node becomes in its mutant; `undefined`: it has none. */
function changed(node: Node, raw: (node: Node) => string): string | undefined {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const swapped = SWAPPED[node['operator'] as string];
      if (swapped === undefined) return undefined;
      return `(${raw(node['left'] as Node)}) ${swapped} (${raw(node['right'] as Node)})`;
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? `!!(${raw(node['argument'] as Node)})` : undefined;
    case 'Literal':
      if (typeof node['value'] === 'boolean') return String(!node['value']);
      return typeof node['value'] === 'number' ? String(node['value'] + 1) : undefined;
    case 'ConditionalExpression':
      return `!(${raw(node['test'] as Node)}) ? (${raw(node['consequent'] as Node)}) : (${raw(node['alternate'] as Node)})`;
    case 'ExpressionStatement':
      return isCall(node['expression'] as Node) ? ';' : undefined;
    default:
      return undefined;
  }
}

const isCall = (node: Node): boolean =>
  node.type === 'AwaitExpression'
    ? isCall(node['argument'] as Node)
    : node.type === 'CallExpression' && (node['callee'] as Node).type !== 'Super';

/** Child nodes that run, in the order of the source; types, keys and import paths do not. */
function childrenOf(node: Node): readonly Node[] {
  if (/^(?:Import|ExportAll)/u.test(node.type) && node.type !== 'ImportExpression') return [];
  const children: Node[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (isName(node, field)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child) && (!child.type.startsWith('TS') || RUNS.has(child.type)))
        children.push(child);
  }
  return children.toSorted((left, right) => left.start - right.start).filter(isFirstAt);
}

/** Names that are no expression: of members, of what is declared, and `{ name }`, which is key and value. */
function isName(node: Node, field: string): boolean {
  if (field === 'key' || field === 'property') return node['computed'] !== true;
  if (field === 'value' && node['shorthand'] === true) return isPlainName(node['value']);
  return (field === 'id' || field === 'local' || field === 'exported') && isPlainName(node[field]);
}

const isPlainName = (node: unknown): boolean => isNode(node) && node.type === 'Identifier';

/** `{ name }` has one text for key and value. */
const isFirstAt = (node: Node, index: number, all: readonly Node[]): boolean =>
  index === 0 || node.start >= (all[index - 1]?.end ?? 0);

const RUNS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value;
