import { movedTo, pathBelow } from '../../../domain/paths.ts';
import { movedOutside } from '../model/agent-edits.ts';
import { ABSENT, newReview, sameContent } from '../model/file-review.ts';
import { compareFirst } from '../model/differences.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { joinReviews } from '../model/join-reviews.ts';
import type { StashedReviews } from '../storage/stashed-reviews.ts';
import type { PendingChanges } from './pending-changes.ts';
import { renamedBack } from './renamed-back.ts';
import type { ReviewDisk } from './review-disk.ts';
import { withReturned } from '../model/returned.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { LaterSaves, SAVE_AFTER } from './later-saves.ts';
import type { Turns } from './turns.ts';
import { changedByDecision, changedOutside, undoneTo, userEdited } from '../model/user-edits.ts';
import type { TypedChange } from '../model/user-edits.ts';

/** Looks at a file that is typed in while it is read; its editor tells more than the last of them. */
const LOOKS = 3;

/** An event of a document in an editor. */
export type DocumentChange =
  | { readonly kind: 'typed'; readonly changes: readonly TypedChange[] }
  /** `decided`: the person said yes to it. */
  | { readonly kind: 'undone' | 'outside' | 'decided' };

interface Parts {
  readonly changes: PendingChanges;
  readonly parked: StashedReviews;
  readonly disk: ReviewDisk;
  /** By path. */
  readonly turns: Turns;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

/** Brings the pending changes up to what the person, and anything else but the agent, makes of the files. */
export class FileTracker implements Disposable {
  readonly #parts: Parts;
  /** Looks that no caller waits for. */
  readonly #looking = new Set<Promise<void>>();
  /** Contents of files before something else changed them, until it was seen what came back by that. */
  readonly #before = new Map<string, Content>();
  /** How often files were moved: what was read before that may be another one's text by now. */
  #moves = 0;
  /** Texts that the person made of files of which something is kept aside, until that is stored. */
  readonly #typed = new Map<string, Content>();
  readonly #typing: LaterSaves;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#typing = new LaterSaves(parts.clock, async (path) => this.#keepTyped(path));
  }

  /** True for files that matter here; also where undo, or another branch, may bring changes back. */
  concerns(path: string): boolean {
    const { changes, parked } = this.#parts;
    return (
      changes.get(path) !== undefined ||
      changes.all.some(({ renamedFrom }) => renamedFrom === path) ||
      parked.has(path) ||
      changes.earlier.orphaned.some(({ review }) => review.path === path)
    );
  }

  /** Files that are of interest. */
  get known(): readonly string[] {
    const { changes, parked } = this.#parts;
    return [
      ...new Set([
        ...changes.all.map(({ path }) => path),
        ...parked.paths,
        ...changes.earlier.orphaned.map(({ review }) => review.path),
      ]),
    ];
  }

  /** As `Reviews.documentChanged`. */
  documentChanged(path: string, text: Content, how: DocumentChange): void {
    const { changes, parked } = this.#parts;
    if (how.kind !== 'outside' && parked.has(path)) {
      this.#typed.set(path, text);
      this.#typing.soon(path, SAVE_AFTER);
    }
    if (how.kind === 'outside') {
      const before = changes.get(path);
      this.#outside(path, text);
      if (before !== undefined && !sameContent(before.document, text)) this.#comesBackSoon(path);
    } else {
      // Text that undo brings back is the agent's: nobody could tell after a crash that it was not written by another program.
      const isAtOnce = how.kind !== 'typed';
      changes.update(path, (review) => changedBy(review, text, how), isAtOnce);
    }
  }

  /** A file may be another one now: what was pending when it was that is pending again. */
  async fileChanged(path: string): Promise<void> {
    const content = await this.look(path);
    if (content !== undefined || this.#before.has(path)) await this.#comesBack(path);
  }

  /**
   * A file may be another one now.
   * @returns its content when that is news
   */
  async look(path: string): Promise<Content | undefined> {
    if (!this.concerns(path)) return undefined;
    const { changes, disk } = this.#parts;
    for (let look = 1; ; look += 1) {
      const before = changes.get(path);
      const { content } = await disk.now(path);
      await compareFirst(before, content);
      await this.#movedBack(path, content);
      // Typed in meanwhile, or moved back: what was read is older than what is known.
      if (changes.get(path) !== before) {
        if (look < LOOKS) continue;
        return undefined;
      }
      this.#outside(path, content);
      await this.#seeSaved(path, content);
      changes.earlier.isAgain(path, content);
      return before !== undefined && sameContent(before.document, content) ? undefined : content;
    }
  }

  /** A file that the agent had renamed has its old name again: its changes are those of the file there. */
  async #movedBack(path: string, content: Content): Promise<void> {
    const { changes, disk } = this.#parts;
    const isHere = content.kind !== 'absent';
    const review = changes.files.find((one) =>
      isHere
        ? one.renamedFrom === path && (one.fileMissing || one.document.kind === 'absent')
        : one.path === path && one.document.kind !== 'absent',
    );
    const back = review && (await renamedBack(disk, review));
    if (back === undefined || changes.get(back.path) !== undefined) return;
    if (changes.get(review?.path ?? path) === review)
      changes.update(review?.path ?? path, () => back);
  }

