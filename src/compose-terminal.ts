import path from 'node:path';
import type { EngineHost } from './engine-host.ts';
import { FileSpool } from './hosts/node/file-spool.ts';
import { stopAbandoned } from './hosts/node/process-group.ts';
import { NodeShell } from './hosts/node/shell.ts';
import type { Host } from './hosts/vscode/host.ts';

/** Where commands run in a window of VS Code, and where their long outputs go. */
export interface Terminal {
  readonly ports: Pick<EngineHost, 'shell' | 'backgroundShell' | 'spool' | 'stopAbandoned'>;
  /** After the engine: what still runs is killed. */
  dispose(): void;
}

export function composeTerminal(host: Host): Terminal {
  const plain = new NodeShell();
  return {
    ports: {
      shell: plain,
      backgroundShell: plain,
      spool: new FileSpool(path.join(host.folders.data, 'outputs')),
      stopAbandoned,
    },
    dispose: () => plain.dispose(),
  };
}
