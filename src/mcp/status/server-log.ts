import type { Clock } from '../../core/ports/clock.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';
import { HIDDEN } from '../../core/secrets/secret-book.ts';
import { cleanText } from '../../domain/text/honest-text.ts';

/** A line's author: we, the server's standard error or output, or its log messages. */
export type LogSource = 'belay' | 'stderr' | 'stdout' | 'server';

export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: LogSource;
  readonly text: string;
}

/** Lines kept of one server, and characters kept of a line. */
const mostLines = 500;
const longestLine = 1000;

/** Characters of a secret from which on it is masked; shorter ones stand in ordinary words. */
const shortestSecret = 8;

/** Lines in which a complaint is looked for; only for what is shown. */
const complaintLines = 20;
const complaint =
  /^(?!\s*at ).*(?:error|exception|cannot|can't|failed|fatal|invalid|missing|not found)/i;

/** A server's latest words; bounded, so that a flood costs no memory. */
export class ServerLog {
  readonly #clock: Clock;
  readonly #added = new Listeners();
  #lines: LogLine[] = [];
  #last = 0;
  #partial = '';
  /** The longer first: one may be a part of another. */
  #secrets: readonly string[] = [];
  #lastCall: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** The number of lines that were ever kept. */
  get last(): number {
    return this.#last;
  }

  /** Resolves when there are lines after this one, `together` ms later, so that a burst comes at once; or after `patience` ms. */
  async after(
    line: number,
    { patience, together }: { patience: number; together: number },
  ): Promise<void> {
    if (this.#last > line) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = this.#clock.after(patience, resolve);
    const listening = this.#added.listen(resolve);
    await promise;
    end.dispose();
    listening.dispose();
    if (this.#last > line) await this.#clock.sleep(together);
  }

  /** The last call of a tool, milliseconds since the epoch. */
  get lastCall(): number | undefined {
    return this.#lastCall;
  }

  /** A tool of the server is called. */
  called(tool: string): void {
    this.#lastCall = this.#clock.now();
    this.add('belay', `Calls “${tool}”.`);
  }

  /** From now on this text is masked wherever it would be said. */
  hide(secret: string): void {
    if (secret.length < shortestSecret || this.#secrets.includes(secret)) return;
    this.#secrets = [...this.#secrets, secret].toSorted((a, b) => b.length - a.length);
  }

  /** A text without the secrets that the server got. */
  masked(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  }

  add(source: LogSource, text: string): void {
    const shown = cleanText(
      this.masked(text.slice(0, 2 * longestLine)).slice(0, longestLine),
    ).trimEnd();
    if (shown === '') return;
    this.#lines.push({ at: this.#clock.now(), source, text: shown });
    this.#last += 1;
    this.#added.fire();
    // Cut in big steps: cutting at every line would copy the list each time.
    if (this.#lines.length > mostLines * 2) this.#lines = this.#lines.slice(-mostLines);
  }

  /** Text from standard error as it comes; lines are put together. */
  addStderr(text: string): void {
    const lines = (this.#partial + text).split('\n');
    this.#partial = (lines.pop() ?? '').slice(0, longestLine);
    // Of a burst only the end is kept; it would push everything else out anyway.
    for (const line of lines.slice(-mostLines)) this.add('stderr', line);
  }

  /** The last complaint on standard error, or the last line there. */
  lastError(): string | undefined {
    if (this.#partial !== '') this.addStderr('\n');
    const said = this.#lines.filter((line) => line.source === 'stderr').map((line) => line.text);
    // Node ends with its version, Python begins with a heading: the line that counts is near the end.
    return said.slice(-complaintLines).findLast((text) => complaint.test(text)) ?? said.at(-1);
  }
}
