import type { Session } from '../../domain/session.ts';
import type { Leases } from '../ports/store/leases.ts';
import type { RunRecords } from '../ports/store/run-records.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { SessionSummaries } from '../session/session-summaries.ts';
import type { HandoffPorts } from './handoff.ts';
import type { StartRunPorts } from './start-run.ts';
import type { StartedProcess } from '../../domain/run.ts';

export interface AgentParts extends Omit<StartRunPorts, 'takeSteering' | 'putBackSteering'> {
  readonly runs: RunRecords;
  readonly leases: Leases;
  readonly sessions: SessionRegistry;
  readonly summaries: Pick<SessionSummaries, 'summarize' | 'undo' | 'shares'>;
  readonly promptHash: HandoffPorts['promptHash'];
  /** Runs that may be on at a time, at least 1. */
  readonly parallelRuns: () => number;
  /** A part of the record was lost, and it is not known which. */
  readonly isDamaged: () => boolean;
  readonly stopAbandoned: (group: StartedProcess) => Promise<boolean>;
  /** Ends what belongs to a session outside the store. */
  readonly forgotten?: (sessionId: string) => Promise<void>;
  /** A call of the model may ask the person something: none is made before they have acted. Absent: none does. */
  readonly asksPerson?: (model: string) => boolean;
  /** Told after each run of a session: titles, indexes. Never awaited. */
  readonly titled: (session: Session, text: string) => void;
}
