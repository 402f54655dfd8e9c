import type { Clock } from '../core/ports/clock.ts';
import type { Ids } from '../core/ports/ids.ts';
import type { SessionStates, StateChange } from '../core/ports/store/session-states.ts';
import type { Client } from './client.ts';
import type { Replacement, Snapshot } from './engine/snapshots.ts';

/** Saved states of sessions (D8). Rejects with `not_found`, or `busy` while a run is on. */
export interface Snapshots extends SessionStates {
  /** The newest first. */
  list(sessionId: string): Promise<readonly Snapshot[]>;
  save(sessionId: string, title: string): Promise<string>;
  delete(snapshotId: string): Promise<void>;
}

export function snapshotsOver(client: Client, clock: Clock, ids: Ids): Snapshots {
  const replacing = ({ title, values = {}, keepId }: StateChange): Replacement => ({
    keepId: keepId ?? ids.next('session'),
    keepTitle: title ?? 'Before the change',
    at: clock.now(),
    values,
  });
  return {
    list: (sessionId) => client.call('snapshots', sessionId),
    save: async (sessionId, title) => {
      const id = ids.next('session');
      await client.call('saveSnapshot', { sessionId, id, title, at: clock.now() });
      return id;
    },
    restore: async (snapshotId, change = {}) => {
      const replacement = replacing(change);
      await client.call('restoreSnapshot', { snapshotId, ...replacement });
      return replacement.keepId;
    },
    reset: async (sessionId, change = {}) => {
      const replacement = replacing(change);
      await client.call('resetSession', { sessionId, ...replacement });
      return replacement.keepId;
    },
    rewind: async ({ sessionId, fromSeq, lastSeq, ...change }) => {
      const replacement = replacing(change);
      await client.call('rewindSession', { sessionId, fromSeq, lastSeq, ...replacement });
      return replacement.keepId;
    },
    fork: (request) => client.call('forkSession', { ...request, at: clock.now() }),
    delete: (snapshotId) => client.call('deleteSession', snapshotId),
  };
}
