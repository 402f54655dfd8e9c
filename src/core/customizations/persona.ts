import { NO_PERSONA } from '../../domain/persona.ts';
import { pathBelow } from '../../domain/paths.ts';
import { mayUse, rankOf } from '../permissions/may-use.ts';
import type { Level, Tool } from '../tool-call/tool-call.ts';
import type { Customization } from './customization.ts';

/** The tools and the level that something leaves a person. */
export interface ToolLimits {
  /** Absent: the person's own. */
  readonly level?: Level | undefined;
  readonly allows: (tool: Pick<Tool, 'name' | 'module' | 'server' | 'serverTool'>) => boolean;
}

/** A role of the agent (A3): instructions, a model, and fewer tools than the person has. */
export interface Persona extends Omit<Customization, 'kind' | 'source'> {
  readonly kind: 'persona';
  readonly source: Customization['source'] | 'settings';
  /** Its text takes the place of Belay's own instructions; else it is added. */
  readonly replaces: boolean;
  /** Empty: the session's. */
  readonly model: string;
  /** Names of tools, modules and servers; absent: all. */
  readonly tools?: readonly string[];
  readonly modules?: readonly string[];
  /** Most tokens of one answer. */
  readonly maxTokens?: number;
  readonly level?: Level;
  readonly temperature?: number;
  readonly topP?: number;
  /** Where it is in force unchosen: everywhere (`true`), on a platform (`vscode`, `headless`), in a folder (absolute). */
  readonly default: string;
}

/** The personas that shape a run: of the workspace's one the person's own lies below, so that it can only narrow. */
export interface PersonaInForce {
  /** Empty: none. */
  readonly name: string;
  /** The outermost, which may narrow the others, last. */
  readonly layers: readonly Persona[];
}

/** The persona that a session begins with, and the model that comes with it. */
export interface BegunPersona {
  /** Empty: none. */
  readonly name: string;
  /** Absent: the session's own. */
  readonly model?: string;
}

export const NOBODY: PersonaInForce = { name: '', layers: [] };

/** The place of a session in the cascade: workspace, platform, default. */
export interface PersonaPlace {
  readonly roots: readonly string[];
  readonly platform: string;
}

/**
 * The persona in force where the person chose none (A3): the person's own for this folder, the workspace's, the
 * person's for this platform, the person's for everything.
 */
export function defaultPersona(all: readonly Persona[], place: PersonaPlace): PersonaInForce {
  const usable = all.filter(({ state }) => state === 'on');
  const own = usable.filter(({ source }) => source !== 'workspace');
  const here = own.find(({ default: at }) => place.roots.some((root) => isBelow(at, root)));
  const theirs = usable.find((one) => one.source === 'workspace' && one.default === 'true');
  return layered(here ?? theirs ?? ownDefault(own, place), own, place);
}

/** The persona that the person chose by its name. `undefined`: it is not there, or not used. */
export function chosenPersona(
  all: readonly Persona[],
  name: string,
  place: PersonaPlace,
): PersonaInForce | undefined {
  if (name === NO_PERSONA) return NOBODY;
  const usable = all.filter(({ state }) => state === 'on');
  const chosen = usable.find((one) => one.name === name);
  const own = usable.filter(({ source }) => source !== 'workspace');
  return chosen && layered(chosen, own, place);
}

function layered(
  top: Persona | undefined,
  own: readonly Persona[],
  place: PersonaPlace,
): PersonaInForce {
  if (top === undefined) return NOBODY;
  const here = own.find(({ default: at }) => place.roots.some((root) => isBelow(at, root)));
  const below = top.source === 'workspace' ? (here ?? ownDefault(own, place)) : undefined;
  return { name: top.name, layers: below === undefined ? [top] : [below, top] };
}

function ownDefault(own: readonly Persona[], { platform }: PersonaPlace): Persona | undefined {
  return (
    own.find(({ default: at }) => at === platform) ?? own.find(({ default: at }) => at === 'true')
  );
}

const isBelow = (folder: string, root: string): boolean =>
  folder.startsWith('/') || /^[a-z]:/iu.test(folder)
    ? pathBelow(folder, root) !== undefined
    : false;

/** The tools of a run: level ∩ allowed modules (A5). Without a persona nothing is taken away. */
export function limitsOf({ layers }: PersonaInForce): ToolLimits | undefined {
  if (layers.length === 0) return undefined;
  return { level: lowest(layers), allows: (tool) => layers.every((one) => allowedBy(one, tool)) };
}

function lowest(layers: readonly Persona[]): Level | undefined {
  const levels = layers.flatMap(({ level }) => level ?? []);
  return levels.toSorted((one, other) => rankOf(one) - rankOf(other))[0];
}

/** True for a tool that both may use: the person, and the persona. */
export function isWithin(limits: ToolLimits | undefined, tool: Tool): boolean {
  if (limits === undefined) return true;
  return (limits.level === undefined || mayUse(limits.level, tool)) && limits.allows(tool);
}

function allowedBy(
  { tools, modules }: Persona,
  tool: Pick<Tool, 'name' | 'module' | 'server' | 'serverTool'>,
): boolean {
  return (
    (tools === undefined || tools.some((name) => means(name, tool))) &&
    (modules === undefined || modules.includes('*') || modules.includes(tool.module))
  );
}

/** Names of tools and groups of other clients, and the modules that they are here. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  read: ['files'],
  codebase: ['files', 'search'],
  grep: ['search'],
  glob: ['search'],
  usages: ['language'],
  problems: ['language'],
  editfiles: ['edit'],
  write: ['edit'],
  multiedit: ['edit'],
  execute: ['terminal'],
  runcommands: ['terminal'],
  runtasks: ['terminal'],
  runtests: ['terminal'],
  bash: ['terminal'],
  shell: ['terminal'],
  fetch: ['web'],
  webfetch: ['web'],
  changes: ['git'],
};
/** Single tools by their names elsewhere. */
const TOOLS_ELSEWHERE: Readonly<Record<string, string>> = {
  todos: 'todo',
  todowrite: 'todo',
  askquestions: 'ask_human',
  skill: 'read_skill',
};

function means(
  name: string,
  {
    name: tool,
    module,
    server,
    serverTool,
  }: Pick<Tool, 'name' | 'module' | 'server' | 'serverTool'>,
): boolean {
  if (['*', tool, module, server].includes(name)) return true;
  if (server !== undefined && (name === `${server}/*` || name === `${server}/${serverTool}`))
    return true;
  const plain = name.toLowerCase();
  const modules = Object.hasOwn(ELSEWHERE, plain) ? (ELSEWHERE[plain] ?? []) : [plain];
  return (
    modules.includes(module) ||
    (Object.hasOwn(TOOLS_ELSEWHERE, plain) && TOOLS_ELSEWHERE[plain] === tool)
  );
}

/** Names in a persona's list that mean none of these tools. */
export function unknownTools(
  { tools = [], modules = [] }: Persona,
  known: readonly Pick<Tool, 'name' | 'module' | 'server' | 'serverTool'>[],
): readonly string[] {
  return [
    ...tools.filter((name) => !known.some((tool) => means(name, tool))),
    ...modules.filter((name) => name !== '*' && !known.some(({ module }) => module === name)),
  ];
}
