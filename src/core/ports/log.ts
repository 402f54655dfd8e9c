import type { JsonObject } from '../../domain/data/json.ts';

export interface Log {
  debug(message: string, details?: JsonObject): void;
  info(message: string, details?: JsonObject): void;
  warn(message: string, details?: JsonObject): void;
  /** `thrown` gives the stack to the log, never to the panel. */
  error(message: string, thrown?: unknown): void;
}
