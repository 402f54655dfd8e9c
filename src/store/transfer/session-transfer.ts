import type { Client } from '../client.ts';
import type { CounterIds } from '../ids.ts';
import { exportLines } from './export-lines.ts';
import type { ImportOptions, ImportReport } from './import-lines.ts';
import type { Mask } from './mask.ts';

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

  /**
   * The lines of a session with its children, without line ends; `mask` takes secrets out of every
   * text. Rejects with `not_found`.
   */
  exportSession(
    sessionId: string,
    options: { readonly mask?: Mask } = {},
  ): AsyncGenerator<string, void> {
    return exportLines(this.#client, sessionId, options.mask);
  }

  /**
   * Imports lines (without line ends). A damaged file is refused with `invalid`, line and reason in
   * the message and in `details`, and nothing is kept; with `partial` the good lines are taken and
   * the report names the others. Ids that are in use here are replaced. Imported usage does not
   * count for this month; a run that was on is `timed_out`, its running calls `unknown`, and no
   * imported run can be resumed.
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
