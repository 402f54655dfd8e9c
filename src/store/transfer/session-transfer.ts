import type { Client } from '../client.ts';
import type { CounterIds } from '../ids.ts';
import { exportLines, type ExportOptions } from './export-lines.ts';
import type { ImportOptions, ImportReport } from './import-lines.ts';

/** Sessions as JSON Lines, lossless (D8). */
export class SessionTransfer {
  readonly #client: Client;
  readonly #ids: CounterIds;
  readonly #epoch: number;

  constructor(client: Client, ids: CounterIds, epoch: number) {
    this.#client = client;
    this.#ids = ids;
    this.#epoch = epoch;
  }

  /** Lines of a session with its children. Rejects with `not_found`. */
  exportSession(sessionId: string, options: ExportOptions = {}): AsyncGenerator<string, void> {
    return exportLines(this.#client, sessionId, options);
  }

  /**
   * Imports lines. A damaged file is refused with `invalid` and its line, or taken in part with
   * `partial`. Ids in use are replaced; usage does not count for this month; open runs are
   * `timed_out`, running calls `unknown`.
   */
  async importSession(
    lines: AsyncIterable<string> | Iterable<string>,
    options: ImportOptions = {},
  ): Promise<ImportReport> {
    // The checker of records is big and seldom needed.
    const { LineImport } = await import('./import-lines.ts');
    const job = new LineImport(this.#client, this.#ids, this.#epoch, options);
    return job.run(lines, async (above) => {
      this.#ids.rebase(await this.#client.call('takeEpoch', { above }));
    });
  }
}
