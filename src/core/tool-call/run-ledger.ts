import type { LedgerEntry } from '../../domain/run.ts';
import type { Log } from '../ports/log.ts';
import type { RunRecorder } from '../run/patient-recorder.ts';
import type { Recorder } from '../ports/store/recorder.ts';
import type { RunRecords } from '../ports/store/run-records.ts';

/** The recorder of a run's rows, so that they keep their place among its other records. */
type RowRecorder = Pick<RunRecorder, 'commit' | 'recorded'>;

/** The ledger of the runs at work (C9), in memory and on disk, in the order of the calls. */
export class RunLedger {
  readonly #recorder: Pick<Recorder, 'commit'>;
  readonly #recorders = new Map<string, RowRecorder>();
  readonly #records: Pick<RunRecords, 'ledger'>;
  readonly #log: Log;
  readonly #runs = new Map<string, Map<string, LedgerEntry> | Promise<Map<string, LedgerEntry>>>();

  constructor(recorder: Pick<Recorder, 'commit'>, records: Pick<RunRecords, 'ledger'>, log: Log) {
    this.#recorder = recorder;
    this.#records = records;
    this.#log = log;
  }

  /** Runs that are held in memory; 0 when every run was ended. */
  get size(): number {
    return this.#runs.size;
  }

  /** A run that has no rows yet: saves the reading. */
  begin(runId: string): void {
    if (!this.#runs.has(runId)) this.#runs.set(runId, new Map());
  }

  /** The run's rows go through this recorder: what waits there holds them back as well. */
  recordWith(runId: string, recorder: RowRecorder): void {
    this.#recorders.set(runId, recorder);
  }

  /** Resolves when everything that a run at work has done is on disk; rejects when a record was refused. */
  async recorded(runId: string): Promise<void> {
    await this.#recorders.get(runId)?.recorded();
  }

  /** Lets go of a run's rows in memory, and of its recorder. */
  end(runId: string): void {
    this.#runs.delete(runId);
    this.#recorders.delete(runId);
  }

  async entry(runId: string, callId: string): Promise<LedgerEntry | undefined> {
    return (await this.#rows(runId)).get(callId);
  }

  /** Changes a row, in memory at once. Resolves when it is durable; rejects with `store`. */
  record(entry: LedgerEntry): Promise<void> {
    this.remember(entry);
    const recorder = this.#recorders.get(entry.runId) ?? this.#recorder;
    return recorder.commit([{ kind: 'ledger', entry }]);
  }

  /** Changes a row in memory only; it goes to disk with the next `record` of that call. */
  remember(entry: LedgerEntry): void {
    const rows = this.#runs.get(entry.runId);
    if (rows instanceof Map) rows.set(entry.callId, entry);
  }

  /** Like `record`, not waited for: a write that fails is logged, and the next awaited one fails too. */
  recordSoon(entry: LedgerEntry): void {
    this.record(entry).catch((error: unknown) => {
      this.#log.error(
        `The record of call ${entry.callId} (${entry.state}) could not be written.`,
        error,
      );
    });
  }

  async #rows(runId: string): Promise<Map<string, LedgerEntry>> {
    const known = this.#runs.get(runId);
    if (known !== undefined) return known;
    const reading = this.#read(runId);
    this.#runs.set(runId, reading);
    try {
      const rows = await reading;
      this.#runs.set(runId, rows);
      return rows;
    } catch (error) {
      this.#runs.delete(runId);
      throw error;
    }
  }

  async #read(runId: string): Promise<Map<string, LedgerEntry>> {
    const rows = await this.#records.ledger({ runId });
    return new Map(rows.map((row) => [row.callId, row]));
  }
}
