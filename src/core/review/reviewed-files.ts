import { BelayError } from '../../domain/failure.ts';
import { changedMeanwhile, isReplaced } from '../changed-meanwhile.ts';
import { parentOf } from '../permissions/paths.ts';
import type {
  ChangeOptions,
  Clock,
  FileEntry,
  FileStat,
  FileSystem,
  ReadOptions,
  WriteOptions,
} from '../ports.ts';
import type { ChangeOrigin } from '../ports/change-origin.ts';
import { ABSENT, proposedAt, sameContent } from './file-review.ts';
import type { Content } from './file-review.ts';
import { notThere, ProposedFiles } from './proposed-files.ts';
import type { FileNow } from './review-disk.ts';
import type { Reviews } from './reviews.ts';
import { WrittenChanges } from './written-changes.ts';

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

  constructor(files: FileSystem, reviews: Reviews, clock: Clock) {
    this.#files = files;
    this.#reviews = reviews;
    this.#proposed = new ProposedFiles(files, reviews, clock);
    this.#changes = new WrittenChanges(files, reviews, this.#proposed, clock);
  }

  async read(path: string, maxBytes?: number, options?: ReadOptions): Promise<Uint8Array> {
    const bytes = await this.#proposedBytes(path, options);
    if (bytes === undefined) return this.#files.read(path, maxBytes, options);
    if (maxBytes !== undefined && bytes.length > maxBytes)
      throw new BelayError({
        code: 'invalid',
        message: `${path} has ${bytes.length} bytes, more than the ${maxBytes} that are read at once. Read a part of it.`,
      });
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
    return this.#reviews.inTurn(path, async () => {
      const after = (await this.#reviews.disk.read(path, content)).content;
      if (origin.how === 'propose') {
        const seen = await this.#seen(path);
        requireReplaced(path, options, seen);
        return this.#propose(path, seen.content, after, origin);
      }
      await this.#changes.takeAlong(path, origin);
      const now = await this.#reviews.disk.now(path);
      // What was typed since is the person's: it would count as taken away by the agent.
      const isKnown = now.bytes !== undefined || now.content.kind === 'absent';
      if (isKnown) requireReplaced(path, options, now);
      return this.#changes.write(path, { before: now.content, after }, origin, () =>
        this.#files.write(path, content, options),
      );
    });
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const proposed = this.#proposed.at(path);
    switch (proposed.kind) {
      case 'gone':
        return undefined;
      case 'file':
        return this.#proposed.stat(path, proposed.review);
      case 'folder':
        return (await this.#files.stat(path)) ?? this.#proposed.folderStat();
      case 'none':
        return this.#files.stat(path);
      default:
        return proposed satisfies never;
    }
  }

  async list(folder: string): Promise<readonly FileEntry[]> {
    const isProposed = this.#proposed.at(folder).kind === 'folder';
    const isThere = !isProposed || (await this.#files.stat(folder)) !== undefined;
    return this.#proposed.entries(folder, isThere ? await this.#files.list(folder) : []);
  }

  realpath(path: string): Promise<string> {
    return this.#files.realpath(path);
  }

  async delete(path: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.delete(path);
    return this.#reviews.inTurn(path, async () => {
      if (origin.how === 'propose') {
        const { content } = await this.#seen(path);
        if (content.kind === 'absent') throw notThere(path);
        return this.#propose(path, content, ABSENT, origin);
      }
      if (origin.how === 'accepted') return this.#deleteAccepted(path);
      // Folders are taken away file by file where they are reviewed: see `ReviewedOperations`.
      if ((await this.#files.stat(path))?.type === 'directory') return this.#files.delete(path);
      await this.#changes.takeAlong(path, origin);
      const { content } = await this.#reviews.disk.now(path);
      return this.#changes.pending(
        path,
        { before: content, after: ABSENT },
        this.#changes.by(origin),
        () => this.#files.delete(path),
      );
    });
  }

  async rename(from: string, to: string, options: ChangeOptions = {}): Promise<void> {
    const { origin } = options;
    if (origin === undefined) return this.#files.rename(from, to);
    return this.#reviews.inTurn(from, async () => {
      const isOnDisk = (await this.#files.stat(from)) !== undefined;
      const isThere = isOnDisk && this.#proposed.at(from).kind !== 'gone';
      if (origin.how === 'propose' || (origin.how === 'accepted' && !isThere))
        return this.#proposeRename(from, to, origin);
      if (origin.how === 'accepted') {
        await this.#files.rename(from, to);
        this.#reviews.fileRenamed(from, to);
        return this.#reviews.flush();
      }
      await this.#changes.takeAlong(from, origin);
      await this.#changes.takeAlong(to, origin);
      return this.#changes.rename(from, to, this.#changes.by(origin));
    });
  }

  /** Of what is proposed only nothing is on disk, or it has another name there. */
  async #deleteAccepted(path: string): Promise<void> {
    const review = this.#reviews.find('proposed', path);
    const place = review === undefined ? path : proposedAt(review);
    if (review === undefined || (await this.#files.stat(place)) !== undefined)
      await this.#files.delete(place);
    await this.#reviews.forget(path);
  }

  async #proposedBytes(path: string, options?: ReadOptions): Promise<Uint8Array | undefined> {
    const proposed = this.#proposed.at(path);
    if (proposed.kind === 'gone') throw notThere(path);
    return proposed.kind === 'file' ? this.#proposed.bytes(proposed.review, options) : undefined;
  }

  /** The file as the agent finds it. */
  async #seen(path: string): Promise<FileNow> {
    const { disk } = this.#reviews;
    const proposed = this.#proposed.at(path);
    if (proposed.kind === 'gone') return { content: ABSENT };
    if (proposed.kind !== 'file') return disk.now(path);
    return disk.read(path, await this.#proposed.bytes(proposed.review));
  }

  async #propose(
    path: string,
    before: Content,
    after: Content,
    origin: ChangeOrigin,
  ): Promise<void> {
    if (sameContent(before, after) || after.kind === 'binary')
      throw new BelayError({
        code: 'invalid',
        message: `This changes no line of text in ${path} (only line ends, the encoding, or binary data), and only changes of lines can be proposed. Nothing was changed; leave it, or ask the person to choose the mode Edit for it.`,
      });
    const known = this.#reviews.find('proposed', path);
    // What was typed into the proposal while it was looked at is the person's: it is not written over.
    if (known !== undefined && !sameContent(known.document, before))
      throw changedMeanwhile(path, undefined, before.kind !== 'absent');
    if (known === undefined) {
      this.#refuseTaken(path);
      await this.#refuseBelowFile(path);
    }
    await this.#reviews.agentEdits('proposed', path, { before, after }, this.#changes.by(origin));
  }

  async #proposeRename(from: string, to: string, origin: ChangeOrigin): Promise<void> {
    const { content } = await this.#seen(from);
    if (content.kind === 'absent') throw notThere(from);
    const back = this.#reviews.find('proposed', from)?.renamedFrom === to;
    if (!back) {
      await this.#refuseBelowFile(to);
      if ((await this.stat(to)) !== undefined) throw taken(from, to);
      this.#refuseTaken(to);
    }
    await this.#reviews.agentRenames(
      'proposed',
      from,
      { path: to, content },
      this.#changes.by(origin),
    );
  }

  /** Where a part of the path is a file nothing can be made: nobody could accept it. */
  async #refuseBelowFile(path: string): Promise<void> {
    for (let at = parentOf(path); at !== parentOf(at); at = parentOf(at)) {
      const there = await this.#typeOf(at);
      if (there === 'directory') return;
      if (there === undefined) continue;
      throw new BelayError({
        code: 'invalid',
        message: `${path} cannot exist, because ${at} is a file. Nothing was changed; check the path.`,
      });
    }
  }

  /** Below a file there is nothing. */
  async #typeOf(path: string): Promise<FileStat['type'] | undefined> {
    try {
      return (await this.stat(path))?.type;
    } catch (thrown) {
      if (thrown instanceof BelayError && thrown.code === 'invalid') return undefined;
      throw thrown;
    }
  }

  /** What has the name on disk still has it until the person accepts otherwise. */
  #refuseTaken(path: string): void {
    if (this.#proposed.at(path).kind !== 'gone') return;
    throw new BelayError({
      code: 'invalid',
      message: `${path} has a file on disk until the person accepts that it is deleted or moved, as you proposed. Nothing was changed; use another name, or wait for their decision.`,
    });
  }
}

function requireReplaced(path: string, { replaces }: WriteOptions, now: FileNow): void {
  if (isReplaced(replaces, now.bytes)) return;
  throw changedMeanwhile(path, replaces, now.content.kind !== 'absent');
}

function taken(from: string, to: string): BelayError {
  return new BelayError({
    code: 'invalid',
    message: `${from} cannot become ${to}: something is there already. Nothing was changed.`,
  });
}
