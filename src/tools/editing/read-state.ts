import { createHash } from 'node:crypto';
import { READ_PREFIX } from '../../domain/session/session-values.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { FileStat } from '../../core/ports/files/file-system.ts';
import type { Values } from '../../core/ports/store/values.ts';

/** A file at a moment; without content, size and time have to do. */
export interface FileMoment {
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt'>;
  readonly content?: Uint8Array;
}

/** The stored record of a file that a session has read. */
type Seen = {
  readonly size: number;
  readonly modifiedAt: number;
  /** Of the whole content; absent when only a part was read. */
  readonly hash?: string;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
};

/** Bytes of content kept of all files together; what was read longest ago goes first. */
const MOST_CONTENT = 32 * 1024 * 1024;
/** Larger files are known by their hash only. */
const LARGEST_CONTENT = 2 * 1024 * 1024;
/** Files of a session that are stored, and the number of reads between two checks of it. */
const MAX_FILES = 2000;
const CHECK_EVERY = 100;

/**
 * Files that each session has read, by real path and content where it is known: an edit needs the present one. It is
 * stored, so that another process that takes the session over knows it, too; contents are kept in memory only.
 */
export class ReadState {
  readonly #values: Pick<Values, 'get' | 'set' | 'list'>;
  readonly #clock: Pick<Clock, 'now'>;
  /** The bases of merges when files have changed since, by session and path; while there is room. */
  readonly #contents = new Map<string, { readonly hash: string; readonly content: Uint8Array }>();
  #contentBytes = 0;
  #reads = 0;
  /** True when the session's model is told otherwise how a file's text became another. */
  readonly isTold: (sessionId: string, path: string, from: string, to: string) => boolean;

  constructor(
    values: Pick<Values, 'get' | 'set' | 'list'>,
    clock: Pick<Clock, 'now'>,
    isTold: ReadState['isTold'] = () => false,
  ) {
    this.#values = values;
    this.#clock = clock;
    this.isTold = isTold;
  }

  /** The session knows the file as it is at this moment. */
  note(sessionId: string, realPath: string, { stat, content }: FileMoment): void {
    const { size, modifiedAt } = stat;
    const known = content === undefined ? undefined : { hash: hashOf(content), content };
    this.#keep(`${sessionId} ${realPath}`, known);
    const hash = known === undefined ? {} : { hash: known.hash };
    const seen: Seen = { size, modifiedAt, ...hash, readAt: this.#clock.now() };
    // Stored before the result of the call is; what cannot be stored is read again.
    void this.#save(sessionId, realPath, seen).catch(() => undefined);
  }

  /** The whole content as the session knows it, where it is still kept. */
  async contentOf(sessionId: string, realPath: string): Promise<Uint8Array | undefined> {
    const kept = this.#contents.get(`${sessionId} ${realPath}`);
    const seen = await this.#seen(sessionId, realPath);
    return kept?.hash === seen?.hash ? kept?.content : undefined;
  }

  async of(
    sessionId: string,
    realPath: string,
    now: FileMoment,
  ): Promise<'unread' | 'changed' | 'current'> {
    const seen = await this.#seen(sessionId, realPath);
    if (seen === undefined) return 'unread';
    const same =
      seen.hash !== undefined && now.content !== undefined
        ? seen.hash === hashOf(now.content)
        : seen.size === now.stat.size && seen.modifiedAt === now.stat.modifiedAt;
    return same ? 'current' : 'changed';
  }

  /** True when any session has read such a file in this process, not long ago. */
  hasRead(path: RegExp): boolean {
    return [...this.#contents.keys()].some((key) => path.test(key));
  }

  async #seen(sessionId: string, realPath: string): Promise<Seen | undefined> {
    return (await this.#values.get(READ_PREFIX + realPath, sessionId)) as Seen | undefined;
  }

  async #save(sessionId: string, realPath: string, seen: Seen): Promise<void> {
    await this.#values.set(READ_PREFIX + realPath, seen, sessionId);
    this.#reads += 1;
    if (this.#reads % CHECK_EVERY !== 0) return;
    const stored = await this.#values.list(READ_PREFIX, sessionId);
    const oldest = stored.toSorted((a, b) => (a.value as Seen).readAt - (b.value as Seen).readAt);
    for (const { key } of oldest.slice(0, -MAX_FILES)) await this.#values.set(key, null, sessionId);
  }

  #keep(key: string, known: { hash: string; content: Uint8Array } | undefined): void {
    this.#drop(key);
    if (known === undefined || known.content.length > LARGEST_CONTENT) return;
    this.#contents.set(key, known);
    this.#contentBytes += known.content.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#contentBytes <= MOST_CONTENT) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#contentBytes -= this.#contents.get(key)?.content.length ?? 0;
    this.#contents.delete(key);
  }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64');
}
