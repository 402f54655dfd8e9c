import { movedTo, pathBelow } from '../../../domain/paths.ts';
import { movedOutside } from '../model/agent-edits.ts';
import { ABSENT, newReview, proposedAt, sameContent } from '../model/file-review.ts';
import { compareFirst } from '../model/differences.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { joinReviews } from '../model/join-reviews.ts';
import type { StashedReviews } from '../storage/stashed-reviews.ts';
import type { PendingChanges } from './pending-changes.ts';
import { rebased } from '../model/proposals.ts';
import { renamedBack } from './renamed-back.ts';
import type { ReviewDisk } from './review-disk.ts';
import { withReturned } from '../model/returned.ts';
import type { StoredKind } from '../model/review-kinds.ts';
import type { AskedEdits } from './edits/asked-edits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { LaterSaves, SAVE_AFTER } from './later-saves.ts';
import type { Turns } from './turns.ts';
import { type UndoneAcceptances, withUndone } from './decisions/undone-acceptances.ts';
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
  readonly changes: Readonly<Record<StoredKind, PendingChanges>>;
  readonly asked: AskedEdits;
  readonly parked: StashedReviews;
  readonly disk: ReviewDisk;
  readonly undone: UndoneAcceptances;
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
    const { changes, asked, parked, undone } = this.#parts;
    return (
      changes.written.get(path) !== undefined ||
      changes.written.all.some(({ renamedFrom }) => renamedFrom === path) ||
      changes.proposed.all.some((review) => proposedAt(review) === path) ||
      asked.idAt(path) !== undefined ||
      parked.has(path) ||
      undone.has(path) ||
      changes.written.earlier.orphaned.some(({ review }) => review.path === path)
    );
  }

  /** Files that are of interest. */
  get known(): readonly string[] {
    const { changes, asked, parked } = this.#parts;
    return [
      ...new Set([
        ...asked.paths,
        ...changes.written.all.map(({ path }) => path),
        ...changes.proposed.files.map(proposedAt),
        ...parked.paths,
        ...changes.written.earlier.orphaned.map(({ review }) => review.path),
      ]),
    ];
  }

  /** As `Reviews.documentChanged`. */
  documentChanged(path: string, text: Content, how: DocumentChange): void {
    const { changes, parked } = this.#parts;
    const { written } = changes;
    if (how.kind !== 'outside' && parked.has(path)) {
      this.#typed.set(path, text);
      this.#typing.soon(path, SAVE_AFTER);
    }
    if (how.kind === 'outside') {
      const before = written.get(path);
      this.#outside(path, text);
      if (before !== undefined && !sameContent(before.document, text)) this.#comesBackSoon(path);
    } else {
      // Text that undo brings back is the agent's: nobody could tell after a crash that it was not written by another program.
      const isAtOnce = how.kind !== 'typed';
      written.update(path, (review) => changedBy(review, text, how), isAtOnce);
    }
    if (how.kind === 'undone') this.#unaccept(path, text);
    this.#rebase(path, text, how.kind === 'outside' ? 'other' : 'person');
  }

  /** Undo took out what an acceptance had put into the file: it is proposed again; and redo puts it there, as accepted. */
  #unaccept(path: string, text: Content): void {
    const { changes, undone } = this.#parts;
    const turned = undone.turned(path, text);
    if (turned === undefined) return;
    const { isUndone, review: before } = turned;
    const pending = changes.proposed.files.find((one) => proposedAt(one) === path);
    if (pending !== undefined && (isUndone || !isSettled(pending)))
      return changes.proposed.update(
        pending.path,
        (one) => (isUndone ? withUndone(one, before) : { ...one, baseline: text }),
        true,
      );
    if (!isUndone) return;
    const storing = changes.proposed.earlier
      .putBack(before)
      .finally(() => this.#looking.delete(storing));
    this.#looking.add(storing);
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
    const { written } = changes;
    for (let look = 1; ; look += 1) {
      const before = written.get(path);
      const { content } = await disk.now(path);
      await compareFirst(before, content);
      await this.#movedBack(path, content);
      // Typed in meanwhile, or moved back: what was read is older than what is known.
      if (written.get(path) !== before) {
        if (look < LOOKS) continue;
        return undefined;
      }
      this.#outside(path, content);
      await this.#seeSaved(path, content);
      this.#rebase(path, content);
      written.earlier.isAgain(path, content);
      return before !== undefined && sameContent(before.document, content) ? undefined : content;
    }
  }

  /** A file that the agent had renamed has its old name again: its changes are those of the file there. */
  async #movedBack(path: string, content: Content): Promise<void> {
    const { changes, disk } = this.#parts;
    const { written } = changes;
    const isHere = content.kind !== 'absent';
    const review = written.files.find((one) =>
      isHere
        ? one.renamedFrom === path && (one.fileMissing || one.document.kind === 'absent')
        : one.path === path && one.document.kind !== 'absent',
    );
    const back = review && (await renamedBack(disk, 'written', review));
    if (back === undefined || written.get(back.path) !== undefined) return;
    if (written.get(review?.path ?? path) === review)
      written.update(review?.path ?? path, () => back);
  }

  /** As `Reviews.fileRenamed`. */
  fileRenamed(from: string, to: string): void {
    this.#moves += 1;
    this.#parts.undone.moved(from, to);
    this.#replaced(to);
    for (const place of this.known) {
      if (pathBelow(from, place) === undefined) continue;
      const moved = movedTo(place, from, to);
      this.#move('written', place, place, moved);
      this.moveProposals(place, moved);
    }
  }

  /** A file that was gone, and where another one was put, does not come back: however alike they are. */
  #replaced(path: string): void {
    const { written } = this.#parts.changes;
    for (const { path: place, fileMissing } of written.files)
      if (fileMissing && pathBelow(path, place) !== undefined)
        written.update(place, () => newReview(place, ABSENT), true);
  }

  moveProposals(from: string, to: string): void {
    for (const review of this.#parts.changes.proposed.files)
      if (proposedAt(review) === from) this.#move('proposed', review.path, from, to);
  }

  /** Changes that are pending at the new name already go on together with it. */
  #move(kind: StoredKind, path: string, from: string, to: string): void {
    const changes = this.#parts.changes[kind];
    changes.update(path, (review) => {
      const moved = movedOutside(review, from, to);
      const there = moved.path === path ? undefined : changes.get(moved.path);
      return there === undefined || isSettled(there) ? moved : joinReviews(kind, there, moved);
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
    const before = changes.written.get(path);
    changes.written.fileIs(path, content, (review) => changedOutside(review, content));
    parked.changed(before, changes.written.get(path));
    if (before !== undefined && !sameContent(before.document, content) && !this.#before.has(path))
      this.#before.set(path, before.fileMissing ? ABSENT : before.document);
  }

  /** A rejection in an editor is done when that is saved, and not done when it shows the disk again. */
  async #seeSaved(path: string, shown: Content): Promise<void> {
    const { written } = this.#parts.changes;
    if (written.get(path)?.unsaved !== true) return;
    if (await this.#parts.disk.isSaved(path, shown)) written.update(path, withoutUnsaved);
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
    const known = changes.written.get(path);
    const isOther = known !== undefined && !sameContent(known.document, content);
    if (isOther && !isSettled(known)) return;
    const now = known === undefined || isOther ? newReview(path, content) : known;
    // It is not gone, it has another name.
    const isGone = content.kind === 'absent';
    if (isGone && changes.written.all.some(({ renamedFrom }) => renamedFrom === path)) return;
    const back = withReturned(now, await parked.of(path), from);
    if (this.#moves !== moves) return this.#putBack(path, from);
    if (changes.written.get(path) !== known) return;
    if (back !== now && !isSettled(back)) await changes.written.earlier.putBack(back);
    await parked.forget(path, content);
  }

  /** The file behind a proposal is another one. */
  #rebase(path: string, content: Content, hand: 'person' | 'other' = 'other'): void {
    const { asked, changes } = this.#parts;
    const { proposed } = changes;
    const proposals: readonly FileReview[] = proposed.all.filter((one) => proposedAt(one) === path);
    // Where a proposal moves the file away, there is none for another proposal at its path.
    const isMoved = proposals.some(({ renamedFrom }) => renamedFrom !== undefined);
    for (const { path: key, renamedFrom } of proposals) {
      const file = isMoved && renamedFrom === undefined ? ABSENT : content;
      proposed.fileIs(key, file, (one) => rebased(one, file, hand));
    }
    // Else it was made from what is proposed, not from the file.
    if (proposals.every(isSettled)) asked.fileIs(path, content, hand);
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
