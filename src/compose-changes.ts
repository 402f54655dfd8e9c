import { AgentChanges } from './core/agent-changes.ts';
import type { Disposable } from './core/ports.ts';
import type { WrapToolCall } from './core/tool-call/tool-call.ts';
import { recordedChanges } from './core/tool-call/recorded-changes.ts';
import type { ReviewKit } from './compose-review.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from './store/store.ts';

/** What the agent changed in the workspace, and the way back. */
export interface ChangesKit {
  readonly changes: AgentChanges;
  readonly record: WrapToolCall;
  dispose(): void;
}

/** Milliseconds from the first change of a window until old ones are cleaned up. */
const CLEAN_AFTER = 60_000;

/** `undefined` where the host takes no snapshots. */
export function composeChanges(
  host: EngineHost,
  store: Store,
  review: Pick<ReviewKit, 'wanted'>,
): ChangesKit | undefined {
  const { snapshots, clock, files, log } = host;
  if (snapshots === undefined) return undefined;
  const { values } = store;
  const changes = new AgentChanges({
    snapshots,
    values,
    now: () => clock.now(),
    wanted: () => review.wanted(),
  });
  const clean = async (): Promise<void> => {
    const sessions = await store.transcripts.sessions();
    await changes.clean(sessions.map(({ id }) => id));
  };
  // Not at the start, where it would cost, and only where there is something.
  let cleaning: Disposable | undefined;
  const cleanOnce = (): void => {
    cleaning ??= clock.after(CLEAN_AFTER, () => {
      clean().catch((error: unknown) => {
        log.warn('Old snapshots could not be cleaned up.', { reason: String(error) });
      });
    });
  };
  return {
    changes,
    record: recordedChanges({ changes, snapshots, files, clock, log, onRecorded: cleanOnce }),
    dispose: () => cleaning?.dispose(),
  };
}
