import path from 'node:path';
import type { EngineHost } from './engine-host.ts';
import { commandEnvironment } from './hosts/node/command-environment.ts';
import { FileSpool } from './hosts/node/file-spool.ts';
import {
  groupIsAlive,
  processBirth,
  stopAbandoned,
  stopGroup,
} from './hosts/node/process-group.ts';
import { ProcessGuard } from './hosts/node/process-guard.ts';
import { NodeShell } from './hosts/node/shell.ts';
import type { Host } from './hosts/vscode/host.ts';
import { EditorTasks } from './hosts/vscode/tasks/editor-tasks.ts';
import { IntegratedShell } from './hosts/vscode/terminal/integrated-shell.ts';

/** Where commands run in a window of VS Code, and where their long outputs go. */
export interface Terminal {
  readonly ports: Pick<
    EngineHost,
    'shell' | 'backgroundShell' | 'spool' | 'stopAbandoned' | 'tasks'
  >;
  /** After the engine: what still runs is killed. */
  dispose(): void;
}

/** Commands in the background are always plain processes: their input is ours, and nobody has to watch them. */
export function composeTerminal(host: Host): Terminal {
  const plain = new NodeShell();
  const guard = new ProcessGuard();
  const shell = new IntegratedShell({
    plain,
    log: host.log,
    folder: path.join(host.folders.data, 'terminal', String(process.pid)),
    enabled: () => host.settings.get('terminal.integrated'),
    system: {
      environment: () => commandEnvironment(process.env),
      processBirth,
      groupIsAlive,
      stopGroup,
      guard: (leader) => guard.watch(leader),
    },
  });
  return {
    ports: {
      shell,
      backgroundShell: plain,
      spool: new FileSpool(path.join(host.folders.data, 'outputs')),
      stopAbandoned,
      tasks: new EditorTasks(),
    },
    dispose: () => {
      shell.dispose();
      guard.dispose();
      plain.dispose();
    },
  };
}
