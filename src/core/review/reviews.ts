import type { Clock, Disposable, FileSystem, Log, Values } from '../ports.ts';
import type { KeptContents } from '../ports/kept-contents.ts';
import type { TextEncodings } from '../ports/text-encodings.ts';
import { lineChanges } from '../merge/line-changes.ts';
import { BelayError } from '../../domain/failure.ts';
import { accept, reject } from './decide.ts';
import { DecisionJournal } from './decision-journal.ts';
import type { InterruptedDecision } from './decision-journal.ts';
import type { Choice, FileEffect, Rejection } from './decide.ts';
import type { Restored } from './disk.ts';
import { linesOf, proposedAt, sameContent } from './file-review.ts';
import type { Attribution, Content, FileReview } from './file-review.ts';
import { hunksOf, isSettled, pendingIn } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { PendingChanges } from './pending-changes.ts';
import { proposalEdited, rebased, restoredProposal } from './proposals.ts';
import { ReviewDisk } from './review-disk.ts';
import { ReviewNews } from './review-news.ts';
import { PROPOSED_KEYS, ReviewStore, WRITTEN_KEYS } from './review-store.ts';
import { Turns } from './turns.ts';
import { changedOutside, undoneTo, userEdited } from './user-edits.ts';
import type { TypedChange } from './user-edits.ts';

/**
 * Where pending changes are: `written` ones are in the file already, `proposed` ones reach it when they
 * are accepted (mode Ask). A file may have both: then the proposal is about the file as it is.
 */
export type ReviewKind = 'written' | 'proposed';

/** The pending changes of a file. */
export interface PendingReview {
  readonly kind: ReviewKind;
  readonly review: FileReview;
}

/** Pending changes that are meant by a decision. */
export interface Selected {
  readonly kind: ReviewKind;
  readonly path: string;
  /** Default: all of the file, its renaming included. */
  readonly choice?: Choice;
}

/** What one request of the person made, and nobody has decided about. */
export interface PendingRequest {
  readonly sessionId: string;
  readonly messageId: string;
  /** Milliseconds since the epoch; of the oldest change. */
  readonly at: number;
  readonly hunks: readonly {
    readonly kind: ReviewKind;
    readonly path: string;
    readonly hunk: Hunk;
    readonly looked: boolean;
  }[];
}

/** What became of a decision about several files. */
export interface Decided {
  /** Files. */
  readonly done: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

export interface ReviewsParts {
  readonly values: Values;
  readonly files: FileSystem;
  readonly encodings?: TextEncodings | undefined;
  readonly kept?: KeptContents | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * All pending changes of the workspace, and the decisions about them. What is told here is on disk when
 * the promise resolves; a decision is done to the file, or everything stays pending.
 */
export class Reviews implements Disposable {
  readonly disk: ReviewDisk;
  readonly #changes: Readonly<Record<ReviewKind, PendingChanges>>;
  readonly #news: ReviewNews;
  readonly #turns = new Turns();
  readonly #journal: DecisionJournal;
  #interrupted: InterruptedDecision | undefined;

  constructor(parts: ReviewsParts) {
    const { values, clock, log } = parts;
    this.disk = new ReviewDisk(parts);
    this.#news = new ReviewNews(values, log);
    this.#journal = new DecisionJournal(values);
    this.#changes = {
      written: new PendingChanges({ store: new ReviewStore(values, WRITTEN_KEYS), clock, log }),
      proposed: new PendingChanges({
        store: new ReviewStore(values, PROPOSED_KEYS),
        clock,
        log,
        restore: restoredProposal,
        placeOf: proposedAt,
      }),
    };
  }

  /** Takes up what was pending when the last window closed or crashed. */
  async load(): Promise<void> {
    const read = async (path: string): Promise<Content> => (await this.disk.now(path)).content;
    await Promise.all([
      this.#changes.written.load(read),
      this.#changes.proposed.load(read),
      this.#news.load(),
    ]);
    this.#interrupted = await this.#journal.interrupted(
      ({ kind, path }) => this.find(kind, path) !== undefined,
    );
  }

