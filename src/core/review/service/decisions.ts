import { type BelayError, failureOf, fault, wordsOf } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { Log } from '../../ports/log.ts';
import { type Choice, type FileEffect, type Undoing, keep, undo } from '../model/decide.ts';
import { type FileReview, textContent } from '../model/file-review.ts';
import { chosenHunks, hunksOf } from '../model/hunks.ts';
import { type Selected, joinSelected, withoutEdited } from '../model/selected-changes.ts';
import { asKnownToModel } from '../model/unreported-changes.ts';
import type { CallOutcomes } from '../storage/call-outcomes.ts';
import type { DecidedFile, DecisionLog } from '../storage/decision-log.ts';
import type { ReviewNotices } from '../storage/review-notices.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewFiles } from './review-files.ts';
import type { WorkspaceOwner } from './workspace-owner.ts';

export type Decision = 'keep' | 'undo';

/** The result of a decision about several files. */
export interface Decided {
  /** Hunks that were decided; a renaming alone is one. */
  readonly done: number;
  /** Hunks that the user had edited, which undoing several files leaves. */
  readonly left: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
  /** Takes it back, with `Redo`; absent: nothing was done. */
  readonly id?: string;
}

interface DecisionsParts {
  readonly decided: DecisionLog;
  readonly changes: PendingChanges;
  readonly files: ReviewFiles;
  readonly outcomes: CallOutcomes;
  readonly news: ReviewNotices;
  readonly owner: WorkspaceOwner;
  readonly stash: Stash;
  readonly log: Log;
}

/** A choice of hunks in a file as it is in this moment; `undefined`: none of them is pending any more. */
type Choose = (row: FileReview) => Choice | undefined;

/** The user's decisions: each is done to the file and stored, or everything stays pending. */
export class Decisions {
  readonly #parts: DecisionsParts;

  constructor(parts: DecisionsParts) {
    this.#parts = parts;
  }

  /**
   * Keeps hunks: they are a part of the file and no longer pending.
   * @throws BelayError `not_found` when one of them is not pending any more, or what storing fails with; then everything
   * is pending as it was
   * @returns takes it back, with `Redo`; `undefined`: it cannot be taken back
   */
  keep(selected: Selected): Promise<string | undefined> {
    return this.#decideOne('keep', selected);
  }

  /** Undoes hunks: the lines from before them go back into the file. Fails as `keep`. */
  undo(selected: Selected): Promise<string | undefined> {
    return this.#decideOne('undo', selected);
  }

