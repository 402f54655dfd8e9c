import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { failureOf, wordsOf } from '../../domain/failure.ts';
import type { OwnServer } from '../../hosts/vscode/commands/services.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import type { ContextListener } from '../../mcp/server/context-listener.ts';
import type { ContextTools } from '../../mcp/server/context-tools.ts';
import { builtFile } from './built-file.ts';

const SECRET = 'belay.contextServerSecret';

/** Serves the window's context to other agents while the setting says so and the workspace is trusted. */
export function composeContextServer(
  host: Host,
  tools: () => Promise<ContextTools>,
): OwnServer & { dispose(): Promise<void> } {
  const { settings, workspace, folders, log, tell } = host;
  const { secrets, version } = host.extension;
  /** One change after the other. */
  let turn: Promise<void> = Promise.resolve();
  let serving: { listener: ContextListener; end: () => Promise<void> } | undefined;

  const secret = async (): Promise<string> => {
    const kept = await secrets.get(SECRET);
    if (kept !== undefined) return kept;
    const made = randomBytes(32).toString('base64url');
    await secrets.store(SECRET, made);
    return made;
  };
  const start = async (): Promise<void> => {
    const { ContextListener } = await import('../../mcp/server/context-listener.ts');
    const { contextServer } = await import('../../mcp/server/context-server.ts');
    const { publishEndpoint } = await import('../../mcp/server/endpoints.ts');
    const offered = await tools();
    const key = await secret();
    const port = settings.get('contextServer.port');
    const listener = await ContextListener.open(() => contextServer(offered, version), key, port);
    const withdraw = await publishEndpoint(folders.data, { url: listener.url, secret: key });
    serving = {
      listener,
      end: async () => {
        await withdraw();
        await listener.dispose();
      },
    };
    log.info('The context of this window is served to other agents.', { url: listener.url });
  };
  const stop = async (): Promise<void> => {
    const ended = serving;
    serving = undefined;
    await ended?.end();
  };
  const change = async (before: Promise<void>): Promise<void> => {
    await before;
    await stop();
    if (!settings.get('contextServer.enabled') || !workspace.trusted) return;
    try {
      await start();
    } catch (error) {
      log.error('The context of this window could not be served.', error);
      const why = wordsOf(failureOf(error));
      tell('warning', l10n.t('Other agents cannot be served (belay.contextServer): {0}', why));
    }
  };
  const follow = (): void => {
    turn = change(turn);
  };
  follow();
  workspace.onTrusted(follow);
  settings.onChanged((keys) => {
    if (keys.has('contextServer.enabled') || keys.has('contextServer.port')) follow();
  });
  return {
    configuration: async (way) => {
      await turn;
      const [root = folders.data] = workspace.roots;
      const stdio = {
        // The program that runs this extension is a Node with all that the headless host needs.
        command: process.execPath,
        args: [
          builtFile('headless.cjs'),
          '--serve-context',
          '--workspace',
          root,
          '--data',
          folders.data,
        ],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      };
      if (way === 'stdio') return JSON.stringify({ mcpServers: { belay: stdio } }, null, 2);
      if (serving === undefined) return undefined;
      const headers = { Authorization: `Bearer ${await secret()}` };
      const http = { type: 'http', url: serving.listener.url, headers };
      return JSON.stringify({ mcpServers: { belay: http } }, null, 2);
    },
    dispose: async () => {
      turn = turn.then(stop);
      await turn;
    },
  };
}
