import type { Checkpoint, CheckpointKind, Run } from '../../domain/run.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';

interface RunRecordPorts {
  readonly clock: Clock;
  readonly recorder: Recorder;
}

/** A run on disk: its row, and its checkpoints (C8). */
export class RunRecord {
  readonly #ports: RunRecordPorts;
  #run: Run;
  #checkpoints: number;

  /** @param checkpoints of the run so far */
  constructor(run: Run, checkpoints: number, ports: RunRecordPorts) {
    this.#run = run;
    this.#checkpoints = checkpoints;
    this.#ports = ports;
  }

  get run(): Run {
    return this.#run;
  }

  /** Changes the row; it is on disk with the next checkpoint, or `save`. */
  change(changes: Partial<Run>): void {
    this.#run = { ...this.#run, ...changes };
  }

  async save(): Promise<void> {
    await this.#ports.recorder.commit([{ kind: 'run', run: this.#run }]);
  }

  /** One transaction: what happened, the run's row, and the state to go on from. */
  async checkpoint(
    kind: CheckpointKind,
    writes: readonly Write[],
    state: Omit<Checkpoint, 'runId' | 'sessionId' | 'number' | 'kind'>,
  ): Promise<void> {
    this.#checkpoints += 1;
    const { clock, recorder } = this.#ports;
    this.change({ iteration: state.iteration, heartbeatAt: clock.now() });
    const { id: runId, sessionId } = this.#run;
    const checkpoint = { runId, sessionId, number: this.#checkpoints, kind, ...state };
    await recorder.commit([
      ...writes,
      { kind: 'run', run: this.#run },
      { kind: 'checkpoint', checkpoint },
    ]);
  }
}
