import type { SessionView } from '../../protocol/snapshot.ts';
import type { RunPhase, RunView } from '../../protocol/view.ts';

/** A session's state while events come in: what is shown, and what is not shown yet. */
export interface SessionState {
  readonly view: SessionView;
  /** Arguments that are still being written, by call. */
  readonly inputs: ReadonlyMap<string, PartialInput>;
}

/** The beginning of the arguments and their length so far. */
export interface PartialInput {
  readonly raw: string;
  readonly total: number;
}

/** The state of a session of which nothing is known but what is shown. */
export function sessionState(view: SessionView): SessionState {
  return { view, inputs: new Map() };
}

/** "Stopping" stays until the end, whatever is still heard of the run. */
export function phase(
  before: RunView,
  next: RunPhase,
  at: number,
  more: Partial<RunView> = {},
): RunView {
  const now = before.phase === 'stopping' ? 'stopping' : next;
  return {
    ...before,
    ...more,
    phase: now,
    phaseSince: now === before.phase ? before.phaseSince : at,
  };
}
