import path from 'node:path';
import { FileSpool } from '../../hosts/node/files/file-spool.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { lazy, lazyMethods } from '../../domain/lifetime/lazy.ts';
import type { HostCommands } from '../engine-host.ts';
import type { Terminal } from './terminal.ts';

/** Where commands run, loaded with the first one; and where their long outputs go. */
export function lazyTerminal(host: Host): {
  readonly ports: HostCommands;
  /** After the engine: what still runs is killed. */
  dispose(): void;
} {
  let loaded: Terminal | undefined;
  let disposed = false;
  const terminal = lazy(async () => {
    const { composeTerminal } = await import('./terminal.ts');
    loaded = composeTerminal(host);
    if (disposed) loaded.dispose();
    return loaded;
  });
  return {
    ports: {
      platform: process.platform === 'win32' ? 'windows' : 'posix',
      searchPath: process.env['PATH']?.split(path.delimiter) ?? [],
      shell: lazyMethods(async () => (await terminal()).shell),
      backgroundShell: lazyMethods(async () => (await terminal()).backgroundShell),
      readOnlySandbox: lazyMethods(async () => (await terminal()).readOnlySandbox),
      spool: new FileSpool(path.join(host.folders.data, 'outputs')),
      stopAbandoned: async (group) => {
        const { stopAbandoned } = await import('../../hosts/node/processes/process-group.ts');
        return stopAbandoned(group);
      },
    },
    dispose: () => {
      disposed = true;
      loaded?.dispose();
    },
  };
}
