import type { Json, JsonObject } from '../../domain/data/json.ts';
import { CHECKPOINTS_PREFIX } from '../../domain/session/session-values.ts';
import { within } from '../ports/time-budget.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Values } from '../ports/store/values.ts';
import type { WorkspaceSnapshot, WorkspaceSnapshots } from '../ports/files/workspace-snapshots.ts';

/** The workspace as it was when the person sent a message, as it is kept with the session. */
export type RequestCheckpoint = WorkspaceSnapshot & {
  readonly messageId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** Milliseconds that a run waits for it at most; it goes on without it then. */
const PATIENCE = 1000;

interface Parts {
  readonly snapshots: WorkspaceSnapshots;
  readonly values: Values;
  readonly clock: Clock;
  readonly log: Log;
  /** Folders of the workspace, absolute. */
  readonly roots: () => readonly string[];
  /** Absent: always. */
  readonly enabled?: (() => boolean) | undefined;
  /** After one was kept. */
  readonly onKept?: (() => void) | undefined;
}

/**
 * Checkpoints of the whole workspace before the person's requests, for what calls' records cannot
 * know. The run waits a bounded time, and only before its first changing call; a failure stops
 * nothing.
 */
export class RequestCheckpoints {
  readonly #parts: Parts;
  /** The newest of each session: over when it is taken, or when nobody waits for it any longer. */
  readonly #waits = new Map<string, Promise<unknown>>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins to take one. @param messageId of the request */
  begin(sessionId: string, messageId: string): void {
    const { roots, enabled = () => true, clock, log } = this.#parts;
    if (!enabled() || roots().length === 0) return;
    const taking = this.#take(sessionId, messageId).catch((thrown: unknown) => {
      log.warn('There is no checkpoint of the workspace before a request.', {
        reason: String(thrown),
      });
    });
    this.#underWay.add(taking);
    void taking.then(() => this.#underWay.delete(taking));
    const wait = within(clock, PATIENCE, taking);
    this.#waits.set(sessionId, wait);
    void this.#waited(sessionId, wait);
  }

  async #waited(sessionId: string, wait: Promise<unknown>): Promise<void> {
    await wait;
    if (this.#waits.get(sessionId) === wait) this.#waits.delete(sessionId);
  }

  /** Resolves when the newest is taken, at most a second after it was begun. */
  async ready(sessionId: string): Promise<void> {
    await this.#waits.get(sessionId);
  }

  /** Resolves when none is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async list(sessionId: string): Promise<readonly RequestCheckpoint[]> {
    const found = await this.#parts.values.list(CHECKPOINTS_PREFIX, sessionId);
    return found.flatMap(({ value }) => (isCheckpoint(value) ? [value] : []));
  }

  /** `undefined`: there is none of that message (any more). */
  async of(sessionId: string, messageId: string): Promise<RequestCheckpoint | undefined> {
    const found = await this.#parts.values.get(`${CHECKPOINTS_PREFIX}${messageId}`, sessionId);
    return found !== undefined && isCheckpoint(found) ? found : undefined;
  }

  async #take(sessionId: string, messageId: string): Promise<void> {
    const { snapshots, values, clock, roots, onKept } = this.#parts;
    const at = clock.now();
    const { folders, leftOut } = await snapshots.take(roots());
    const kept: RequestCheckpoint = { messageId, at, folders, leftOut };
    await values.set(`${CHECKPOINTS_PREFIX}${messageId}`, kept, sessionId);
    onKept?.();
  }
}

/** Of an import anything may come. */
export function isCheckpoint(value: Json): value is Json & RequestCheckpoint {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { messageId, folders, leftOut } = value as JsonObject;
  return typeof messageId === 'string' && Array.isArray(folders) && typeof leftOut === 'object';
}