  /** As `Reviews.fileRenamed`. */
  fileRenamed(from: string, to: string): void {
    this.#moves += 1;
    this.#replaced(to);
    for (const place of this.known) {
      if (pathBelow(from, place) === undefined) continue;
      this.#move(place, movedTo(place, from, to));
    }
  }

  /** A file that was gone, and where another one was put, does not come back: however alike they are. */
  #replaced(path: string): void {
    const { changes } = this.#parts;
    for (const { path: place, fileMissing } of changes.files)
      if (fileMissing && pathBelow(path, place) !== undefined)
        changes.update(place, () => newReview(place, ABSENT), true);
  }

  /** Changes that are pending at the new name already go on together with it. */
  #move(from: string, to: string): void {
    const { changes } = this.#parts;
    changes.update(from, (review) => {
      const moved = movedOutside(review, from, to);
      const there = moved.path === from ? undefined : changes.get(moved.path);
      return there === undefined || isSettled(there) ? moved : joinReviews(there, moved);
    });
  }

  /** Files that became what they were while nobody looked. */
  lookForParked(): void {
    for (const path of this.#parts.parked.paths) this.#comesBackSoon(path);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#looking);
    for (const path of this.#typing.due) this.#keepTyped(path);
    await this.#parts.parked.flush();
  }

  /** Typed text is not stored any more: `flush` first. */
  dispose(): void {
    this.#typing.dispose();
  }

  /** Text that the person typed is theirs, also where it is what was kept aside. */
  #keepTyped(path: string): void {
    const text = this.#typed.get(path);
    this.#typed.delete(path);
    this.#typing.cancel(path);
    if (text !== undefined) this.#parts.parked.typed(path, text);
  }

  #outside(path: string, content: Content): void {
    const { changes, parked } = this.#parts;
    this.#keepTyped(path);
    const before = changes.get(path);
    changes.fileIs(path, content, (review) => changedOutside(review, content));
    parked.changed(before, changes.get(path));
    if (before !== undefined && !sameContent(before.document, content) && !this.#before.has(path))
      this.#before.set(path, before.fileMissing ? ABSENT : before.document);
  }

  /** A rejection in an editor is done when that is saved, and not done when it shows the disk again. */
  async #seeSaved(path: string, shown: Content): Promise<void> {
    const { changes, disk } = this.#parts;
    if (changes.get(path)?.unsaved !== true) return;
    if (await disk.isSaved(path, shown)) changes.update(path, withoutUnsaved);
  }

  #comesBackSoon(path: string): void {
    const { parked, turns, log } = this.#parts;
    if (!parked.has(path)) return void this.#before.delete(path);
    const looking = turns
      .take(path, async () => this.#comesBack(path))
      .catch((thrown: unknown) =>
        log.warn(`${path} could not be read.`, { reason: String(thrown) }),
      )
      .finally(() => this.#looking.delete(looking));
    this.#looking.add(looking);
  }

  /** Hunks that were kept aside and whose lines are in the file again are pending again. */
  async #comesBack(path: string): Promise<void> {
    const from = this.#before.get(path);
    this.#before.delete(path);
    await this.#putBack(path, from);
  }

  /** @param from what the file held before; `undefined`: that is not known */
  async #putBack(path: string, from: Content | undefined): Promise<void> {
    const { changes, parked, disk } = this.#parts;
    if (!parked.has(path)) return;
    const moves = this.#moves;
    const { content } = await disk.now(path);
    await this.#seeSaved(path, content);
    const known = changes.get(path);
    const isOther = known !== undefined && !sameContent(known.document, content);
    if (isOther && !isSettled(known)) return;
    const now = known === undefined || isOther ? newReview(path, content) : known;
    // It is not gone, it has another name.
    const isGone = content.kind === 'absent';
    if (isGone && changes.all.some(({ renamedFrom }) => renamedFrom === path)) return;
    const back = withReturned(now, await parked.of(path), from);
    if (this.#moves !== moves) return this.#putBack(path, from);
    if (changes.get(path) !== known) return;
    if (back !== now && !isSettled(back)) await changes.earlier.putBack(back);
    await parked.forget(path, content);
  }
}

function withoutUnsaved(review: FileReview): FileReview {
  const { unsaved: _, ...rest } = review;
  return rest;
}

function changedBy(review: FileReview, text: Content, how: DocumentChange): FileReview {
  switch (how.kind) {
    case 'typed':
      return userEdited(review, how.changes, text);
    case 'undone':
      return undoneTo(review, text);
    case 'decided':
      return changedByDecision(review, text);
    case 'outside':
      return changedOutside(review, text);
    default:
      return how satisfies never;
  }
}
