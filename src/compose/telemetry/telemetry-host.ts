import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Settings } from '../../domain/settings/settings.ts';

/** The parts of the host that telemetry needs. */
export interface TelemetryHost {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** The key of the collector; absent: it needs none. */
  readonly key: () => Promise<string | undefined>;
  /** The environment of the process, read only where the person says so. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of Belay. */
  readonly version: string;
}
