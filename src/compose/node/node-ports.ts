import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { ReadOnlySandbox } from '../../core/ports/commands/read-only-sandbox.ts';
import { NodeFileOperations } from '../../hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../hosts/node/files/file-system.ts';
import { pinFolder } from '../../hosts/node/files/pin-folder.ts';
import { UnfinishedWrites } from '../../hosts/node/files/unfinished-writes.ts';
import { ThreadPdfReader } from '../../hosts/node/pdf/pdf-reader.ts';
import { commandEnvironment } from '../../hosts/node/processes/command-environment.ts';
import { NodeShell } from '../../hosts/node/processes/shell.ts';
import { CommandSandbox } from '../../hosts/node/sandbox/command-sandbox.ts';
import { createReadOnlySandbox } from '../../hosts/node/sandbox/read-only-sandbox.ts';
import { hostsOfRules } from '../../hosts/node/sandbox/sandbox-rules.ts';
import { NodeIgnoredPaths } from '../../hosts/node/search/ignore/belay-ignore.ts';
import { NodeSearch } from '../../hosts/node/search/search.ts';
import { lazyMethods } from '../../domain/lifetime/lazy.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import type { EngineHost, HostDisk } from '../engine-host.ts';

// Plain Node's part for both hosts.

export const NODE_NUMBERS: Pick<EngineHost, 'hash' | 'random'> = {
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  random: Math.random,
};

/** Belay's own folders, absolute; `data` is one of them. */
interface OwnFolders {
  readonly data: string;
  readonly ownFolders: readonly string[];
}

/** The files on disk. What a kill left beside them is removed; nothing waits for that. */
export function nodeDisk(
  { data, ownFolders }: OwnFolders,
  pdfWorker: string | URL,
  ripgrep: readonly string[] = [],
): HostDisk {
  const unfinished = new UnfinishedWrites(path.join(data, 'unfinished'));
  void unfinished.clean();
  return {
    files: new NodeFileSystem(unfinished),
    pdf: new ThreadPdfReader(pdfWorker),
    sheets: lazyMethods(async () => {
      const { IsolatedSheetReader } = await import('../../hosts/node/sheets/sheet-reader.ts');
      return new IsolatedSheetReader();
    }),
    pictures: lazyMethods(async () => {
      const { IsolatedPictureScaler } = await import('../../hosts/node/pictures/picture-scaler.ts');
      return new IsolatedPictureScaler();
    }),
    pinFolder,
    operations: new NodeFileOperations(path.join(data, 'removed')),
    search: new NodeSearch(ripgrep),
    ignored: new NodeIgnoredPaths(),
    ownFolders,
  };
}

interface SandboxedCommands {
  readonly shell: NodeShell;
  readonly backgroundShell: NodeShell;
  readonly readOnlySandbox: ReadOnlySandbox;
}

/** Creates what runs commands: in the sandbox where the settings say so. */
export function sandboxedCommands(
  settings: Settings,
  roots: () => readonly string[],
  { data, ownFolders }: OwnFolders,
): SandboxedCommands {
  const rules = (): readonly unknown[] => settings('permissions.rules');
  const environment = (): Record<string, string> => commandEnvironment(process.env);
  const enabled = (): boolean => settings('terminal.sandbox') === 'on';
  const system = { temp: os.tmpdir(), home: os.homedir() };
  const sandbox = new CommandSandbox({
    enabled,
    folder: path.join(data, 'sandbox'),
    places: () => ({
      ...system,
      roots: roots(),
      ownFolders,
      allowedHosts: hostsOfRules(rules(), 'allow'),
      deniedHosts: hostsOfRules(rules(), 'deny'),
    }),
  });
  const shell = new NodeShell(environment, sandbox);
  const searchPath = (): string => environment()['PATH'] ?? '';
  const readOnlySandbox = createReadOnlySandbox({ ...system, enabled, searchPath });
  return { shell, backgroundShell: shell, readOnlySandbox };
}
