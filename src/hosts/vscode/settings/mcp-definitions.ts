import { isJsonObject } from '../../../domain/json.ts';
import * as vscode from 'vscode';
import { plain } from './settings.ts';

/** MCP servers that a person or a workspace defined; the values are checked by their reader. */
export interface McpDefinitions {
  /** From the user's settings. */
  readonly user: Readonly<Record<string, unknown>>;
  /** From the workspace's settings; empty while the workspace is not trusted. */
  readonly workspace: Readonly<Record<string, unknown>>;
}

/**
 * `belay.mcp.servers` by who defined it: what comes with a workspace starts only after a yes of the
 * person. VS Code's own merge would hide that difference, and let a workspace change a user's server.
 */
export function mcpDefinitions(): McpDefinitions {
  const found = vscode.workspace
    .getConfiguration('belay')
    .inspect<Record<string, unknown>>('mcp.servers');
  const workspace: Record<string, unknown> = {};
  if (vscode.workspace.isTrusted) {
    Object.assign(workspace, record(found?.workspaceValue));
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const own = vscode.workspace
        .getConfiguration('belay', folder.uri)
        .inspect<Record<string, unknown>>('mcp.servers');
      Object.assign(workspace, record(own?.workspaceFolderValue));
    }
  }
  return { user: record(found?.globalValue), workspace };
}

function record(value: unknown): Record<string, unknown> {
  const copy = plain(value);
  return isJsonObject(copy) ? copy : {};
}
