import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../domain/data/json.ts';
import { type Pasted, commandLine, readPasted } from '../../../mcp/clients/read-pasted.ts';
import { nameFor } from '../../../mcp/clients/server-name.ts';

const TITLE = l10n.t('Belay: Add MCP Server');

/** Asks how a server is reached; `undefined`: the person gave up. */
export async function askForServer(): Promise<Pasted | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: l10n.t('Address'),
        description: l10n.t('a server that is reached over HTTP'),
        ask: address,
      },
      { label: l10n.t('Command'), description: l10n.t('a program on this machine'), ask: command },
      { label: l10n.t('npm package'), description: l10n.t('started by npx'), ask: npmPackage },
      {
        label: l10n.t('Configuration of another client'),
        description: l10n.t('JSON: mcpServers, or servers of VS Code'),
        ask: pasted,
      },
    ],
    { title: TITLE, placeHolder: l10n.t('How is it reached?'), matchOnDescription: true },
  );
  return chosen?.ask();
}

async function address(): Promise<Pasted | undefined> {
  const url = await typed(l10n.t('The address of the server'), 'https://…', (value) =>
    /^https?:\/\/./u.test(value) && URL.canParse(value)
      ? undefined
      : l10n.t('An https or http address is expected.'),
  );
  return url === undefined ? undefined : named({ url });
}

async function command(): Promise<Pasted | undefined> {
  const line = await typed(l10n.t('The command line of the server'), 'uvx mcp-server-git', filled);
  return line === undefined ? undefined : named(commandLine(line));
}

async function npmPackage(): Promise<Pasted | undefined> {
  const line = await typed(
    l10n.t('The package, and arguments where it wants some'),
    '@modelcontextprotocol/server-memory',
    (value) =>
      /^(?:@[\w.~-]+\/)?[\w.~-]+(?:@[\w.^~-]+)?(?:\s|$)/u.test(value)
        ? undefined
        : l10n.t('The name of an npm package is expected.'),
  );
  return line === undefined ? undefined : named(commandLine(`npx -y ${line}`));
}

async function pasted(): Promise<Pasted | undefined> {
  const text = await typed(
    l10n.t(
      'Paste it here; or press Enter with nothing to take what you have copied, lines and all',
    ),
    '{ "mcpServers": { … } }',
  );
  if (text === undefined) return undefined;
  return readPasted(text === '' ? await vscode.env.clipboard.readText() : text);
}

async function named(definition: JsonObject): Promise<Pasted | undefined> {
  const name = await typed(l10n.t('A name for it'), 'name', filled, nameFor(definition));
  return name === undefined ? undefined : { servers: { [name]: definition } };
}

const filled = (value: string): string | undefined =>
  value === '' ? l10n.t('Something is expected here.') : undefined;

async function typed(
  prompt: string,
  placeHolder: string,
  validate?: (value: string) => string | undefined,
  value = '',
): Promise<string | undefined> {
  const text = await vscode.window.showInputBox({
    title: TITLE,
    prompt,
    placeHolder,
    value,
    ignoreFocusOut: true,
    validateInput: (given) => validate?.(given.trim()),
  });
  return text?.trim();
}
