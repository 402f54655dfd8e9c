import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { TELEMETRY_KEY } from '../../secrets/telemetry-key.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** The command for the key of the collector of traces. */
export function telemetryCommands({ host }: CommandServices) {
  const { secrets } = host.extension;
  return {
    'belay.setTelemetryKey': async () => {
      const key = await vscode.window.showInputBox({
        title: l10n.t('Key of the Telemetry Collector'),
        prompt: l10n.t(
          'It is kept by VS Code and goes to the address in belay.telemetry.otlpEndpoint only. Empty: none.',
        ),
        password: true,
        ignoreFocusOut: true,
      });
      if (key === undefined) return;
      if (key.trim() === '') await secrets.delete(TELEMETRY_KEY);
      else await secrets.store(TELEMETRY_KEY, key.trim());
    },
  } satisfies Partial<CommandHandlers>;
}
