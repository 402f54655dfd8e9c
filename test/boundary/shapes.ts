import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from '../rig/processes.ts';
import { sourceFiles } from './source-graph.ts';

/** Interfaces that only carry things from one place to another, by their names. */
const BAG = /(?:Parts|Services|Sources|Ports|Kit|Host|Core|Options)$/u;

/** A class, interface or object type of the source. */
interface Declared {
  readonly name: string;
  readonly file: string;
  readonly isClass: boolean;
  /** Its own; of a class the public ones. */
  readonly members: readonly string[];
  /** The names that it extends, with the members that are taken of each; `undefined`: all. */
  readonly bases: readonly (readonly [name: string, only: readonly string[] | undefined])[];
}

export interface Shape {
  readonly name: string;
  /** The file that declares it; a folder has none. */
  readonly file?: string;
  /** Members, or files. */
  readonly count: number;
}

/** All folders of the source with the files that lie in them, those in folders inside not counted. */
export function rooms(): readonly Shape[] {
  const folders = Map.groupBy(sourceFiles(), (file) => path.posix.dirname(file));
  return [...folders].map(([name, files]) => ({ name, count: files.length }));
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** All classes and all bags with their members, those that they inherit included. `inject`: more of them, by file. */
export function shapes(inject: Readonly<Record<string, string>> = {}): {
  readonly classes: readonly Shape[];
  readonly bags: readonly Shape[];
} {
  const declared = [
    ...inSource(),
    ...Object.entries(inject).flatMap(([file, code]) => declaredIn(file, code)),
  ];
  const byName = Map.groupBy(declared, ({ name }) => name);
  const shapeOf = (one: Declared): Shape => ({
    name: one.name,
    file: one.file,
    count: membersOf(one, byName).size,
  });
  return {
    classes: declared.filter(({ isClass }) => isClass).map(shapeOf),
    bags: declared.filter(({ isClass, name }) => !isClass && BAG.test(name)).map(shapeOf),
  };
}

let source: readonly Declared[] | undefined;
const inSource = (): readonly Declared[] =>
  (source ??= sourceFiles().flatMap((file) =>
    declaredIn(file, readFileSync(path.join(root, file), 'utf8')),
  ));

function membersOf(
  { members, bases, file }: Declared,
  byName: ReadonlyMap<string, readonly Declared[]>,
): ReadonlySet<string> {
  const inherited = bases.flatMap(([name, only]) => {
    const named = byName.get(name) ?? [];
    const base = named.find((one) => one.file === file) ?? named[0];
    const all = base === undefined ? (only ?? []) : [...membersOf(base, byName)];
    return only === undefined ? all : only;
  });
  return new Set([...members, ...inherited]);
}

function declaredIn(file: string, code: string): readonly Declared[] {
  const { program } = parseSync(file, code);
  return program.body.flatMap((statement): Declared | readonly Declared[] => {
    const node = ('declaration' in statement && statement.declaration !== null
      ? statement.declaration
      : statement) as unknown as Node;
    const name = nameOf(node.id);
    if (name === undefined) return [];
    const isClass = node.type === 'ClassDeclaration';
    if (isClass || node.type === 'TSInterfaceDeclaration') {
      const body = (node.body as Node).body as readonly Node[];
      const extended = isClass ? [node.superClass] : (node.extends as readonly Node[]);
      const bases = extended.flatMap((one) => baseOf(one as Node | null));
      return { name, file, isClass, members: body.filter(isPublic).flatMap(keyOf), bases };
    }
    if (node.type !== 'TSTypeAliasDeclaration') return [];
    const type = node.typeAnnotation as Node;
    const joined = type.type === 'TSIntersectionType' ? (type.types as readonly Node[]) : [type];
    const literals = joined.filter((one) => one.type === 'TSTypeLiteral');
    const members = literals.flatMap((one) => (one.members as readonly Node[]).flatMap(keyOf));
    return { name, file, isClass, members, bases: joined.flatMap(baseOf) };
  });
}

/** The base that a heritage clause or a part of an intersection names; of `Pick` the members that it names. */
function baseOf(node: Node | null): Declared['bases'] {
  const name = nameOf(
    node?.type === 'TSTypeReference' ? node.typeName : (node?.expression ?? node),
  );
  if (node === null || name === undefined) return [];
  if (name !== 'Pick') return [[name, undefined]];
  const [from, keys] = ((node.typeArguments as Node | undefined)?.params ?? []) as readonly Node[];
  const picked = keys?.type === 'TSUnionType' ? (keys.types as readonly Node[]) : [keys];
  const names = picked.map(
    (one) => (one?.literal as { readonly value?: unknown } | undefined)?.value,
  );
  return [[nameOf(from?.typeName) ?? '', names.filter((one) => typeof one === 'string')]];
}

const nameOf = (node: unknown): string | undefined =>
  (node as { readonly name?: string } | null | undefined)?.name;

function keyOf(member: Node): readonly string[] {
  const key = member.key as
    | (Node & { readonly name?: string; readonly value?: unknown })
    | undefined;
  return key === undefined
    ? []
    : [key.name ?? (typeof key.value === 'string' ? key.value : key.type)];
}

function isPublic({ type, key, kind, accessibility }: Node): boolean {
  return (
    type !== 'StaticBlock' &&
    (key as Node | undefined)?.type !== 'PrivateIdentifier' &&
    kind !== 'constructor' &&
    accessibility !== 'private'
  );
}
