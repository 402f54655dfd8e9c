import { failureOf, fault, wordsOf } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { lineChanges } from '../../merge/line-changes.ts';
import { mergeTexts } from '../../merge/merge-texts.ts';
import { withAgentEdit, withAgentRename } from '../model/agent-edits.ts';
import {
  type Content,
  type FileReview,
  linesOf,
  sameContent,
  textContent,
  textOf,
} from '../model/file-review.ts';
import { listAuthors } from '../model/hunks.ts';
import { withOtherHands } from '../model/other-hands.ts';
import type { DecidedFile, DecisionLog } from '../storage/decision-log.ts';
import type { Stash } from '../storage/stash.ts';
import type { PendingChanges } from './pending-changes.ts';
import type { ReviewFiles } from './review-files.ts';
import type { WorkspaceOwner } from './workspace-owner.ts';

interface RedoParts {
  readonly changes: PendingChanges;
  readonly files: ReviewFiles;
  readonly log: DecisionLog;
  readonly owner: WorkspaceOwner;
  readonly stash: Stash;
}

/** Files that a decision was taken back in, and those in which it could not be. */
export interface TakenBack {
  readonly done: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

/** Takes decisions back: what was undone is in the files again, and what was decided is pending again. */
export class Redo {
  readonly #parts: RedoParts;

  constructor(parts: RedoParts) {
    this.#parts = parts;
  }

  /**
   * Takes one decision back, file by file; what changed since stays. A file in which that fails stays as it is.
   * @throws BelayError `not_found` when it was taken back already, or is too old
   */
  async takeBack(id: string): Promise<TakenBack> {
    const { log, owner, files } = this.#parts;
    await owner.refuseElsewhere();
    const decision = log.all.find((one) => one.id === id);
    if (decision === undefined)
      throw fault('not_found', told`This decision was taken back already, or is too old.`);
    await log.remove(id);
    const failed: { path: string; reason: string }[] = [];
    for (const file of decision.files) {
      try {
        await files.inTurn(file.row.path, () =>
          decision.decision === 'undo' ? this.#redo(file) : this.#makePending(file),
        );
      } catch (thrown) {
        failed.push({ path: file.row.path, reason: wordsOf(failureOf(thrown)) });
      }
    }
    return { done: decision.files.length - failed.length, failed };
  }

  /** Makes pending again what was kept; the file stays as it is. */
  async #makePending({ row }: DecidedFile): Promise<void> {
    const { changes, files } = this.#parts;
    const { path } = row;
    if (changes.get(path) !== undefined)
      throw fault('invalid', told`Other changes are pending in ${path} by now.`);
    const { content } = await files.disk.now(path);
    await changes.change(path, () => withOtherHands(row, content, 'program'));
  }

  /** Puts what was undone into the file again, beside what changed since. */
  async #redo(file: DecidedFile): Promise<void> {
    const { changes, files, stash } = this.#parts;
    const { disk, userEdits } = files;
    const { row, after, path } = file;
    await files.fileChanged(path);
    const { content: now } = await disk.now(path);
    const next = mergeContents(after, row.document, now);
    if (next === undefined)
      throw fault('invalid', told`${path} was changed at the same lines since. It stays as it is.`);
    if (path !== row.path) await disk.canRename(path, row.path);
    for (const one of [path, row.path]) userEdits.noteEdit(one);
    const pending = stash.take(row.path, next) ?? this.#pendingAgain(file, now, next);
    await changes.change(path, () => pending);
    try {
      await this.#write(file, now, next);
      if (path !== row.path) await disk.rename(path, row.path);
    } catch (thrown) {
      await files.fileChanged(row.path);
      throw thrown;
    }
  }

  #pendingAgain({ row, path }: DecidedFile, before: Content, after: Content): FileReview {
    const { changes } = this.#parts;
    const by = listAuthors(row).at(-1);
    if (by === undefined) return { ...row, baseline: before, document: after };
    const edited = withAgentEdit(changes.get(path), path, { before, after, kept: row.kept }, by);
    return path === row.path
      ? edited
      : withAgentRename(edited, { path, content: after }, row.path, by);
  }

  async #write({ row, path, replaced }: DecidedFile, now: Content, next: Content): Promise<void> {
    const { disk } = this.#parts.files;
    if (sameContent(now, next)) return;
    if (next.kind === 'absent') return disk.delete(path, now);
    const isExact = sameContent(next, row.document);
    if (isExact && replaced !== undefined && (now.kind !== 'text' || next.kind !== 'text'))
      return disk.restore(path, replaced.hash, { seen: now, kept: replaced });
    if (now.kind === 'text' && next.kind === 'text')
      return disk.changeLines(path, now, lineChanges(now.lines, linesOf(next)));
    return disk.create(path, next, { seen: now });
  }
}

/** Brings what `ours` made of `base` into `theirs`; `undefined`: both changed the same lines. */
function mergeContents(base: Content, ours: Content, theirs: Content): Content | undefined {
  if (sameContent(base, theirs)) return ours;
  if (sameContent(ours, theirs)) return theirs;
  const [was, wanted, present] = [textOf(base), textOf(ours), textOf(theirs)];
  if (was === undefined || wanted === undefined || present === undefined) return undefined;
  const merged = mergeTexts(was, wanted, present);
  return merged.kind === 'merged' ? textContent(merged.text) : undefined;
}
