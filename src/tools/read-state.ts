import type { FileStat } from '../core/ports.ts';

interface Seen {
  readonly size: number;
  readonly modifiedAt: number;
}

/** Sessions remembered; the one that was used longest ago goes first. */
const SESSIONS = 200;

/**
 * What each session has read, by real path: an edit needs to have seen the file as it is now.
 * In memory only; after a restart the model reads again, which is cheap and safe.
 */
export class ReadState {
  readonly #sessions = new Map<string, Map<string, Seen>>();

  /** The session knows the file as it is at this `stat`. */
  note(
    sessionId: string,
    realPath: string,
    { size, modifiedAt }: Pick<FileStat, 'size' | 'modifiedAt'>,
  ): void {
    const files = this.#sessions.get(sessionId) ?? new Map<string, Seen>();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, files);
    files.set(realPath, { size, modifiedAt });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** How what the session has seen relates to the file as it is. */
  of(
    sessionId: string,
    realPath: string,
    now: Pick<FileStat, 'size' | 'modifiedAt'>,
  ): 'unread' | 'changed' | 'current' {
    const seen = this.#sessions.get(sessionId)?.get(realPath);
    if (seen === undefined) return 'unread';
    return seen.size === now.size && seen.modifiedAt === now.modifiedAt ? 'current' : 'changed';
  }

  /** Forgets a session that was deleted. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
