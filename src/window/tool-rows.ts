import type { ToolRow } from '../core/tool-call/offered-tools.ts';

/** The tools of one module, as the view shows them. */
export interface ToolModule {
  readonly name: string;
  readonly tools: readonly ToolRow[];
}

/** By module, in the order in which the tools are offered. */
export function modulesOf(rows: readonly ToolRow[]): readonly ToolModule[] {
  const modules = new Map<string, ToolRow[]>();
  for (const row of rows) {
    const known = modules.get(row.module);
    if (known === undefined) modules.set(row.module, [row]);
    else known.push(row);
  }
  return [...modules].map(([name, tools]) => ({ name, tools }));
}

/** "5 of 7 on" */
export const moduleNote = ({ tools }: ToolModule): string =>
  `${tools.filter(({ state }) => state === 'on').length} of ${tools.length} on`;

/** What is said beside the name of a tool. */
export function toolNote({ state, level, permission }: ToolRow): string {
  switch (state) {
    case 'on':
      return permission === 'none' ? 'reads' : permission === 'edit' ? 'changes files' : 'acts';
    case 'off':
      return 'switched off';
    case 'level':
      return `needs level ${level}`;
    case 'absent':
      return 'not available here';
    default:
      return state satisfies never;
  }
}

/** The setting after tools were switched; other names in it stay. */
export function disabledAfter(
  before: readonly string[],
  switched: readonly { readonly name: string; readonly on: boolean }[],
): readonly string[] {
  const disabled = new Set(before);
  for (const { name, on } of switched) {
    if (on) disabled.delete(name);
    else disabled.add(name);
  }
  return [...disabled];
}
