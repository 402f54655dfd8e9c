import type { Clock } from '../../core/ports/clock.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import { TELEMETRY_KEY } from '../../hosts/vscode/secrets/telemetry-key.ts';
import type { Engine } from '../engine.ts';
import { openTelemetry } from '../telemetry/telemetry.ts';

/** Traces of the window's runs, for a collector that the person names. */
export function composeTelemetry(
  { settings, log, extension }: Host,
  engine: Engine,
  clock: Clock,
): { dispose(): Promise<void> } {
  return openTelemetry(engine, {
    clock,
    log,
    settings: settings.get,
    key: async () => {
      const key = await extension.secrets.get(TELEMETRY_KEY);
      if (key !== undefined) log.hide(key);
      return key;
    },
    environment: process.env,
    version: extension.version,
  });
}
