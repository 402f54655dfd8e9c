import { createHash } from 'node:crypto';
import type { FileStat } from '../../core/ports/files/file-system.ts';

interface Seen {
  readonly size: number;
  readonly modifiedAt: number;
  /** Of the whole content; absent when only a part was read. */
  readonly hash?: string;
  /** Kept while there is room: the base of a merge when the file has changed since. */
  content?: Uint8Array;
}

/** A file at a moment; without content, size and time have to do. */
export interface FileMoment {
  readonly stat: Pick<FileStat, 'size' | 'modifiedAt'>;
  readonly content?: Uint8Array;
}

/** Sessions remembered; the one that was used longest ago goes first. */
const SESSIONS = 200;
/** Bytes of content kept of all files together; what was read longest ago goes first. */
const MOST_CONTENT = 32 * 1024 * 1024;
/** Larger files are known by their hash only. */
const LARGEST_CONTENT = 2 * 1024 * 1024;

/**
 * Files that each session has read, by real path and content where it is known: an edit needs the
 * present one. In memory only; after a restart the model reads again.
 */
export class ReadState {
  readonly #sessions = new Map<string, Map<string, Seen>>();
  readonly #kept = new Set<Seen>();
  #keptBytes = 0;
  /** True when the session's model is told otherwise how a file's text became another. */
  readonly isTold: (sessionId: string, path: string, from: string, to: string) => boolean;

  constructor(isTold: ReadState['isTold'] = () => false) {
    this.isTold = isTold;
  }

  /** The session knows the file as it is at this moment. */
  note(sessionId: string, realPath: string, { stat, content }: FileMoment): void {
    const files = this.#sessions.get(sessionId) ?? new Map<string, Seen>();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, files);
    const { size, modifiedAt } = stat;
    const hash = content === undefined ? {} : { hash: hashOf(content) };
    const seen: Seen = { size, modifiedAt, ...hash };
    this.#drop(files.get(realPath));
    files.set(realPath, seen);
    if (content !== undefined) this.#keep(seen, content);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS && oldest !== undefined) this.forget(oldest);
  }

  /** The whole content as the session knows it, where it is still kept. */
  contentOf(sessionId: string, realPath: string): Uint8Array | undefined {
    return this.#sessions.get(sessionId)?.get(realPath)?.content;
  }

  of(sessionId: string, realPath: string, now: FileMoment): 'unread' | 'changed' | 'current' {
    const seen = this.#sessions.get(sessionId)?.get(realPath);
    if (seen === undefined) return 'unread';
    const same =
      seen.hash !== undefined && now.content !== undefined
        ? seen.hash === hashOf(now.content)
        : seen.size === now.stat.size && seen.modifiedAt === now.stat.modifiedAt;
    return same ? 'current' : 'changed';
  }

  /** True when any session has read such a file. */
  hasRead(path: RegExp): boolean {
    return [...this.#sessions.values()].some((files) =>
      [...files.keys()].some((file) => path.test(file)),
    );
  }

  forget(sessionId: string): void {
    for (const seen of this.#sessions.get(sessionId)?.values() ?? []) this.#drop(seen);
    this.#sessions.delete(sessionId);
  }

  #keep(seen: Seen, content: Uint8Array): void {
    if (content.length > LARGEST_CONTENT) return;
    seen.content = content;
    this.#kept.add(seen);
    this.#keptBytes += content.length;
    for (const oldest of this.#kept) {
      if (this.#keptBytes <= MOST_CONTENT) break;
      this.#drop(oldest);
    }
  }

  #drop(seen: Seen | undefined): void {
    if (seen === undefined || !this.#kept.delete(seen)) return;
    this.#keptBytes -= seen.content?.length ?? 0;
    delete seen.content;
  }
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64');
}
