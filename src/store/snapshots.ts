import type { Clock, Ids } from '../core/ports.ts';
import type { Client } from './client.ts';
import type { Snapshot } from './engine/snapshots.ts';

/** Saved states of sessions (D8). Rejects with `not_found`, or `busy` while a run is on. */
export interface Snapshots {
  /** The newest first. */
  list(sessionId: string): Promise<readonly Snapshot[]>;
  /** Keeps the session as it is now; gives the snapshot's id. */
  save(sessionId: string, title: string): Promise<string>;
  /** Puts the session back; what it was becomes an automatic snapshot, whose id is given. */
  restore(snapshotId: string): Promise<string>;
  /** Empties the session; what it was becomes an automatic snapshot, whose id is given. */
  reset(sessionId: string): Promise<string>;
  delete(snapshotId: string): Promise<void>;
}

export function snapshotsOver(client: Client, clock: Clock, ids: Ids): Snapshots {
  return {
    list: (sessionId) => client.call('snapshots', sessionId),
    save: async (sessionId, title) => {
      const id = ids.next('session');
      await client.call('saveSnapshot', { sessionId, id, title, at: clock.now() });
      return id;
    },
    restore: async (snapshotId) => {
      const keepId = ids.next('session');
      await client.call('restoreSnapshot', { snapshotId, keepId, at: clock.now() });
      return keepId;
    },
    reset: async (sessionId) => {
      const keepId = ids.next('session');
      await client.call('resetSession', { sessionId, keepId, at: clock.now() });
      return keepId;
    },
    delete: (snapshotId) => client.call('deleteSession', snapshotId),
  };
}
