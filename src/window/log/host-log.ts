import { maskEntry } from '../../core/secrets/log-masking.ts';
import type { Log } from '../../core/ports/log.ts';
import { BelayError } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { SettingValues } from '../../domain/settings/settings.ts';

export type LogLevel = SettingValues['log.level'];

const ORDER: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/** Where lines go: VS Code's log output channel, and a file. */
export interface LogSinks {
  /** The channel has levels of its own, chosen in VS Code. */
  readonly channel: Readonly<Record<LogLevel, (line: string) => void>>;
  readonly file: { append(line: string): void };
}

/** The log (E9): levels, both sinks, and never a secret. */
export class HostLog implements Log {
  readonly #sinks: LogSinks;
  readonly #level: () => LogLevel;
  readonly #now: () => number;
  readonly #secrets = new Set<string>();

  /** `level` decides what the file gets; it is asked for each line. */
  constructor(sinks: LogSinks, level: () => LogLevel, now: () => number = Date.now) {
    this.#sinks = sinks;
    this.#level = level;
    this.#now = now;
  }

  /** From now on this text is masked wherever it would be written. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  debug(message: string, details?: JsonObject): void {
    this.#write('debug', message, details);
  }

  info(message: string, details?: JsonObject): void {
    this.#write('info', message, details);
  }

  warn(message: string, details?: JsonObject): void {
    this.#write('warn', message, details);
  }

  error(message: string, thrown?: unknown): void {
    this.#write('error', thrown === undefined ? message : `${message} ${described(thrown)}`);
  }

  #write(level: LogLevel, message: string, details?: JsonObject): void {
    const shown = details === undefined ? message : `${message} ${JSON.stringify(details)}`;
    const line = maskEntry(shown, this.#secrets);
    this.#sinks.channel[level](line);
    if (ORDER.indexOf(level) > ORDER.indexOf(this.#level())) return;
    this.#sinks.file.append(`${new Date(this.#now()).toISOString()} [${level}] ${line}`);
  }
}

/** The stack with its causes; the code of a failure of ours. */
function described(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = thrown instanceof BelayError ? `[${thrown.code}] ` : '';
  const cause = thrown.cause === undefined ? '' : `\nCaused by: ${described(thrown.cause)}`;
  return `${code}${thrown.stack ?? thrown.message}${cause}`;
}
