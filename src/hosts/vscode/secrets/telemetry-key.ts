/** The name in VS Code's secret storage of the key of the collector of traces. */
export const TELEMETRY_KEY = 'belay.telemetryKey';
