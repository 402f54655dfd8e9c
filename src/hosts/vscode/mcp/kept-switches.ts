import type * as vscode from 'vscode';
import type { ServerOrigin } from '../../../mcp/config/config.ts';
import { ServerSwitches } from '../../../mcp/config/server-switches.ts';

const STORED_AS = 'belay.mcpServersOff';

/** The switches of MCP servers in VS Code's memory: of all workspaces, and of this one. */
export function keptSwitches(
  memories: Readonly<Record<ServerOrigin, vscode.Memento>>,
): ServerSwitches {
  return new ServerSwitches({
    read: (origin) => {
      const kept: unknown = memories[origin].get(STORED_AS);
      return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
    },
    keep: (origin, names) => memories[origin].update(STORED_AS, names),
  });
}
