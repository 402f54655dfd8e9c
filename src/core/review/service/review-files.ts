import { pathBelow } from '../../../domain/paths.ts';
import type { CallOutcomes } from '../storage/call-outcomes.ts';
import type { Content } from '../model/file-review.ts';
import type { DocumentChange, FileTracker } from './file-tracker.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { PersonEdits } from './edits/person-edits.ts';
import type { ReviewDisk } from './review-disk.ts';
import type { Turns } from './turns.ts';

interface Parts {
  readonly changes: PendingChanges;
  readonly disk: ReviewDisk;
  readonly tracker: FileTracker;
  readonly outcomes: CallOutcomes;
  readonly personEdits: PersonEdits;
  readonly turns: Turns;
}

/** The files behind the reviews, and what happens to them by other hands than the agent's. */
export class ReviewFiles {
  readonly disk: ReviewDisk;
  /** Edits that the person types and saves are never a command's: the editor tells of them. */
  readonly personEdits: PersonEdits;
  readonly #changes: PendingChanges;
  readonly #tracker: FileTracker;
  readonly #outcomes: CallOutcomes;
  readonly #turns: Turns;

  constructor({ changes, disk, tracker, outcomes, personEdits, turns }: Parts) {
    this.disk = disk;
    this.personEdits = personEdits;
    this.#changes = changes;
    this.#tracker = tracker;
    this.#outcomes = outcomes;
    this.#turns = turns;
  }

  /** Nothing is decided about a path while the work lasts, nor anything else in turn. */
  inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    return this.#turns.take(path, work);
  }

  /** True for files that matter here; also for those whose changes may come back. */
  concerns(path: string): boolean {
    return this.#tracker.concerns(path) || this.#outcomes.concerns(path);
  }

  /** Files of which something is known: with pending changes, or with ones that may come back. */
  get known(): readonly string[] {
    return this.#tracker.known;
  }

  /**
   * A document in an editor changed, by whatever: the agent's own edits are known already.
   * @param how `typed`: in an order in which the changes can be made; `outside`: by a formatter while it
   * was saved, or read anew from disk
   */
  documentChanged(path: string, text: Content, how: DocumentChange): void {
    this.#outcomes.fileIs(path, text);
    this.#tracker.documentChanged(path, text, how);
  }

  /** A file may be another one now: also one that is in an editor, whose unsaved text counts. */
  async fileChanged(path: string): Promise<void> {
    await this.#tracker.fileChanged(path);
    if (this.#outcomes.concerns(path))
      this.#outcomes.fileIs(path, (await this.disk.now(path)).content);
  }

  /** The person, or another program, renamed a file or folder; pending changes go with it. */
  fileRenamed(from: string, to: string): void {
    this.#tracker.fileRenamed(from, to);
  }

  /** As `fileRenamed`, with the person's yes: it is not the file again that the agent deleted at the new name. */
  async fileRenamedByYes(from: string, to: string): Promise<void> {
    this.fileRenamed(from, to);
    for (const { path, document } of this.#changes.files) {
      if (document.kind !== 'absent' || pathBelow(to, path) === undefined) continue;
      const { content } = await this.disk.now(path);
      if (content.kind !== 'absent') this.documentChanged(path, content, { kind: 'decided' });
    }
  }
}
