import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { NodeFileOperations } from '../../hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../hosts/node/files/file-system.ts';
import { pinFolder } from '../../hosts/node/files/pin-folder.ts';
import { UnfinishedWrites } from '../../hosts/node/files/unfinished-writes.ts';
import { ThreadPdfReader } from '../../hosts/node/pdf/pdf-reader.ts';
import { commandEnvironment } from '../../hosts/node/processes/command-environment.ts';
import { NodeShell } from '../../hosts/node/processes/shell.ts';
import { CommandSandbox } from '../../hosts/node/sandbox/command-sandbox.ts';
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

/** Commands, in the sandbox where the settings say so. */
export function sandboxedShell(
  settings: Settings,
  roots: () => readonly string[],
  { data, ownFolders }: OwnFolders,
): NodeShell {
  const rules = (): readonly unknown[] => settings('permissions.rules');
  const sandbox = new CommandSandbox({
    enabled: () => settings('terminal.sandbox') === 'on',
    folder: path.join(data, 'sandbox'),
    places: () => ({
      roots: roots(),
      temp: os.tmpdir(),
      home: os.homedir(),
      ownFolders,
      allowedHosts: hostsOfRules(rules(), 'allow'),
      deniedHosts: hostsOfRules(rules(), 'deny'),
    }),
  });
  return new NodeShell(() => commandEnvironment(process.env), sandbox);
}
