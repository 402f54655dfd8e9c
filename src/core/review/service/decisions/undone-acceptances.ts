import { lineChanges } from '../../../merge/line-changes.ts';
import { movedTo, pathBelow } from '../../../../domain/paths.ts';
import { linesOf, movedMarks, sameContent } from '../../model/file-review.ts';
import type { Content, FileReview } from '../../model/file-review.ts';

/** Acceptances of one file that can be undone, the newest. */
const MOST_OF_FILE = 20;

/** A proposal as it was when it, or some of it, was accepted. */
interface Acceptance {
  readonly review: FileReview;
  /** The file afterwards. */
  readonly file: Content;
  readonly isUndone: boolean;
}

/**
 * Proposals that were accepted in this window, by file: when an editor's undo takes out what an acceptance put there,
 * it is pending again. In memory, as an editor's history is.
 */
export class UndoneAcceptances {
  readonly #files = new Map<string, readonly Acceptance[]>();

  /**
   * @param path where the file is now
   * @param review as it was before
   * @param file what it holds now
   */
  accepted(path: string, review: FileReview, file: Content): void {
    // Line ends and encoding alone: no text tells whether that was undone.
    if (sameContent(review.baseline, file)) return;
    const { renamedFrom: _, folder: __, ...rest } = review;
    const one = { review: { ...rest, path, memory: [] }, file, isUndone: false };
    this.#files.set(path, [...this.#done(path), one].slice(-MOST_OF_FILE));
  }

  /** A rejected change does not come back by another undo. */
  rejected(path: string): void {
    this.#files.set(path, this.#done(path));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  moved(from: string, to: string): void {
    for (const [path, all] of this.#files) {
      if (pathBelow(from, path) === undefined) continue;
      const place = movedTo(path, from, to);
      this.#files.delete(path);
      this.#files.set(
        place,
        all.map((one) => ({ ...one, review: { ...one.review, path: place } })),
      );
    }
  }

  /**
   * The file's editor went a step back, or forward again.
   * @returns the acceptance that is undone by that, or done again
   */
  turned(path: string, text: Content): Acceptance | undefined {
    const all = this.#files.get(path) ?? [];
    const isRedo = (one: Acceptance): boolean => one.isUndone && sameContent(one.file, text);
    const isUndo = ({ isUndone, review }: Acceptance): boolean =>
      !isUndone && sameContent(review.baseline, text);
    const found = all.find(isRedo) ?? all.findLast(isUndo);
    if (found === undefined) return undefined;
    const turned = { ...found, isUndone: !found.isUndone };
    this.#files.set(
      path,
      all.map((one) => (one === found ? turned : one)),
    );
    return turned;
  }

  #done(path: string): readonly Acceptance[] {
    return (this.#files.get(path) ?? []).filter(({ isUndone }) => !isUndone);
  }
}

/** A proposal of which more is pending again: the file is without it, what is proposed is the same. */
export function withUndone(review: FileReview, undone: FileReview): FileReview {
  const changes = lineChanges(linesOf(undone.document), linesOf(review.document));
  const marks = movedMarks(undone.marks, changes);
  return { ...review, baseline: undone.baseline, marks: [...marks, ...review.marks] };
}
