import { lineChangesByTurns } from '../../../merge/line-changes.ts';
import { type BelayError, fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import { resolvePath } from '../../../../domain/paths.ts';
import type { FileSystem } from '../../../ports/files/file-system.ts';
import { sameBytes } from '../../../../domain/data/same-bytes.ts';
import type { FileOperations } from '../../../ports/files/file-operations.ts';
import { type FileReview, linesOf, proposedAt, sameContent } from '../../model/file-review.ts';
import type { ReviewDisk } from '../review-disk.ts';

/** Carries accepted proposals out on disk, and mends what a crash in the middle left. */
export class AcceptedProposals {
  readonly #disk: ReviewDisk;
  readonly #files: Pick<FileSystem, 'list'>;
  readonly #operations: Pick<FileOperations, 'removeEmptyFolder'> | undefined;

  /** @param operations absent: folders stay when they are left without files */
  constructor(
    disk: ReviewDisk,
    files: Pick<FileSystem, 'list'>,
    operations?: Pick<FileOperations, 'removeEmptyFolder'>,
  ) {
    this.#disk = disk;
    this.#files = files;
    this.#operations = operations;
  }

  /** Makes the file what a proposal says, as far as it was accepted. */
  async write(before: FileReview, after: FileReview): Promise<void> {
    const [from, to] = [proposedAt(before), proposedAt(after)];
    const [was, is] = [before.baseline, after.baseline];
    if (from !== to && was.kind !== 'absent' && is.kind !== 'absent')
      await this.#disk.rename(from, to);
    if (is.kind === 'absent') await this.#disk.delete(from, was);
    else await this.#fill(before, after);
    if (before.folder !== undefined) await this.#tidy(before.folder);
  }

  /** @returns the state of a proposal in whose acceptance a crash came; `undefined`: it was not begun */
  async recovered(review: FileReview, after: FileReview): Promise<FileReview | undefined> {
    const [from, to] = [proposedAt(review), proposedAt(after)];
    const isDone = await this.#isDone(review, after);
    if (from === to) return isDone ? after : undefined;
    if ((await this.#disk.now(from)).content.kind !== 'absent') return undefined;
    if (isDone) return after;
    // It came between the renaming and the change.
    if (!sameContent((await this.#disk.now(to)).content, review.baseline)) return undefined;
    await this.#fill(review, after);
    return after;
  }

  async #isDone(review: FileReview, after: FileReview): Promise<boolean> {
    const now = await this.#disk.now(proposedAt(after));
    if (!sameContent(now.content, after.baseline)) return false;
    const made = await this.#madeBytes(review, after);
    return made === undefined || (now.bytes !== undefined && sameBytes(now.bytes, made));
  }

  async #fill(before: FileReview, after: FileReview): Promise<void> {
    const path = proposedAt(after);
    const [was, is] = [before.baseline, after.baseline];
    const bytes = await this.#madeBytes(before, after);
    if (bytes !== undefined)
      await this.#disk.make(path, bytes, { seen: was, mode: before.proposedBytes?.mode });
    else if (is.kind === 'binary' && !sameContent(was, is)) throw notKept(path);
    else if (was.kind === 'absent') await this.#disk.create(path, is);
    else if (is.kind === 'text')
      await this.#disk.changeLines(path, was, await lineChangesByTurns(linesOf(was), linesOf(is)));
  }

  /** `undefined`: only lines of the file change. */
  async #madeBytes(
    { proposedBytes: made, document, baseline }: FileReview,
    after: FileReview,
  ): Promise<Uint8Array | undefined> {
    if (made === undefined || after.proposedBytes !== undefined) return undefined;
    // Of a file that was accepted only in name nothing is made anew.
    const isOfText = baseline.kind === 'text' && document.kind === 'text';
    if (isOfText ? made.says === undefined : sameContent(baseline, after.baseline))
      return undefined;
    return this.#disk.bytes.remade(after.path, made, after.baseline);
  }

  /** A folder without any file in it, or below it, goes. */
  async #tidy(folder: string): Promise<void> {
    if (this.#operations === undefined || !(await this.#isEmpty(folder))) return;
    await this.#remove(folder);
  }

  async #isEmpty(folder: string): Promise<boolean> {
    const entries = await this.#files.list(folder).catch(() => undefined);
    if (entries === undefined) return false;
    for (const { name, type } of entries)
      if (type !== 'directory' || !(await this.#isEmpty(resolvePath(folder, name)))) return false;
    return true;
  }

  async #remove(folder: string): Promise<void> {
    for (const { name } of await this.#files.list(folder))
      await this.#remove(resolvePath(folder, name));
    // A folder that something came into at this moment stays.
    await this.#operations?.removeEmptyFolder(folder);
  }
}

function notKept(path: string): BelayError {
  const message = told`What ${path} was to hold is no text, and the file that it was in is gone or is another one by now. Nothing was done; reject it, or bring the file back.`;
  return fault('not_found', message);
}
