import os from 'node:os';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import { printedProblem } from '../../hosts/node/headless/printed.ts';
import { mcpFetch } from '../../hosts/node/web/mcp-fetch.ts';
import { readServerFile, serverFiles } from '../../mcp/config/server-files.ts';
import { switchedOff } from '../../mcp/config/server-switches.ts';
import { McpHub } from '../../mcp/hub.ts';
import { serverProblems } from '../../mcp/status/server-words.ts';
import type { McpTool } from '../../mcp/tools/tool-proxy.ts';

export interface HeadlessServersParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** Absolute. */
  readonly folder: string;
  /** Names of servers that the person switched off. */
  readonly off: readonly string[];
  readonly version: string;
  readonly onSecret: (value: string, what: string) => void;
}

/** Hears of each server that does not run although it should, once for each reason, without secrets. */
export interface ServerProblems {
  listener?: (sentence: string) => void;
}

/** Says something to whoever started the program. */
function tell(sentence: string): void {
  process.stderr.write(`${printedProblem(sentence)}\n`);
}

/** The MCP servers of settings and files where nobody is there to say yes: those of the workspace are named, and not started. */
export function headlessServers(parts: HeadlessServersParts): {
  readonly tools: (moment?: 'start') => Promise<readonly McpTool[]>;
  readonly startingServers: () => readonly string[];
  /** They are printed to standard error in any case. */
  readonly problems: ServerProblems;
  readonly dispose: () => Promise<void>;
} {
  const { clock, log, settings, folder, off, version, onSecret } = parts;
  const hub = new McpHub({
    clock,
    log,
    environment: process.env,
    fetch: mcpFetch(),
    workspaceFolder: folder,
    client: { name: 'belay-headless', version },
    support: { onSecret },
    mayStart: async ({ name }) => {
      tell(
        `The MCP server “${name}” is defined by the workspace and was not started: nobody is here to allow it. Give it with --set mcp.servers=… if you trust it.`,
      );
      return Promise.resolve(false);
    },
  });
  const reported = new Set<string>();
  const problems: ServerProblems = {};
  hub.onChange(() => {
    for (const { said } of serverProblems(hub.servers())) {
      const sentence = printedProblem(said);
      if (reported.has(sentence)) continue;
      reported.add(sentence);
      tell(sentence);
      problems.listener?.(sentence);
    }
  });
  const read = async (): Promise<void> => {
    const files = settings('mcp.files') ? serverFiles(os.homedir(), [folder]) : [];
    const found = await Promise.all(files.map(readServerFile));
    hub.reconfigure([
      { origin: 'user', servers: settings('mcp.servers') },
      ...found.filter((source) => source !== undefined),
      switchedOff(off),
    ]);
  };
  let reading: Promise<void> | undefined;
  return {
    tools: async (moment) => {
      reading ??= read();
      await reading;
      return hub.tools(moment);
    },
    problems,
    startingServers: () => hub.startingServers(),
    dispose: async () => hub.dispose(),
  };
}
