import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { Listeners } from '../../../domain/lifetime/listeners.ts';
import type { ServerSource } from '../../../mcp/config/read-servers.ts';
import { type ServerFile, readServerFile, serverFiles } from '../../../mcp/config/server-files.ts';
import { plain } from '../settings/settings.ts';
import type { Host } from '../host.ts';

/**
 * The places where MCP servers are defined: the setting, by who wrote it (VS Code's own merge would let a
 * workspace change a user's server), and the files that other clients read. Of a workspace that is not
 * trusted nothing is read.
 */
export class McpPlaces implements Disposable {
  readonly #host: Pick<Host, 'settings' | 'workspace'>;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new Listeners());
  readonly #found = new Map<string, ServerSource>();
  /** Watchers of the files, by path. */
  readonly #watched = new Map<string, Disposable>();
  /** One after the other: what was read last is what counts. */
  #reading: Promise<void> = Promise.resolve();

  constructor(host: Pick<Host, 'settings' | 'workspace'>) {
    this.#host = host;
    const { settings, workspace } = host;
    this.#lifetime.add(workspace.onTrusted(() => this.#follow()));
    this.#lifetime.add(workspace.onRootsChanged(() => this.#follow()));
    this.#lifetime.add(
      settings.onChanged((keys) => {
        if (keys.has('mcp.files')) this.#follow();
        else if (keys.has('mcp.servers')) this.#changed.fire();
      }),
    );
    this.#follow();
  }

  /** Hears that definitions may have changed. */
  readonly onChange = this.#changed.listen;

  /** All of them as they are now, those that win first. */
  sources(): readonly ServerSource[] {
    const found = vscode.workspace.getConfiguration('belay').inspect('mcp.servers');
    const [own, ...theirs] = this.#files().map(({ file }) => this.#found.get(file));
    const given: (ServerSource | undefined)[] = [
      { origin: 'user', servers: plain(found?.globalValue) },
      own,
      ...(vscode.workspace.isTrusted ? workspaceSettings() : []),
      ...theirs,
    ];
    return given.filter((source) => source !== undefined);
  }

  dispose(): void {
    for (const watcher of this.#watched.values()) watcher.dispose();
    this.#lifetime.dispose();
  }

  #files(): readonly ServerFile[] {
    const { settings, workspace } = this.#host;
    if (!settings.get('mcp.files')) return [];
    return serverFiles(os.homedir(), workspace.trusted ? workspace.roots : []);
  }

  /** Watches and reads the files that count now, and no others. */
  #follow(): void {
    const files = this.#files();
    for (const [file, watcher] of this.#watched) {
      if (files.some((one) => one.file === file)) continue;
      watcher.dispose();
      this.#watched.delete(file);
      this.#found.delete(file);
    }
    for (const file of files) {
      if (!this.#watched.has(file.file)) this.#watched.set(file.file, this.#watch(file));
      this.#readSoon(file);
    }
    this.#changed.fire();
  }

  #watch(file: ServerFile): Disposable {
    const folder = vscode.Uri.file(path.dirname(file.file));
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, path.basename(file.file)),
    );
    const read = (): void => this.#readSoon(file);
    watcher.onDidChange(read);
    watcher.onDidCreate(read);
    watcher.onDidDelete(read);
    return watcher;
  }

  #readSoon(file: ServerFile): void {
    this.#reading = this.#reading.then(async () => this.#read(file));
  }

  async #read(file: ServerFile): Promise<void> {
    const source = await readServerFile(file);
    // It may not count any more.
    if (!this.#watched.has(file.file)) return;
    if (source === undefined) this.#found.delete(file.file);
    else this.#found.set(file.file, source);
    this.#changed.fire();
  }
}

/** Of the workspace file and of each folder. */
function workspaceSettings(): readonly ServerSource[] {
  const label = 'belay.mcp.servers of the workspace';
  const found = vscode.workspace.getConfiguration('belay').inspect('mcp.servers');
  const whole: unknown = plain(found?.workspaceValue);
  const folders = vscode.workspace.workspaceFolders ?? [];
  // Of one folder its settings are the workspace's.
  const own = folders.length < 2 ? [] : folders;
  return [
    { origin: 'workspace', label, servers: whole },
    ...own.map(({ name, uri }): ServerSource => {
      const there = vscode.workspace.getConfiguration('belay', uri).inspect('mcp.servers');
      const servers: unknown = plain(there?.workspaceFolderValue);
      return { origin: 'workspace', label: `${label} folder ${name}`, folder: uri.fsPath, servers };
    }),
  ];
}
