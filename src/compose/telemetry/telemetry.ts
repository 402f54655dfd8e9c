import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Engine } from '../engine.ts';
import type { TelemetryHost } from './telemetry-host.ts';

/**
 * Sends traces of runs to the collector that the person names, from the first run on that begins while one is named
 * (C11). Until then nothing of it is loaded.
 */
export function openTelemetry(
  engine: Pick<Engine, 'broker' | 'store' | 'secrets' | 'names'>,
  host: TelemetryHost,
): { dispose(): Promise<void> } {
  const { settings } = host;
  const isOn = (): boolean =>
    settings('telemetry.otlpEndpoint') !== '' || settings('telemetry.useEnvironment');
  const closing = new AbortController();
  let opened: Promise<Telemetry> | undefined;
  const waiting = engine.broker.listen((event) => {
    if (event.type !== 'agent_run.started' || !isOn()) return;
    waiting.dispose();
    const events = engine.broker.subscribe(closing.signal);
    events.add(event);
    opened = import('./telemetry-export.ts').then(({ exportTelemetry }) =>
      exportTelemetry(engine, host, events),
    );
    opened.catch((error: unknown) => host.log.error('Telemetry could not begin.', error));
  });
  return {
    dispose: async () => {
      waiting.dispose();
      closing.abort();
      await (await opened?.catch(() => undefined))?.dispose();
    },
  };
}