  /** What has something pending, by path; of one path what is written comes first. */
  get pending(): readonly PendingReview[] {
    const all = (['written', 'proposed'] as const).flatMap((kind) =>
      this.#changes[kind].files.map((review) => ({ kind, review })),
    );
    return all.toSorted((a, b) =>
      a.review.path === b.review.path ? 0 : a.review.path < b.review.path ? -1 : 1,
    );
  }

  /** `undefined` when nothing is pending there. Settled ones are left out. */
  find(kind: ReviewKind, path: string): FileReview | undefined {
    const review = this.#changes[kind].get(path);
    return review === undefined || isSettled(review) ? undefined : review;
  }

  /** Whether what happens to this file is of interest here; also of files whose changes undo may bring back. */
  concerns(path: string): boolean {
    return (
      this.#changes.written.get(path) !== undefined ||
      this.#changes.proposed.some((review) => proposedAt(review) === path)
    );
  }

  /** Files of which something is known: with pending changes, or with ones that undo may bring back. */
  get known(): readonly string[] {
    const written = this.#changes.written.paths;
    return [...new Set([...written, ...this.#changes.proposed.files.map(proposedAt)])];
  }

  /** Files whose pending changes can only be shown: the file is gone, or is another one by now. */
  get offers(): readonly { readonly kind: ReviewKind; readonly offer: Restored }[] {
    return (['written', 'proposed'] as const).flatMap((kind) =>
      this.#changes[kind].offers.map((offer) => ({ kind, offer })),
    );
  }

  /** The person does not want what was offered: nothing of it is left. */
  async forgetOffer({ kind, path }: Selected): Promise<void> {
    await this.#changes[kind].resolveOffer(path, undefined);
  }

  get totals(): {
    readonly files: number;
    readonly hunks: number;
    readonly added: number;
    readonly removed: number;
  } {
    const all = this.pending.map(({ review }) => pendingIn(review));
    const sum = (value: (one: (typeof all)[number]) => number): number =>
      all.reduce((total, one) => total + value(one), 0);
    return {
      files: new Set(this.pending.map(({ review }) => review.path)).size,
      // A renaming alone is one change.
      hunks: sum(({ hunks, renamed }) => Math.max(hunks.length, renamed ? 1 : 0)),
      added: sum(({ added }) => added),
      removed: sum(({ removed }) => removed),
    };
  }

  /** Hunks by the requests that made them, oldest first; one that several made is under the last. */
  get requests(): readonly PendingRequest[] {
    const groups = new Map<string, PendingRequest>();
    for (const { kind, review } of this.pending) {
      for (const hunk of hunksOf(review)) {
        const { sessionId = '', messageId = '', at = 0 } = hunk.by.at(-1) ?? {};
        const key = `${sessionId} ${messageId}`;
        const known = groups.get(key) ?? { sessionId, messageId, at, hunks: [] };
        const looked = review.looked.includes(hunk.id);
        groups.set(key, {
          ...known,
          at: Math.min(known.at, at),
          hunks: [...known.hunks, { kind, path: review.path, hunk, looked }],
        });
      }
    }
    return [...groups.values()].toSorted((a, b) => a.at - b.at);
  }

  /** Hears of every file whose pending changes are others; several times at once, perhaps. */
  onChange(
    listener: (changed: { readonly kind: ReviewKind; readonly path: string }) => void,
  ): Disposable {
    const listening = (['written', 'proposed'] as const).map((kind) =>
      this.#changes[kind].onChange((path) => listener({ kind, path })),
    );
    return { dispose: () => listening.forEach((one) => one.dispose()) };
  }

  // What the agent does. The file is written by the caller, afterwards.

  /** The agent is about to make a file `after`; resolves when that can be taken back after any crash. */
  async agentEdits(
    kind: ReviewKind,
    path: string,
    contents: { readonly before: Content; readonly after: Content },
    by: Attribution,
  ): Promise<void> {
    await this.#changes[kind].agentEdited(path, contents.before, contents.after, by);
  }

  /** The agent is about to rename a file. */
  async agentRenames(
    kind: ReviewKind,
    path: string,
    to: { readonly path: string; readonly content: Content },
    by: Attribution,
  ): Promise<void> {
    await this.#changes[kind].agentRenamed(path, to.content, to.path, by);
  }

  /** A proposal is in the file by now, or nobody wants it any more: it is forgotten. */
  async forgetProposal(path: string): Promise<void> {
    const review = this.#changes.proposed.get(path);
    if (review === undefined) return;
    const { renamedFrom: _, ...rest } = review;
    await this.#changes.proposed.put(path, { ...rest, document: review.baseline, marks: [] });
  }

  // What happens to the files.

  /**
   * A document in an editor changed, by whatever: the agent's own edits are known already.
   * @param how `typed`: in an order in which the changes can be made; `outside`: by a formatter while it
   * was saved, or read anew from disk
   */
  documentChanged(
    path: string,
    text: Content,
    how:
      | { readonly kind: 'typed'; readonly changes: readonly TypedChange[] }
      | { readonly kind: 'undone' | 'outside' },
  ): void {
    this.#changes.written.update(path, (review) => {
      if (how.kind === 'typed') return userEdited(review, how.changes, text);
      return how.kind === 'undone' ? undoneTo(review, text) : changedOutside(review, text);
    });
    this.#rebase(path, text);
  }

  /** A file that is in no editor may be another one now. */
  async fileChanged(path: string): Promise<void> {
    if (!this.concerns(path)) return;
    const { content } = await this.disk.now(path);
    this.#changes.written.update(path, (review) => changedOutside(review, content));
    this.#rebase(path, content);
  }

  /** The person, or another program, renamed a file; its pending changes go with it. */
  fileRenamed(from: string, to: string): void {
    for (const changes of Object.values(this.#changes))
      changes.update(from, (review) =>
        review.renamedFrom === undefined || review.path === from
          ? { ...review, path: to }
          : { ...review, renamedFrom: to },
      );
  }

  /** The person changed a proposal itself. */
  proposalEdited(path: string, text: Content): void {
    this.#changes.proposed.update(path, (review) => proposalEdited(review, text));
  }

  // What the person decides.

  /**
   * Hunks become a part of the file: those that are written stay, proposed ones are written now.
   * @throws BelayError `not_found` when one of them is not pending any more, or what writing fails with
   */
  async accept({ kind, path, choice = 'all' }: Selected): Promise<void> {
    await this.#turns.take(path, async () => {
      await this.fileChanged(placeOf(this.#get(kind, path), kind));
      const review = this.#get(kind, path);
      if (kind === 'written') await this.#changes.written.accept(path, choice);
      else await this.#write(review, accept(review, choice), choice);
      await this.#news.accepted(kind, review, choice);
      this.#told(kind, path);
    });
  }

  /** Hunks are taken back; what is proposed only is forgotten. Fails as `accept`. */
  async reject({ kind, path, choice = 'all' }: Selected): Promise<void> {
    await this.#turns.take(path, async () => {
      await this.fileChanged(placeOf(this.#get(kind, path), kind));
      const review = this.#get(kind, path);
      if (kind === 'written')
        await this.#changes.written.reject(path, choice, (rejection) =>
          this.#carryOut(review, rejection),
        );
      else await this.#changes.proposed.put(path, reject(review, choice).review);
      await this.#news.rejected(review, choice);
      this.#told(kind, path);
    });
  }

  /**
   * Decides about several files, one after the other; one that fails stays pending. When the window ends
   * in the middle, `interrupted` tells the next one what is left.
   */
  async decide(decision: 'accept' | 'reject', selected: readonly Selected[]): Promise<Decided> {
    const failed: { path: string; reason: string }[] = [];
    await this.#journal.begin(decision, selected);
    for (const one of selected) {
      try {
        await this[decision](one);
      } catch (thrown) {
        if (!(thrown instanceof BelayError)) throw thrown;
        failed.push({ path: one.path, reason: thrown.message });
      }
    }
    await this.#journal.end();
    return { done: selected.length - failed.length, failed };
  }

  get interrupted(): InterruptedDecision | undefined {
    return this.#interrupted;
  }

  /** Goes on with what was interrupted, or leaves the rest pending. */
  async resolveInterrupted(goOn: boolean): Promise<Decided> {
    const interrupted = this.#interrupted;
    this.#interrupted = undefined;
    if (goOn && interrupted !== undefined)
      return this.decide(interrupted.decision, interrupted.left);
    await this.#journal.end();
    return { done: 0, failed: [] };
  }

  /** Marks hunks as looked at, or as not; it decides nothing. */
  look({ kind, path }: Selected, hunkIds: readonly string[], looked: boolean): void {
    this.#changes[kind].update(path, (review) => {
      const present = new Set(hunksOf(review).map(({ id }) => id));
      const others = review.looked.filter((id) => present.has(id) && !hunkIds.includes(id));
      const added = looked ? hunkIds.filter((id) => present.has(id)) : [];
      return { ...review, looked: [...others, ...added] };
    });
  }

