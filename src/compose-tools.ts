import type { Border } from './compose-border.ts';
import type { TodoLists } from './core/todo-lists.ts';
import { offeredTools, toolRows } from './core/tool-call/offered-tools.ts';
import type { OfferRules, ToolRow } from './core/tool-call/offered-tools.ts';
import type { Tool } from './core/tool-call/tool-call.ts';
import { withUseTool } from './core/tool-call/use-tool.ts';
import type { Commands } from './compose-commands.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from './store/store.ts';
import { ReadState } from './tools/read-state.ts';
import { createTools } from './tools/registry.ts';

/** What the engine gives to tools beside what the host has. */
interface ToolSources {
  readonly store: Store;
  readonly todos: TodoLists;
  readonly border: Border;
  readonly commands: Commands;
}

/** The tools there are. */
export interface EngineTools {
  readonly offered: () => Promise<readonly Tool[]>;
  /** All of them, with the reason for those that are not offered. */
  readonly rows: () => Promise<readonly ToolRow[]>;
}

/**
 * The tools on offer, asked for at the start of each run: the built-in ones first, so that servers that
 * come and go change only the end; only those whose needs are there (E11), and that the level has (A5).
 */
export function composeTools(
  host: EngineHost,
  { store, todos, border, commands }: ToolSources,
): EngineTools {
  const builtIn = createTools({
    files: host.files,
    operations: host.operations,
    search: host.search,
    shell: host.shell,
    human: host.human,
    blobs: commands.blobs,
    clock: host.clock,
    ids: store.ids,
    readState: new ReadState(),
    todos,
    ignored: host.ignored,
    settings: host.settings,
    ...(commands.background === undefined ? {} : { background: commands.background }),
    ...(host.spool === undefined ? {} : { spool: host.spool }),
    ...(host.web === undefined ? {} : { web: { web: host.web, hosts: border.hosts } }),
  });
  const rules = (): OfferRules => ({
    level: host.level(),
    disabled: host.settings('tools.disabled'),
  });
  return {
    offered: async () => [
      ...withUseTool(await offeredTools(builtIn, rules())),
      ...(await offeredTools(await host.mcpTools(), rules())),
    ],
    rows: async () => toolRows([...builtIn, ...(await host.mcpTools())], rules()),
  };
}
