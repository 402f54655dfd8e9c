import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { ChangeOrigin } from '../../ports/files/change-origin.ts';
import type { KeptFile } from '../../ports/files/kept-contents.ts';
import { ABSENT } from '../model/file-review.ts';
import type { Attribution, Content } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';

/** A change of one file, and how the file is then. */
export interface FileChange {
  readonly before: Content;
  readonly after: Content;
}

/**
 * Changes that reach the disk at once: they are pending before the file is changed, so that none is
 * without a way back, and not any more when it could not be changed.
 */
export class WrittenChanges {
  readonly #files: FileSystem;
  readonly #reviews: Reviews;
  readonly #clock: Clock;

  constructor(files: FileSystem, reviews: Reviews, clock: Clock) {
    this.#files = files;
    this.#reviews = reviews;
    this.#clock = clock;
  }

  by({ sessionId, messageId, callId, tool }: ChangeOrigin): Attribution {
    return { by: 'agent', sessionId, messageId, callId, tool, why: '', at: this.#clock.now() };
  }

  /** Writes a file. What the user approved counts as kept. */
  async write(
    path: string,
    change: FileChange,
    origin: ChangeOrigin,
    carryOut: () => Promise<void>,
  ): Promise<void> {
    if (origin.how !== 'accepted') return this.pending(path, change, this.by(origin), carryOut);
    await carryOut();
    await this.#reviews.files.fileChanged(path);
  }

  /** Does it, and leaves it pending. */
  async pending(
    path: string,
    { before, after }: FileChange,
    by: Attribution,
    carryOut: () => Promise<void>,
  ): Promise<void> {
    const kept = await this.#keptOf(path, { before, after });
    await this.#reviews.agent.edits(path, { before, after, kept }, by);
    try {
      await carryOut();
    } catch (thrown) {
      await this.#reviews.agent.failed(path, { path, content: before }, after, by);
      throw thrown;
    }
  }

  /** Renames a file, pending. */
  async rename(from: string, to: string, by: Attribution): Promise<void> {
    const { content } = await this.#reviews.files.disk.now(from);
    const carryOut = (): Promise<void> => this.#files.rename(from, to);
    if (this.#reviews.find(to) !== undefined) {
      // The agent took away what had this name: that stays pending, and this is its new text.
      await this.pending(from, { before: content, after: ABSENT }, by, () =>
        this.pending(to, { before: ABSENT, after: content }, by, carryOut),
      );
      return;
    }
    await this.#reviews.agent.renames(from, { path: to, content }, by);
    try {
      await carryOut();
    } catch (thrown) {
      await this.#reviews.agent.failed(to, { path: from, content }, content, by);
      throw thrown;
    }
  }

  /** Of changes of lines alone the lines are enough. */
  async #keptOf(path: string, { before, after }: FileChange): Promise<KeptFile | undefined> {
    const isOfLines = before.kind === 'text' && after.kind === 'text';
    return before.kind === 'absent' || isOfLines
      ? undefined
      : this.#reviews.files.disk.kept.keep(path);
  }
}
