import { type ObjectSetting, type Setting, flag, integer } from './setting.ts';

/** Settings about MCP servers: those of others, and Belay as one of them. */
export const MCP_SETTINGS = {
  'mcp.servers': {
    type: 'object',
    default: {},
    scope: 'resource',
    description:
      'MCP servers by name: `command`, `args`, `env`, `envFile`, `cwd` for a local one; `url`, `headers` for a remote one; `enabled`. Servers that a workspace defines start only when the workspace is trusted and you have said yes. *Belay: Add MCP Server…* writes them.',
  } as ObjectSetting,
  'mcp.files': flag(
    true,
    'application',
    'Also connect the MCP servers that other clients’ files define: `.vscode/mcp.json` and `.mcp.json` of a trusted workspace, each after your yes, and your `~/.copilot/mcp-config.json`.',
  ),
  'contextServer.enabled': flag(
    false,
    'application',
    'Other agents on this machine may read what you have before you, as an MCP server: open editors, selection, problems, symbols, references, pending changes. They change nothing. With it on, *Belay: Copy MCP Server Configuration for Other Agents…* tells them where.',
  ),
  'contextServer.port': integer(
    0,
    0,
    65_535,
    'application',
    'Port on 127.0.0.1 for it. `0`: any free one.',
  ),
} as const satisfies Record<string, Setting>;
