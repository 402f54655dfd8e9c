import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Blobs } from '../ports/store/blobs.ts';
import type { Leases } from '../ports/store/leases.ts';
import type { RunRecords } from '../ports/store/run-records.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SessionSummaries } from '../session/session-summaries.ts';
import type { HandoffPorts } from './recovery/handoff.ts';
import type { StartRunPorts } from './start-run.ts';
import type { Run, StartedProcess } from '../../domain/run.ts';

export interface AgentParts extends Omit<StartRunPorts, 'steering'> {
  readonly runs: RunRecords;
  readonly leases: Leases;
  /** A file of an earlier message. */
  readonly attachment: Blobs['attachment'];
  readonly sessions: SessionRegistry;
  readonly summaries: Pick<SessionSummaries, 'summarize' | 'undo' | 'shares'>;
  readonly promptHash: HandoffPorts['promptHash'];
  /** Prompts that come back into their sessions; `wake` starts what has come into queues. Absent: none do. */
  readonly followUps?: { start(wake: () => Promise<void>): Promise<Disposable> };
  /** Runs that may be on at a time, at least 1. */
  readonly parallelRuns: () => number;
  /** A part of the record was lost, and it is not known which. */
  readonly isDamaged: () => boolean;
  /**
   * Gives the names of the tools that only read when this run may go on by itself after a start (C8), which each run
   * may once: one that ends its process would be paid for at every start. `undefined`: the user decides.
   */
  readonly autoResume: (
    run: Pick<Run, 'id' | 'sessionId'>,
  ) => Promise<ReadonlySet<string> | undefined>;
  readonly stopAbandoned: (group: StartedProcess) => Promise<boolean>;
  /** A call of the model may ask the person something: none is made before they have acted. Absent: none does. */
  readonly asksPerson?: (model: string) => boolean;
  /** Listeners beside runs. */
  readonly beside: {
    /** Told of the first message of a session, when it is on disk: it needs a title. Never awaited. */
    first(session: Session, text: string): void;
    /** Ends what belongs to a session outside the store. */
    removed?(sessionId: string): Promise<void>;
  };
}
