import { movedTo, pathBelow } from '../../../domain/paths.ts';
import { keep } from '../model/decide.ts';
import { compareFirst } from '../model/differences.ts';
import { type Content, type FileReview, newReview, sameContent } from '../model/file-review.ts';
import { hunksOf, linesKey } from '../model/hunks.ts';
import { type OtherHands, withOtherHands } from '../model/other-hands.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewDisk } from './review-disk.ts';

/** Looks at a file that is typed in while it is read; its editor tells more than the last of them. */
const LOOKS = 3;

interface FileTrackerParts {
  readonly changes: PendingChanges;
  readonly stash: Stash;
  readonly disk: ReviewDisk;
  /** Hears of pending changes that are not in their file any more, because another program changed it. */
  readonly onLost: (row: FileReview) => void;
}

/** Brings the rows up to what the user, and anything else but the agent, makes of the files. */
export class FileTracker {
  readonly #parts: FileTrackerParts;

  constructor(parts: FileTrackerParts) {
    this.#parts = parts;
  }

  /** Files with pending changes, or to which pending changes may return. */
  get known(): readonly string[] {
    const { changes, stash } = this.#parts;
    return [...new Set([...changes.all.map(({ path }) => path), ...stash.paths])];
  }

  concerns(path: string): boolean {
    const { changes, stash } = this.#parts;
    return changes.get(path) !== undefined || stash.has(path);
  }

  /** Follows a file that has this content now. */
  follow(path: string, content: Content, by: OtherHands): void {
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

  /** Reads a file that may be another one now. */
  async fileChanged(path: string): Promise<void> {
    if (!this.concerns(path)) return;
    const { changes, disk } = this.#parts;
    for (let look = 1; look <= LOOKS; look += 1) {
      const row = changes.get(path);
      const { content } = await disk.now(path);
      await compareFirst(row, content);
      // Typed in meanwhile: what was read is older than what is known.
      if (changes.get(path) === row) return this.follow(path, content, 'program');
    }
  }

  /** A file or folder was renamed by other hands: what is pending below goes along. */
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

  async flush(): Promise<void> {
    await this.#parts.stash.flush();
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
