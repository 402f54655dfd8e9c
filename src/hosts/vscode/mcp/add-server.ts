import os from 'node:os';
import * as vscode from 'vscode';
import { isJsonObject } from '../../../domain/data/json.ts';
import { parseServer } from '../../../mcp/config/config.ts';
import type { ServerConsent } from '../../../mcp/config/consent.ts';
import type { InputBook } from '../../../mcp/config/input-book.ts';
import type { Variables } from '../../../mcp/config/variables.ts';
import type { NewServer } from '../commands/services.ts';
import { plain } from '../settings/settings.ts';

/** Variables as definitions of this window see them. */
export const windowVariables = (): Variables => ({
  environment: process.env,
  homeFolder: os.homedir(),
  workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
});

/** The entries of `belay.mcp.servers` that one author wrote. */
export function writtenServers(origin: NewServer['origin']): Readonly<Record<string, unknown>> {
  const found = vscode.workspace.getConfiguration('belay').inspect('mcp.servers');
  const value = plain(origin === 'user' ? found?.globalValue : found?.workspaceValue);
  return isJsonObject(value) ? value : {};
}

/** Writes one server; its secrets, and the yes to it, are kept before it can be started. */
export async function addServer(
  { consent, inputs }: { readonly consent: ServerConsent; readonly inputs: InputBook },
  { name, origin, raw, secrets }: NewServer,
): Promise<void> {
  const definition = parseServer(name, raw, { origin }, windowVariables());
  // Values for another server of this name are not for this one.
  await inputs.forget(definition);
  for (const { id, value } of secrets)
    if (value !== undefined) await inputs.keep(definition, id, value);
  if (origin === 'workspace') await consent.allow(definition.hash);
  await vscode.workspace
    .getConfiguration('belay')
    .update(
      'mcp.servers',
      { ...writtenServers(origin), [name]: raw },
      origin === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
    );
}
