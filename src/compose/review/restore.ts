import type { Agent } from '../../core/run/agent.ts';
import { SessionFork } from '../../core/restore/session-fork.ts';
import { SessionRedo } from '../../core/restore/session-redo.ts';
import { SessionRestore } from '../../core/restore/session-restore.ts';
import { TurnUndo } from '../../core/restore/turn-undo.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { SessionRegistry } from '../../core/session/session-registry.ts';
import type { ChangesKit } from './changes.ts';
import type { EngineHost } from '../engine-host.ts';
import type { Store } from '../../store/store.ts';

/** The ways back: to how it was before a message, and to a session of its own from there. */
export interface RestoreKit {
  readonly restore: Pick<SessionRestore, keyof SessionRestore>;
  readonly redo: Pick<SessionRedo, keyof SessionRedo>;
  readonly fork: Pick<SessionFork, keyof SessionFork>;
  readonly turnUndo: Pick<TurnUndo, keyof TurnUndo>;
}

export function composeRestore(
  { clock, commands: { spool } }: EngineHost,
  parts: {
    readonly store: Store;
    readonly agent: Agent;
    readonly registry: SessionRegistry;
    readonly changes: Pick<ChangesKit, 'changes' | 'requests'> | undefined;
    readonly reviews: Reviews | undefined;
  },
): RestoreKit {
  const { store, agent, registry, reviews } = parts;
  const { changes, requests } = parts.changes ?? {};
  const { transcripts, values, recorder, ids, snapshots: states } = store;
  const ways = { agent, transcripts, states, values, recorder, changes, requests, ids, clock };
  const follow = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths)
      await reviews?.files.inTurn(path, async () => reviews.files.fileChanged(path));
  };
  return {
    turnUndo: new TurnUndo({ ...ways, follow }),
    restore: new SessionRestore(ways),
    redo: new SessionRedo(ways),
    fork: new SessionFork({ ...ways, sessions: registry, spool }),
  };
}
