import { mayUse } from '../permissions/may-use.ts';
import type { Level, Tool } from './tool-call.ts';

export interface OfferRules {
  /** A5: which tools exist for this person. */
  readonly level: Level;
  /** Names that were switched off (E11). */
  readonly disabled: readonly string[];
}

/** `absent`: what it needs is not there (E11), such as a repository or a language server. */
export type ToolState = 'on' | 'off' | 'level' | 'absent';

export interface ToolRow extends Pick<
  Tool,
  'name' | 'description' | 'module' | 'level' | 'permission'
> {
  readonly state: ToolState;
}

async function stateOf(tool: Tool, { level, disabled }: OfferRules): Promise<ToolState> {
  if (disabled.includes(tool.name)) return 'off';
  if (!mayUse(level, tool)) return 'level';
  return ((await tool.available?.()) ?? true) ? 'on' : 'absent';
}

/** Those of the tools that are there for this person, in the same order. */
export async function offeredTools(
  tools: readonly Tool[],
  rules: OfferRules,
): Promise<readonly Tool[]> {
  const states = await Promise.all(tools.map((tool) => stateOf(tool, rules)));
  return tools.filter((_, index) => states[index] === 'on');
}

export function toolRows(tools: readonly Tool[], rules: OfferRules): Promise<readonly ToolRow[]> {
  return Promise.all(
    tools.map(async (tool) => {
      const { name, description, module, level, permission } = tool;
      return { name, description, module, level, permission, state: await stateOf(tool, rules) };
    }),
  );
}

/** The tools of a run, brought up to date before each of its requests. */
export class RunTools {
  #current: readonly Tool[];
  readonly #read: () => Promise<readonly Tool[]>;

  constructor(first: readonly Tool[], read: () => Promise<readonly Tool[]>) {
    this.#current = first;
    this.#read = read;
  }

  get current(): readonly Tool[] {
    return this.#current;
  }

  /**
   * Takes in what came, changed or went: tools stay in their places and new ones come last, so that the prompt cache
   * holds as far as it can. One that went is no longer listed, and a call of it is answered with that.
   */
  async refresh(): Promise<void> {
    const now = await this.#read();
    const places = new Map(this.#current.map(({ name }, index) => [name, index]));
    const names = new Set(now.map(({ name }) => name));
    const place = ({ name }: Tool): number => places.get(name) ?? places.size;
    const gone = this.#current
      .filter(({ name }) => !names.has(name))
      .map((tool): Tool => ({ ...tool, rare: true, isGone: true }));
    this.#current = [...now, ...gone].toSorted((a, b) => place(a) - place(b));
  }
}
