import type { ToolRow } from '../core/tool-call/offered-tools.ts';

/** By module, in the order in which the tools are offered. */
export const toolModules = (rows: readonly ToolRow[]): ReadonlyMap<string, readonly ToolRow[]> =>
  Map.groupBy(rows, ({ module }) => module);

/** The state of a tool in words: on, off, or why it is not offered. */
export function toolNote({ state, level, permission }: ToolRow): string {
  switch (state) {
    case 'on':
      return `on · ${permission === 'none' ? 'reads' : permission === 'edit' ? 'changes files' : 'acts'}`;
    case 'off':
      return 'off';
    case 'level':
      return `not offered: needs level ${level}`;
    case 'absent':
      return 'not offered: what it needs is not here';
    default:
      return state satisfies never;
  }
}

/** The setting after the tools of the list were chosen, in its order; names that are not in the list stay. */
export function disabledAfter(
  before: readonly string[],
  rows: readonly Pick<ToolRow, 'name' | 'state'>[],
  chosen: ReadonlySet<string>,
): readonly string[] {
  const disabled = new Set(before);
  for (const { name, state } of rows) {
    if (chosen.has(name)) disabled.delete(name);
    else if (state !== 'off') disabled.add(name);
  }
  return [...disabled];
}
