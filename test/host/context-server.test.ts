import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

interface Configuration {
  readonly mcpServers: { readonly belay: Readonly<Record<string, unknown>> };
}

describe('the context of the window for other agents', function () {
  this.timeout(60_000);

  const set = async (enabled: true | undefined): Promise<void> =>
    vscode.workspace
      .getConfiguration('belay')
      .update('contextServer.enabled', enabled, vscode.ConfigurationTarget.Global);

  before(async () => set(true));
  after(async () => {
    await set(undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** What the command copies; `row` counts from 0. */
  async function copied(row: number): Promise<Configuration['mcpServers']['belay']> {
    await vscode.env.clipboard.writeText('');
    void vscode.commands.executeCommand('belay.copyContextServer');
    // The list takes its time to come up; what is accepted before it is there does nothing.
    await delay(1000);
    for (let at = 0; at < row; at += 1)
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
    return eventually('the configuration is copied', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const text = await vscode.env.clipboard.readText();
      return text !== '' && (JSON.parse(text) as Configuration).mcpServers.belay;
    });
  }

  async function asked(client: Client): Promise<string> {
    const names = (await client.listTools()).tools.map(({ name }) => name).toSorted();
    assert.deepEqual(names, [
      'diagnostics',
      'editor_state',
      'find_symbol',
      'inspect_symbol',
      'pending_changes',
    ]);
    const { content } = await client.callTool({ name: 'editor_state', arguments: {} });
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  }

  it('is read over HTTP and over stdio with what the command copies, and no longer when it is off', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = path.join(folder.uri.fsPath, 'seen.txt');
    writeFileSync(file, 'seen by others\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    editor.selection = new vscode.Selection(0, 0, 0, 4);

    const { command, args, env } = await copied(0);
    const stdio = new Client({ name: 'test', version: '1' });
    await stdio.connect(
      new StdioClientTransport({
        command: command as string,
        args: args as string[],
        env: env as Record<string, string>,
      }),
    );
    assert.match(await asked(stdio), /Selected in seen\.txt, line 1:\nseen/u);
    await stdio.close();

    const { url, headers } = await copied(1);
    const requestInit = { headers: headers as Record<string, string> };
    const address = new URL(url as string);
    assert.equal(address.hostname, '127.0.0.1');
    const http = new Client({ name: 'test', version: '1' });
    await http.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    assert.match(await asked(http), /seen\.txt/u);
    await http.close();

    await set(undefined);
    await eventually('nothing listens', async () =>
      fetch(address, requestInit).then(
        () => false,
        () => true,
      ),
    );
  });
});
