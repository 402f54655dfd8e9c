import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { changedMeanwhile, isReplaced } from '../../files/changed-meanwhile.ts';
import type { ChangeOptions } from '../../ports/files/change-origin.ts';
import type {
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../../ports/files/file-system.ts';
import { ABSENT, proposedAt } from '../model/file-review.ts';
import type { AgentChanges } from './agent-changes.ts';
import type { ProposedChanges } from './proposed-changes.ts';
import { type ProposedFiles, notThere } from './proposed-files.ts';
import type { Reviews } from '../service/reviews.ts';
import type { WrittenChanges } from './written-changes.ts';

/**
 * The files as an agent has them: what is proposed is there for it as if it were written, and every
 * change that has an origin becomes a pending one before it is made. A change that the person has
 * said yes to is none.
 */
export class ReviewedFiles implements FileSystem {
  readonly #files: FileSystem;
  readonly #reviews: Reviews;
  readonly #proposed: ProposedFiles;
  readonly #changes: WrittenChanges;
  readonly #proposals: ProposedChanges;

  constructor(files: FileSystem, { reviews, proposed, written, proposals }: AgentChanges) {
    this.#files = files;
    this.#reviews = reviews;
    this.#proposed = proposed;
    this.#changes = written;
    this.#proposals = proposals;
  }

  async read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    const bytes = await this.#proposedBytes(path, options);
    if (bytes === undefined) return this.#files.read(path, maxBytes, options);
    if (maxBytes !== undefined && bytes.length > maxBytes)
      throw fault(
        'invalid',
        told`${path} has ${bytes.length} bytes, more than the ${maxBytes} that are read at once. Read a part of it.`,
      );
    return bytes;
  }

  async readPart(
    path: string,
    offset: number,
    length: number,
    options?: ReadOptions,
  ): Promise<Uint8Array> {
    const bytes = await this.#proposedBytes(path, options);
    if (bytes === undefined) return this.#files.readPart(path, offset, length, options);
    return bytes.slice(offset, offset + length);
  }

  async write(path: string, content: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.write(path, content, options);
    if (origin.how === 'propose')
      return this.#proposals.inTurn([path], async () =>
        this.#proposals.write(path, content, options, this.#changes.by(origin)),
      );
    return this.#reviews.files.inTurn(path, async () => {
      const after = (await this.#reviews.files.disk.bytes.read(path, content)).content;
      await this.#changes.takeAlong(path, origin);
      const now = await this.#reviews.files.disk.now(path);
      // Text that was typed since is the person's: it would count as taken away by the agent.
      if (now.bytes !== undefined && !isReplaced(options.replaces, now.bytes))
        throw changedMeanwhile(path, options.replaces, true);
      return this.#changes.write(path, { before: now.content, after }, origin, () =>
        this.#files.write(path, content, options),
      );
    });
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.#proposed.statOf(path);
  }

  list(folder: string): Promise<readonly FileEntry[]> {
    return this.#proposed.list(folder);
  }

  realpath(path: string): Promise<string> {
    return this.#proposed.realpath(path);
  }

  async delete(path: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.delete(path, options);
    if (origin.how === 'propose')
      return this.#proposals.inTurn([path], async () =>
        this.#proposals.delete(path, this.#changes.by(origin)),
      );
    return this.#reviews.files.inTurn(path, async () => {
      if (origin.how === 'accepted') return this.#deleteAccepted(path, options);
      // Folders are taken away file by file where they are reviewed: see `ReviewedOperations`.
      if ((await this.#files.stat(path))?.type === 'directory') return this.#files.delete(path);
      await this.#changes.takeAlong(path, origin);
      const { content } = await this.#reviews.files.disk.now(path);
      return this.#changes.pending(
        path,
        { before: content, after: ABSENT },
        this.#changes.by(origin),
        () => this.#files.delete(path, options),
      );
    });
  }

  async rename(from: string, to: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.rename(from, to);
    const isOnDisk = (await this.#files.stat(from)) !== undefined;
    const isThere = isOnDisk && this.#proposed.at(from).kind !== 'gone';
    if (origin.how === 'propose' || (origin.how === 'accepted' && !isThere))
      return this.#proposals.inTurn([from, to], async () =>
        this.#proposals.rename({ from, to }, this.#changes.by(origin)),
      );
    return this.#reviews.files.inTurn(from, async () => {
      if (origin.how === 'accepted') {
        await this.#files.rename(from, to);
        await this.#reviews.files.fileRenamedByYes(from, to);
        return this.#reviews.flush();
      }
      await this.#changes.takeAlong(from, origin);
      await this.#changes.takeAlong(to, origin);
      return this.#changes.rename(from, to, this.#changes.by(origin));
    });
  }

  /** Of what is proposed only nothing is on disk, or it has another name there. */
  async #deleteAccepted(path: string, options: ChangeOptions): Promise<void> {
    const review = this.#reviews.find('proposed', path);
    const place = review === undefined ? path : proposedAt(review);
    if (review === undefined || (await this.#files.stat(place)) !== undefined)
      await this.#files.delete(place, options);
    await this.#reviews.agent.forget(path);
  }

  async #proposedBytes(path: string, options?: ReadOptions): Promise<Uint8Array | undefined> {
    const proposed = this.#proposed.at(path);
    if (proposed.kind === 'gone') throw notThere(path);
    return proposed.kind === 'file' ? this.#proposed.bytes(proposed.review, options) : undefined;
  }
}
