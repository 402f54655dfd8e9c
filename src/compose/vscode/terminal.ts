import path from 'node:path';
import type { BackgroundShell } from '../../core/ports/commands/background-shell.ts';
import type { ReadOnlySandbox } from '../../core/ports/commands/read-only-sandbox.ts';
import type { Shell } from '../../core/ports/commands/shell.ts';
import { commandEnvironment } from '../../hosts/node/processes/command-environment.ts';
import { MARKER, newMarker, startOf } from '../../hosts/node/processes/command-family.ts';
import { CommandLimits } from '../../hosts/node/processes/command-limits.ts';
import {
  processBirth,
  stopDetached,
  stopGroup,
  stopLeftBehind,
} from '../../hosts/node/processes/process-group.ts';
import { ProcessGuard } from '../../hosts/node/processes/process-guard.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { listOwnFolders } from '../../hosts/vscode/own-folders.ts';
import { sandboxedCommands } from '../node/node-ports.ts';
import { canSandbox } from '../../hosts/node/sandbox/read-only-sandbox.ts';
import { askForSandbox } from '../../hosts/vscode/terminal/ask-for-sandbox.ts';
import { offerSandbox } from '../../window/terminal/sandbox-offer.ts';
import { IntegratedShell } from '../../hosts/vscode/terminal/integrated-shell.ts';

/** Where commands run in a window of VS Code. */
export interface Terminal {
  readonly shell: Shell;
  readonly backgroundShell: BackgroundShell;
  readonly readOnlySandbox: ReadOnlySandbox;
  /** After the engine: what still runs is killed. */
  dispose(): void;
}

/** Commands in the background are always plain processes: their input is ours, and nobody has to watch them. */
export function composeTerminal(host: Host): Terminal {
  const { settings, folders, workspace } = host;
  const own = { data: folders.data, ownFolders: listOwnFolders(folders) };
  const { shell: plain, readOnlySandbox } = sandboxedCommands(
    settings.get,
    () => workspace.roots,
    own,
  );
  const guard = new ProcessGuard();
  const shell = new IntegratedShell({
    plain,
    log: host.log,
    folder: path.join(host.folders.data, 'terminal', String(process.pid)),
    enabled: () => settings.get('terminal.integrated'),
    sandboxed: () => settings.get('terminal.sandbox') === 'on',
    system: {
      environment: () => commandEnvironment(process.env),
      processBirth,
      stopGroup,
      stopLeftBehind,
      marker: () => ({ name: MARKER, value: newMarker() }),
      startOf,
      stopDetached,
      limits: (request, stop) => new CommandLimits(request, stop),
      guard: (leader) => guard.watch(leader),
    },
  });
  const offer = (): Promise<void> =>
    offerSandbox({
      state: host.extension.sharedState,
      isOn: () => settings.get('terminal.sandbox') === 'on',
      canSandbox: () => canSandbox(commandEnvironment(process.env)['PATH'] ?? '', workspace.roots),
      ask: askForSandbox,
      turnOn: async () => settings.write('terminal.sandbox', 'on'),
    }).catch((error: unknown) =>
      host.log.warn('The sandbox could not be offered.', { reason: String(error) }),
    );
  return {
    shell: {
      run: async (request) => {
        void offer();
        return shell.run(request);
      },
    },
    backgroundShell: plain,
    readOnlySandbox,
    dispose: () => {
      shell.dispose();
      guard.dispose();
      plain.dispose();
    },
  };
}
