import * as l10n from '@vscode/l10n';
import type { ToolRow } from '../core/tool-call/offered-tools.ts';

/** By module, in the order in which the tools are offered. */
export const toolModules = (rows: readonly ToolRow[]): ReadonlyMap<string, readonly ToolRow[]> =>
  Map.groupBy(rows, ({ module }) => module);

/** The effect of a tool in a word, or why it is not offered; empty where it is switched off. */
export function toolNote({ state, level, permission }: ToolRow): string {
  switch (state) {
    case 'on':
      return permission === 'none'
        ? 'reads'
        : permission === 'edit'
          ? l10n.t('changes files')
          : 'acts';
    case 'off':
      return '';
    case 'level':
      return l10n.t('not offered: needs level {0}', level);
    case 'absent':
      return l10n.t('not offered: what it needs is not here');
    default:
      return state satisfies never;
  }
}

/** The setting after tools were switched, in its order. */
export function disabledAfter(
  before: readonly string[],
  tools: readonly string[],
  on: boolean,
): readonly string[] {
  const switched = new Set(tools);
  const others = before.filter((name) => !switched.has(name));
  return on ? others : [...others, ...switched];
}
