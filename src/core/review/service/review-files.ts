import { movedTo, pathBelow } from '../../../domain/paths.ts';
import type { UserEdits } from '../commands/user-edits.ts';
import { keep } from '../model/decide.ts';
import { compareFirst } from '../model/differences.ts';
import { type Content, type FileReview, newReview, sameContent } from '../model/file-review.ts';
import { hunksOf, linesKey } from '../model/hunks.ts';
import { type OtherHands, withOtherHands } from '../model/other-hands.ts';
import { asKnownToModel } from '../model/unreported-changes.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewDisk } from './review-disk.ts';
import { Turns } from './turns.ts';

/** How often a file is read that is typed in at the same time. After that the editor reports its text anyway. */
const MAX_READS = 3;

interface Parts {
  readonly changes: PendingChanges;
  readonly stash: Stash;
  readonly disk: ReviewDisk;
  readonly userEdits: UserEdits;
  /** Is told of a row whose changes are no longer in the file because another program changed it. */
  readonly onLost: (row: FileReview) => void;
}

/** The files with pending changes: brings the rows up to date when anything but the agent changes a file. */
export class ReviewFiles {
  readonly disk: ReviewDisk;
  /** Files that the user typed in or saved in this window, as the editor reports them. */
  readonly userEdits: UserEdits;
  readonly #parts: Parts;
  /** By path. */
  readonly #turns = new Turns();

  constructor(parts: Parts) {
    this.disk = parts.disk;
    this.userEdits = parts.userEdits;
    this.#parts = parts;
  }

  /** Does work on a file when all earlier work on it is over, such as a decision or an edit of the agent. */
  inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    return this.#turns.take(path, work);
  }

  /** Paths of files that have pending changes, or to which stashed ones may return. */
  get known(): readonly string[] {
    const { changes, stash } = this.#parts;
    return [...new Set([...changes.all.map(({ path }) => path), ...stash.paths])];
  }

  /** True for a path in `known`. */
  concerns(path: string): boolean {
    const { changes, stash } = this.#parts;
    return changes.get(path) !== undefined || stash.has(path);
  }

  /** Updates the row of a file that has this content now. Edits of the agent are known already and change nothing. */
  documentChanged(path: string, content: Content, by: OtherHands): void {
    const { changes, stash } = this.#parts;
    const row = changes.get(path);
    if (row !== undefined && sameContent(row.document, content)) return;
    const back = stash.take(path, content);
    if (row === undefined && back === undefined) return;
    const next = back ?? withOtherHands(row ?? newReview(path, content), content, by);
    if (row !== undefined && isAltered(row, next, by)) {
      void stash.put(row).catch(() => undefined);
      if (by === 'program' && back === undefined) this.#tellLost(row, next);
    }
    changes.update(path, next);
  }

  /** Reads a file that may have changed; unsaved text of an editor counts. */
  async fileChanged(path: string): Promise<void> {
    if (!this.concerns(path)) return;
    const { changes, disk } = this.#parts;
    for (let read = 1; read <= MAX_READS; read += 1) {
      const row = changes.get(path);
      const { content } = await disk.now(path);
      await compareFirst(row, content);
      // If the user typed in the meantime, the row is newer than what was read.
      if (changes.get(path) === row) return this.documentChanged(path, content, 'program');
    }
  }

  /** As `fileChanged`, after a command ran: the model is not told that the user changed the file. */
  async changedDuringCommand(path: string): Promise<void> {
    if (!this.concerns(path)) return;
    await this.fileChanged(path);
    const { changes } = this.#parts;
    const row = changes.get(path);
    if (row !== undefined) changes.update(path, asKnownToModel(row));
  }

  /** The user or another program renamed a file or folder: pending changes below it move along. */
  fileRenamed(from: string, to: string): void {
    const { changes } = this.#parts;
    for (const row of changes.all) {
      if (pathBelow(from, row.path) === undefined) continue;
      const { renamedFrom, ...rest } = row;
      const path = movedTo(row.path, from, to);
      const isBack = renamedFrom === undefined || renamedFrom === path;
      changes.update(row.path, isBack ? { ...rest, path } : { ...rest, renamedFrom, path });
    }
  }

  /** As `fileRenamed`, by the agent with the user's approval: it may replace a file whose deletion is pending. */
  async fileRenamedWithApproval(from: string, to: string): Promise<void> {
    this.fileRenamed(from, to);
    for (const { path, document } of this.#parts.changes.all)
      if (document.kind === 'absent' && pathBelow(to, path) !== undefined)
        await this.fileChanged(path);
  }

  /**
   * Takes up a stored row. Hunks that are still in the file exactly stay pending; of the others nobody knows who
   * changed them while Belay was not there.
   */
  async takeUp(stored: FileReview): Promise<void> {
    const { changes, stash, disk } = this.#parts;
    const row = await this.#whereItIs(stored);
    const { content } = await disk.now(row.path);
    await compareFirst(row, content);
    if (row === stored && sameContent(row.document, content)) return changes.add(row);
    const back = stash.take(row.path, content);
    const next = back ?? exactly(row, withOtherHands(row, content, 'program'));
    if (back === undefined && isAltered(row, next, 'program')) {
      await stash.put(row);
      this.#tellLost(row, next);
    }
    changes.add(stored);
    await changes.settle(stored.path, next);
  }

  /** A crash came before the file was renamed, or after its renaming was undone. */
  async #whereItIs(row: FileReview): Promise<FileReview> {
    const { disk } = this.#parts;
    const { renamedFrom, ...rest } = row;
    if (renamedFrom === undefined || row.document.kind === 'absent') return row;
    const [from, to] = [await disk.now(renamedFrom), await disk.now(row.path)];
    const isBack = to.content.kind === 'absent' && from.content.kind !== 'absent';
    return isBack ? { ...rest, path: renamedFrom } : row;
  }

  /** Hunks that are back in their old state were undone: there is nothing to tell. */
  #tellLost(row: FileReview, next: FileReview): void {
    const isUndone = sameContent(next.baseline, row.baseline);
    if (!isUndone && hunksOf(next).length < hunksOf(row).length) this.#parts.onLost(row);
  }
}

/** True when a hunk is gone or was edited; of one that is typed in only its first state counts. */
function isAltered(row: FileReview, next: FileReview, by: OtherHands): boolean {
  const left = new Set(hunksOf(next).map(linesKey));
  return hunksOf(row).some(
    (hunk) => (by === 'program' || !hunk.editedByUser) && !left.has(linesKey(hunk)),
  );
}

/** Only the hunks of `next` that `row` had, too. */
function exactly(row: FileReview, next: FileReview): FileReview {
  const known = new Set(hunksOf(row).map(linesKey));
  const others = hunksOf(next).filter((hunk) => hunk.editedByUser && !known.has(linesKey(hunk)));
  return others.length === 0
    ? next
    : keep(
        next,
        others.map(({ id }) => id),
      );
}
