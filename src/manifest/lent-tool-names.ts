/**
 * Tools of Belay that other extensions' agents may call through VS Code: they only read. The key is the tool's name
 * behind `belay_`; `shown` is read by people.
 */
export const LENT_TOOLS = {
  search_text: { shown: 'Search Text', icon: '$(search)' },
  find_files: { shown: 'Find Files', icon: '$(files)' },
  diagnostics: { shown: 'Problems', icon: '$(warning)' },
  find_symbol: { shown: 'Find Symbol', icon: '$(symbol-misc)' },
  inspect_symbol: { shown: 'Inspect Symbol', icon: '$(symbol-method)' },
  editor_state: { shown: 'Editor State', icon: '$(window)' },
  pending_changes: { shown: 'Pending Changes', icon: '$(diff)' },
} as const satisfies Readonly<Record<string, { readonly shown: string; readonly icon: string }>>;

export type LentTool = keyof typeof LENT_TOOLS;

export const LENT_TOOL_NAMES = Object.keys(LENT_TOOLS) as readonly LentTool[];

/** As VS Code and other extensions call it. */
export const lentName = (tool: LentTool): string => `belay_${tool}`;
