import type { Json } from '../../../domain/data/json.ts';
import {
  CHANGES_PREFIX,
  CHECKPOINTS_PREFIX,
  FORGOTTEN_KEY,
} from '../../../domain/session/session-values.ts';
import { isRecord } from '../agent-changes.ts';
import type { Values } from '../../ports/store/values.ts';
import type {
  LeafRecord,
  LeftOut,
  SnapshotStorage,
  Wanted,
  WorkspaceSnapshot,
} from '../../ports/files/workspace-snapshots.ts';
import { forgottenUntil } from './forgotten.ts';
import { isCheckpoint } from '../request-checkpoints.ts';

const DAY = 86_400_000;
/** Share of a pack that may be unwanted: when it is tidied up by the way, and when space is needed. */
const [LOOSE, TIGHT] = [0.5, 0.1];

export interface CheckpointLimits {
  readonly days: number;
  readonly bytes: number;
}

interface Parts {
  readonly snapshots: SnapshotStorage;
  readonly values: Values;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Every session there is. */
  readonly sessions: () => Promise<readonly string[]>;
  readonly limits: () => CheckpointLimits;
  /** Contents that something else needs, whatever is forgotten here. */
  readonly wanted?: () => readonly LeafRecord[];
  /** Snapshots that something else needs. */
  readonly seams?: () => Promise<readonly WorkspaceSnapshot[]>;
}

export interface StorageFacts {
  /** On disk. */
  readonly bytes: number;
  /** Before requests. */
  readonly requests: number;
  /** Calls of which it is on record what they changed. */
  readonly calls: number;
  /** Milliseconds since the epoch; `undefined`: nothing is kept. */
  readonly oldest: number | undefined;
  readonly limits: CheckpointLimits;
  /** Of the newest; `undefined`: there is none before a request. */
  readonly leftOut: LeftOut | undefined;
}

/** The person's wish. `gone`: only what no session has any more. */
export type CleanUp =
  | { readonly kind: 'gone' }
  | { readonly kind: 'older'; readonly days: number }
  | { readonly kind: 'everything' };

export interface CleanedUp {
  /** Records that were deleted. */
  readonly deleted: number;
  /** Bytes; `undefined`: another window uses the storage, which gives the space back later. */
  readonly left: number | undefined;
}

interface Kept {
  readonly sessionId: string;
  readonly key: string;
  readonly at: number;
  readonly leaves: readonly LeafRecord[];
  readonly checkpoint?: WorkspaceSnapshot;
  /** Goes on with a record that is too large for one value. */
  readonly isPart?: boolean;
}

/** The space that records and checkpoints take: bounded in age and size, the oldest go first. */
export class CheckpointStorage {
  readonly #parts: Parts;
  readonly #held = new Set<WorkspaceSnapshot>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A snapshot that is on no record yet stays. @returns lets go of it */
  hold(snapshot: WorkspaceSnapshot): () => void {
    this.#held.add(snapshot);
    return () => this.#held.delete(snapshot);
  }

  /** Forgets what is too old, and the oldest while more is kept than may be. */
  async clean(): Promise<void> {
    const { days, bytes: most } = this.#parts.limits();
    const kept = await this.#kept();
    await this.#forget(kept, (one) => one.at < this.#parts.now() - days * DAY);
    let bytes = await this.#sweep(kept, LOOSE);
    if (bytes !== undefined && bytes > most) bytes = await this.#sweep(kept, TIGHT);
    while (bytes !== undefined && bytes > most && kept.length > 0) {
      const quarter = new Set(kept.slice(0, Math.ceil(kept.length / 4)));
      await this.#forget(kept, (one) => quarter.has(one));
      bytes = await this.#sweep(kept, TIGHT);
    }
  }

  async cleanUp(what: CleanUp): Promise<CleanedUp> {
    const kept = await this.#kept();
    const before = kept.length;
    const limit = what.kind === 'older' ? this.#parts.now() - what.days * DAY : Infinity;
    if (what.kind !== 'gone') await this.#forget(kept, ({ at }) => at < limit);
    return { deleted: before - kept.length, left: await this.#sweep(kept, 0) };
  }

  async facts(): Promise<StorageFacts> {
    const kept = await this.#kept();
    const requests = kept.filter(({ checkpoint }) => checkpoint !== undefined);
    return {
      bytes: await this.#parts.snapshots.size(),
      requests: requests.length,
      calls: kept.filter(({ checkpoint, isPart }) => checkpoint === undefined && isPart !== true)
        .length,
      oldest: kept[0]?.at,
      limits: this.#parts.limits(),
      leftOut: requests.at(-1)?.checkpoint?.leftOut,
    };
  }

  /** The oldest first. */
  async #kept(): Promise<Kept[]> {
    const { values, sessions } = this.#parts;
    const kept: Kept[] = [];
    for (const sessionId of await sessions()) {
      for (const { key, value } of await values.list(CHANGES_PREFIX, sessionId))
        kept.push({ sessionId, key, ...(recordIn(value) ?? NOTHING) });
      for (const { key, value } of await values.list(CHECKPOINTS_PREFIX, sessionId))
        kept.push({
          sessionId,
          key,
          ...(isCheckpoint(value) ? { at: value.at, leaves: [], checkpoint: value } : NOTHING),
        });
    }
    return kept.toSorted((left, right) => left.at - right.at);
  }

  async #forget(kept: Kept[], isUnwanted: (one: Kept) => boolean): Promise<void> {
    const unwanted = kept.filter(isUnwanted);
    await this.#markForgotten(unwanted.filter(({ checkpoint }) => checkpoint === undefined));
    for (const one of unwanted) {
      await this.#parts.values.set(one.key, null, one.sessionId);
      kept.splice(kept.indexOf(one), 1);
    }
  }

  /** Before it is done, so that no restore ever seems to be whole that is not. */
  async #markForgotten(changes: readonly Kept[]): Promise<void> {
    const newest = new Map<string, number>();
    for (const { sessionId, at } of changes)
      newest.set(sessionId, Math.max(at, newest.get(sessionId) ?? 0));
    for (const [sessionId, at] of newest) {
      const known = await forgottenUntil(this.#parts.values, sessionId);
      if (at > (known ?? 0)) await this.#parts.values.set(FORGOTTEN_KEY, at, sessionId);
    }
  }

  async #sweep(kept: readonly Kept[], slack: number): Promise<number | undefined> {
    const seams = (await this.#parts.seams?.()) ?? [];
    const requests = kept.flatMap(({ checkpoint }) => checkpoint ?? []);
    const checkpoints = [...requests, ...seams, ...this.#held];
    const wanted: Wanted = {
      leaves: [...kept.flatMap(({ leaves }) => leaves), ...(this.#parts.wanted?.() ?? [])],
      trees: checkpoints.flatMap(({ folders }) => folders.map(({ tree }) => tree)),
    };
    return this.#parts.snapshots.sweep(wanted, slack);
  }
}

/** Of what cannot be read: it is as old as can be. */
const NOTHING = { at: 0, leaves: [] };

function recordIn(value: Json): Pick<Kept, 'at' | 'leaves' | 'isPart'> | undefined {
  if (!isRecord(value)) return undefined;
  const changes = value.folders.flatMap((folder) => folder.changes);
  const leaves = changes.flatMap(({ before, after }) => [before, after]);
  return { at: value.at, leaves, isPart: value.part !== undefined };
}