  /** What a session's model does not know yet of decisions and of what the person changed: sentences, each told once. */
  takeNews(sessionId: string): readonly string[] {
    const edited = this.pending.flatMap(({ kind, review }) => {
      const text = this.#news.edited(review, sessionId);
      if (text !== undefined) this.#told(kind, review.path);
      return text ?? [];
    });
    return [...this.#news.take(sessionId), ...edited];
  }

  async flush(): Promise<void> {
    await Promise.all(Object.values(this.#changes).map((changes) => changes.flush()));
  }

  /** What is not stored yet is lost: `flush` first. */
  dispose(): void {
    for (const changes of Object.values(this.#changes)) changes.dispose();
  }

  #get(kind: ReviewKind, path: string): FileReview {
    const review = this.find(kind, path);
    if (review !== undefined) return review;
    throw new BelayError({
      code: 'not_found',
      message: `Nothing is pending in ${path} any more: it was decided, undone or edited meanwhile. Nothing was done.`,
    });
  }

  /** The file behind a proposal is another one. */
  #rebase(path: string, content: Content): void {
    for (const review of this.#changes.proposed.files)
      if (proposedAt(review) === path)
        this.#changes.proposed.update(review.path, (one) => rebased(one, content));
  }

  #told(kind: ReviewKind, path: string): void {
    this.#changes[kind].update(path, (review) =>
      sameContent(review.told, review.document) ? review : { ...review, told: review.document },
    );
  }

  /** Makes the file what a proposal says, as far as it was accepted. */
  async #write(before: FileReview, after: FileReview, choice: Choice): Promise<void> {
    const [from, to] = [proposedAt(before), proposedAt(after)];
    const [was, is] = [before.baseline, after.baseline];
    // First that it is decided is known to be under way: what is in the file by then is no longer pending.
    if (from !== to && was.kind !== 'absent' && is.kind !== 'absent')
      await this.disk.rename(from, to);
    if (is.kind === 'absent') await this.disk.delete(from, was);
    else if (was.kind === 'absent') await this.disk.create(to, linesOf(is).join('\n'));
    else await this.disk.changeLines(to, was, lineChanges(linesOf(was), linesOf(is)));
    await this.#changes.proposed.put(before.path, choice === 'all' ? settledAs(after) : after);
    this.#changes.written.update(from, (review) =>
      changedOutside(from === to ? review : { ...review, path: to }, is),
    );
  }

  async #carryOut(review: FileReview, { edits, effects }: Rejection): Promise<void> {
    await this.disk.changeLines(review.path, review.document, edits);
    for (const effect of effects) await this.#effect(review, effect);
  }

  async #effect(review: FileReview, effect: FileEffect): Promise<void> {
    switch (effect.kind) {
      case 'delete':
        return this.disk.delete(effect.path, review.document);
      case 'create':
        return this.disk.create(effect.path, effect.text);
      case 'rename':
        return this.disk.rename(effect.from, effect.to);
      case 'restore':
        return this.disk.restore(effect.path, {
          hash: effect.hash,
          bytes: review.baseline.kind === 'binary' ? review.baseline.bytes : 0,
        });
      default:
        return effect satisfies never;
    }
  }
}

function placeOf(review: FileReview, kind: ReviewKind): string {
  return kind === 'written' ? review.path : proposedAt(review);
}

/** Everything was accepted: what the file is now is all there is. */
function settledAs(review: FileReview): FileReview {
  return { ...review, document: review.baseline };
}