  /**
   * Decides about several files, one after the other; one that fails is tried again after the others, and stays
   * pending then. What comes to be pending meanwhile is not meant.
   * @param isBulk undoing leaves hunks that the user edited; false where the user named the hunks or the file
   */
  async decide(decision: Decision, selected: readonly Selected[], isBulk = true): Promise<Decided> {
    const { changes, owner } = this.#parts;
    await owner.refuseElsewhere();
    const find = (path: string): FileReview | undefined => changes.get(path);
    const meant = isBulk ? withoutEdited(decision, selected, find) : { selected, left: 0 };
    const all = joinSelected(meant.selected).map((one) => ({
      ...one,
      ids: meantIds(find(one.path), one.choice ?? 'all'),
    }));
    let hunks = 0;
    const files: DecidedFile[] = [];
    let failed: (typeof all)[number][] = [];
    const reasons = new Map<string, string>();
    const attempt = async (open: typeof all): Promise<void> => {
      failed = [];
      for (const one of open) {
        try {
          const made = await this.#decide(decision, one.path, (row) =>
            one.choice === 'all' || one.choice === undefined
              ? stillMeant(row, one.ids)
              : one.choice,
          );
          hunks += made.hunks;
          files.push(made.file);
        } catch (thrown) {
          reasons.set(one.path, wordsOf(failureOf(thrown)));
          failed.push(one);
        }
      }
    };
    await attempt(all);
    // A renaming may have had to wait for another file of the same decision.
    if (failed.length > 0 && failed.length < all.length) await attempt(failed);
    const id = files.length === 0 ? undefined : await this.#log({ decision, hunks, files });
    return {
      ...(id === undefined ? {} : { id }),
      done: hunks,
      left: meant.left,
      failed: failed.map(({ path }) => ({ path, reason: reasons.get(path) ?? '' })),
    };
  }

  async #decideOne(
    decision: Decision,
    { path, choice = 'all' }: Selected,
  ): Promise<string | undefined> {
    await this.#parts.owner.refuseElsewhere();
    const { hunks, file } = await this.#decide(decision, path, () => choice);
    return this.#log({ decision, hunks, files: [file] });
  }

  /** Logs a decision. One that cannot be logged is done all the same, and is final. */
  async #log(decided: Parameters<DecisionLog['add']>[0]): Promise<string | undefined> {
    return this.#parts.decided.add(decided).catch((thrown: unknown) => {
      this.#parts.log.error('A decision cannot be taken back: it could not be stored.', thrown);
      return undefined;
    });
  }

  /** Marks hunks as looked at, or as not; it decides nothing. */
  look(path: string, hunkIds: readonly string[], looked: boolean): void {
    const { changes } = this.#parts;
    const row = changes.get(path);
    if (row === undefined) return;
    const present = new Set(hunksOf(row).map(({ id }) => id));
    const others = row.looked.filter((id) => present.has(id) && !hunkIds.includes(id));
    const added = looked ? hunkIds.filter((id) => present.has(id)) : [];
    changes.update(path, { ...row, looked: [...others, ...added] });
  }

  /** @returns how many hunks were decided, and the file before and after */
  async #decide(
    decision: Decision,
    path: string,
    choose: Choose,
  ): Promise<{ readonly hunks: number; readonly file: DecidedFile }> {
    const { changes, files, stash, outcomes } = this.#parts;
    return files.inTurn(path, async () => {
      // The file may have changed since the user decided.
      await files.fileChanged(path);
      const row = changes.get(path);
      const choice = row && choose(row);
      if (row === undefined || choice === undefined) throw nothingPending(path);
      const hunks = chosenHunks(row, choice);
      let file: DecidedFile = { row, after: row.document, path };
      if (decision === 'undo') file = await this.#undo(row, choice);
      else {
        await changes.change(path, (now) => {
          if (now !== row) throw nothingPending(path);
          return keep(row, choice);
        });
        stash.keep(path, hunks);
      }
      await outcomes.decided(decision, row, choice);
      await this.#tellModel(decision, row, choice);
      return { hunks: Math.max(1, hunks.length), file };
    });
  }

  /** Puts the row aside, changes the file and stores what is left: after a crash each state is known. */
  async #undo(row: FileReview, choice: Choice): Promise<DecidedFile> {
    const { changes, stash, files } = this.#parts;
    const { disk } = files;
    const undone = undo(row, choice);
    const { path } = undone.review;
    // All of it or nothing: a name that is taken is found before the first line is changed.
    if (path !== row.path) {
      if (changes.get(path) !== undefined) throw takenBy(row.path, path);
      await disk.canRename(row.path, path);
    }
    await stash.put(row);
    const isOfLines = row.document.kind === 'text' && undone.review.document.kind === 'text';
    const hasBytes = !isOfLines && row.document.kind !== 'absent';
    const replaced = hasBytes ? await disk.kept.keep(row.path) : undefined;
    // The editor tells of the change before the file is written.
    changes.update(row.path, undone.review);
    try {
      await this.#carryOut(row, undone);
    } catch (thrown) {
      if (changes.get(path) === undone.review || changes.get(path) === undefined)
        changes.update(path, row);
      await files.fileChanged(row.path).catch(() => undefined);
      throw thrown;
    }
    const now = changes.get(path);
    await changes.settle(row.path, now ?? undone.review);
    return { row, after: undone.review.document, path, replaced };
  }

  async #carryOut(row: FileReview, { review: after, edits, effects }: Undoing): Promise<void> {
    const { disk, userEdits } = this.#parts.files;
    // The change is the user's, whatever command runs at that time.
    for (const path of new Set([row.path, after.path])) userEdits.noteEdit(path);
    await disk.changeLines(row.path, row.document, edits);
    for (const effect of effects) await this.#carryOutEffect(row, effect);
  }

  async #carryOutEffect(row: FileReview, effect: FileEffect): Promise<void> {
    const { disk } = this.#parts.files;
    const before = { seen: row.document, kept: row.kept };
    switch (effect.kind) {
      case 'delete':
        return disk.delete(effect.path, row.document);
      case 'create':
        return disk.create(effect.path, textContent(effect.text), before);
      case 'rename':
        return disk.rename(effect.from, effect.to);
      case 'restore':
        return disk.restore(effect.path, effect.hash, before);
      default:
        return effect satisfies never;
    }
  }

  async #tellModel(decision: Decision, row: FileReview, choice: Choice): Promise<void> {
    const { changes, news, log } = this.#parts;
    try {
      if (decision === 'keep') await news.noteKept(row, choice);
      else await news.noteUndone(row, choice);
    } catch (thrown) {
      log.error(`What was decided about ${row.path} could not be noted for the model.`, thrown);
    }
    const after = changes.get(row.path);
    if (after === undefined) return;
    news.tellsAll(row, after.document);
    changes.update(after.path, asKnownToModel(after));
  }
}

function meantIds(row: FileReview | undefined, choice: Choice): readonly string[] {
  return row === undefined ? [] : chosenHunks(row, choice).map(({ id }) => id);
}

/** The hunks of a file that were meant and are still pending; its renaming goes with all of them. */
function stillMeant(row: FileReview, ids: readonly string[]): Choice | undefined {
  const present = hunksOf(row).map(({ id }) => id);
  const left = present.filter((id) => ids.includes(id));
  if (left.length === present.length)
    return left.length === 0 && row.renamedFrom === undefined ? undefined : 'all';
  return left.length === 0 ? undefined : left;
}

function takenBy(path: string, to: string): BelayError {
  const message = told`${path} cannot become ${to}: changes of another file are pending there. Nothing was done; decide about those first.`;
  return fault('invalid', message);
}

function nothingPending(path: string): BelayError {
  const message = told`Nothing is pending in ${path} any more: it was decided, undone or edited meanwhile. Nothing was done.`;
  return fault('not_found', message);
}
