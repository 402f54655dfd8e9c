import { pathBelow } from '../../../domain/paths.ts';
import type { Content } from '../model/file-review.ts';
import { asKnownToModel } from '../model/unreported-changes.ts';
import type { OtherHands } from '../model/other-hands.ts';
import type { UserEdits } from '../commands/user-edits.ts';
import type { FileTracker } from './file-tracker.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewDisk } from './review-disk.ts';
import type { Turns } from './turns.ts';

interface Parts {
  readonly changes: PendingChanges;
  readonly disk: ReviewDisk;
  readonly tracker: FileTracker;
  readonly userEdits: UserEdits;
  readonly turns: Turns;
}

/** The files behind the pending changes, and what happens to them by other hands than the agent's. */
export class ReviewFiles {
  readonly disk: ReviewDisk;
  /** Files that the user typed in or saved here; the editor tells of them. */
  readonly userEdits: UserEdits;
  readonly #changes: PendingChanges;
  readonly #tracker: FileTracker;
  readonly #turns: Turns;

  constructor({ changes, disk, tracker, userEdits, turns }: Parts) {
    this.disk = disk;
    this.userEdits = userEdits;
    this.#changes = changes;
    this.#tracker = tracker;
    this.#turns = turns;
  }

  /** Nothing is decided about a path while the work lasts, nor anything else in turn. */
  inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    return this.#turns.take(path, work);
  }

  /** True for files with pending changes, and for those to which pending changes may return. */
  concerns(path: string): boolean {
    return this.#tracker.concerns(path);
  }

  get known(): readonly string[] {
    return this.#tracker.known;
  }

  /** The text of a document changed, by whatever; the agent's own edits are known already. */
  documentChanged(path: string, text: Content, by: OtherHands): void {
    this.#tracker.follow(path, text, by);
  }

  /** A file may be another one now: also one that is in an editor, whose unsaved text counts. */
  async fileChanged(path: string): Promise<void> {
    await this.#tracker.fileChanged(path);
  }

  /** As `fileChanged`, while a command ran: its model is not told that the user changed the file. */
  async changedDuringCommand(path: string): Promise<void> {
    if (!this.concerns(path)) return;
    await this.fileChanged(path);
    const row = this.#changes.get(path);
    if (row !== undefined) this.#changes.update(path, asKnownToModel(row));
  }

  /** The user, or another program, renamed a file or folder; pending changes go with it. */
  fileRenamed(from: string, to: string): void {
    this.#tracker.fileRenamed(from, to);
  }

  /** As `fileRenamed`, with the user's approval: a file that the agent had deleted at the new name is another one now. */
  async fileRenamedByYes(from: string, to: string): Promise<void> {
    this.fileRenamed(from, to);
    for (const { path, document } of this.#changes.all)
      if (document.kind === 'absent' && pathBelow(to, path) !== undefined)
        await this.fileChanged(path);
  }
}
