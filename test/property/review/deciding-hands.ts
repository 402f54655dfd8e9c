import assert from 'node:assert/strict';
import type { Decision } from '../../../src/core/review/storage/decision-journal.ts';
import { linesOf, proposedAt } from '../../../src/core/review/model/file-review.ts';
import type { FileReview } from '../../../src/core/review/model/file-review.ts';
import type { ReviewKind } from '../../../src/core/review/service/reviews.ts';
import { turnedBack } from '../../../src/core/restore/turned-back.ts';
import { leafOf } from './agent-hands.ts';
import { textOf } from './hands.ts';
import type { Change, Ledger } from './ledger.ts';
import { PersonHands } from './person-hands.ts';
import { decoded, handOf, tagsOf } from './tagged-text.ts';
import { refused, silent, without } from './workshop.ts';
import type { Shown, Window } from './workshop.ts';

/** What a decision makes of tags. */
interface Effect {
  readonly kind: ReviewKind;
  readonly path: string;
  readonly accepts: readonly string[];
  readonly minus: readonly string[];
  readonly without: Change;
  readonly plus: readonly string[];
  readonly with: Change;
  /** Of a line that was moved only one of its two places was decided: it is at both. */
  readonly twice: readonly string[];
}

/** @param mayDiffer the other kind of change is about the same lines, perhaps: what it makes of them is its own */
function madeOf(decision: Decision, kind: ReviewKind, mayDiffer: boolean) {
  return (is: boolean): Change => {
    const also = mayDiffer ? 'any' : is;
    if (decision === 'accept') return kind === 'written' ? { base: is } : { disk: is, base: also };
    return kind === 'written' ? { disk: is, seen: also } : { seen: is };
  };
}

/** What the person decides, and what happens to windows. */
export class AllHands extends PersonHands {
  capture(window: Window): void {
    this.captured = window.reviews.pending.flatMap(({ kind, review }) =>
      this.at.shown(kind, review),
    );
  }

  async decides(
    window: Window,
    decision: Decision,
    shown: readonly Shown[],
    choice: readonly string[],
  ): Promise<void> {
    const [first] = shown;
    if (first === undefined) return;
    const { kind, path } = first;
    const review = window.reviews.find(kind, path);
    const effect = review === undefined ? undefined : this.effect(window, decision, review, shown);
    await this.decided(window, { decision, kind, path, choice }, effect);
  }

  /** What was decided is not there to be decided again. */
  async decidesAgain(window: Window, decision: Decision, shown: readonly Shown[]): Promise<void> {
    for (const { kind, path, id } of shown) {
      const review = window.reviews.find(kind, path);
      const isLeft =
        review !== undefined && this.at.shown(kind, review).some((one) => one.id === id);
      if (isLeft) continue;
      const refusal = await refused(
        window.reviews.decisions[decision]({ kind, path, choice: [id] }),
      );
      assert.equal(refusal?.code, 'not_found', `${id} of ${path} was decided twice`);
    }
  }

  /** All of a file, its renaming included. */
  async decidesWhole(
    window: Window,
    decision: Decision,
    kind: ReviewKind,
    path: string,
  ): Promise<void> {
    const review = window.reviews.find(kind, path) ?? assert.fail('nothing is pending');
    const effect = this.effect(window, decision, review, this.at.shown(kind, review), kind);
    await this.decided(window, { decision, kind, path, choice: 'all' }, effect);
  }

  async decided(
    window: Window,
    {
      decision,
      kind,
      path,
      choice,
    }: { decision: Decision; kind: ReviewKind; path: string; choice: 'all' | readonly string[] },
    effect: Effect | undefined,
  ): Promise<void> {
    const disk = this.before;
    const refusal = await refused(window.reviews.decisions[decision]({ kind, path, choice }));
    if (refusal === undefined) {
      this.count(`${decision} ${kind} ${choice === 'all' ? 'all' : 'some'}`);
      assert.ok(effect !== undefined, 'what was not pending was decided');
      this.carryOut([effect]);
    } else {
      this.count(`${decision} ${kind} refused: ${refusal.message.slice(-50)}`);
      assert.deepEqual(new Map(this.at.files.contents), new Map(disk), refusal.message);
    }
  }

  /** All of several files, or of all. */
  async decidesAll(
    window: Window,
    decision: Decision,
    chosen: (index: number) => boolean,
  ): Promise<void> {
    const all = window.reviews.pending.filter((_, index) => chosen(index));
    const last: ReviewKind = decision === 'reject' ? 'written' : 'proposed';
    const effects = all
      .toSorted((a, b) => Number(a.kind === last) - Number(b.kind === last))
      .map(({ kind, review }) =>
        this.effect(window, decision, review, this.at.shown(kind, review), kind),
      );
    const selected = all.map(({ kind, review: { path } }) => ({ kind, path }));
    const { done: count, failed } = await window.reviews.decisions.decide(decision, selected);
    this.count(
      `${decision} several: ${failed.length === 0 ? 'done' : failed[0]?.reason.slice(-50)}`,
    );
    assert.equal(count, all.length - failed.length);
    for (const { reason } of failed)
      assert.match(reason, /already|pending there|decide again|any more/u);
    const left = new Set(failed.map(({ path }) => path));
    const done = effects.filter(
      ({ kind, path }) => !left.has(path) || window.reviews.find(kind, path) === undefined,
    );
    this.carryOut(done.filter((one) => one.kind !== last));
    this.carryOut(done.filter((one) => one.kind === last));
  }

  effect(
    window: Window,
    decision: Decision,
    review: FileReview,
    shown: readonly Shown[],
    kind = shown[0]?.kind ?? 'written',
  ): Effect {
    const { taken } = this.at;
    const added = shown.flatMap((one) => one.added);
    const removed = shown.flatMap((one) => one.removed);
    const place = kind === 'written' ? review.path : proposedAt(review);
    const hasBoth = kind === 'proposed' && window.reviews.find('written', place) !== undefined;
    const all = [review.baseline, review.document].flatMap((one) =>
      tagsOf(linesOf(one).join('\n')),
    );
    for (const tag of review.fileMissing ? [] : silent(shown, review))
      assert.ok(taken.has(tag), `${tag} goes with a hunk that says nothing of it`);
    const isUnderProposal = kind === 'written' && this.isProposed(window, place);
    const [minus, plus] = decision === 'accept' ? [removed, added] : [added, removed];
    const others = this.at
      .shown(kind, review)
      .filter(({ id }) => !shown.some((one) => one.id === id))
      .flatMap((one) => (decision === 'accept' ? one.removed : one.added));
    const accepts = decision === 'accept' ? added : [];
    const twice = plus.filter((tag) => others.includes(tag));
    const about = { kind, path: review.path, accepts, twice };
    if (review.fileMissing && kind === 'written')
      return { ...about, minus: all, without: { base: 'any' }, plus: [], with: {} };
    // A yes to taking a file away: nothing of it is left to decide about.
    if (hasBoth && decision === 'accept' && review.document.kind === 'absent') {
      const written = linesOf(window.reviews.find('written', place)?.baseline ?? review.baseline);
      const minusAll = [...minus, ...tagsOf(written.join('\n'))];
      return { ...about, minus: minusAll, without: { base: false, disk: false }, plus, with: {} };
    }
    const made = madeOf(decision, kind, hasBoth || isUnderProposal);
    // Of a line that was moved one of two places is decided: it stays at the other.
    const stay = this.at.afterwards(decision, review, shown);
    const gone = without(minus, [...plus, ...stay]);
    return { ...about, minus: gone, without: made(false), plus, with: made(true) };
  }

  /** What one hunk takes away another one may have put somewhere. */
  carryOut(effects: readonly Effect[]): void {
    const { ledger } = this.at;
    for (const { minus, without: change } of effects) {
      ledger.set(minus, change);
      // They went with a hunk that said so: the person knows.
      for (const tag of minus) this.at.taken.add(tag);
    }
    for (const { plus, with: change, accepts, twice } of effects) {
      ledger.set(plus, change);
      for (const tag of twice) ledger.broughtBack.add(tag);
      for (const tag of accepts) ledger.accepted.add(tag);
    }
  }

  override async reload(count: number, flush: boolean): Promise<void> {
    const { ledger } = this.at;
    if (!flush) ledger.set(ledger.tags, { base: 'any' });
    if (!flush) ledger.set(this.unsaved, { seen: 'any' });
    // What was done right before a crash is one change by something else then: it may leave nothing recognisable, and
    // what was proposed of the file that was there is about the one that has its name.
    if (!flush)
      for (const tag of [...this.unsavedIn].flatMap((path) => this.at.tags(path))) {
        ledger.accepted.add(tag);
        ledger.set([tag], { seen: 'any' });
      }
    this.unsaved.clear();
    this.unsavedIn.clear();
    await this.at.close(flush);
    await this.at.open(count);
    this.isReloaded = true;
    this.undo.clear();
    this.captured = [];
    for (const [index, { reviews }] of this.at.windows.entries()) {
      for (const { kind, offer } of reviews.decisions.offers) {
        const { review } = offer;
        this.count(`offer ${offer.kind}`);
        const tags = [review.baseline, review.document].flatMap((one) =>
          tagsOf(linesOf(one).join('\n')),
        );
        ledger.set(tags, kind === 'written' ? { base: 'any' } : { seen: 'any' });
        if (index === 0) await reviews.decisions.forgetOffer({ kind, path: review.path });
      }
      if (index > 0) await reviews.refresh();
    }
    this.count(flush ? 'reload' : 'crash');
  }

  /**
   * What the agent did to all files is taken back.
   * @param isSure where the person's edits cannot stay they are given up; else nothing is done
   */
  async restores(isSure: boolean): Promise<void> {
    const files = this.at.files.contents;
    const to: [string, Uint8Array | undefined][] = [];
    const back: [string, Uint8Array | undefined][] = [];
    for (const [path, changes] of Object.entries(this.history)) {
      const turned = turnedBack(leafOf(files.get(path)), changes);
      if (turned.kind === 'same') continue;
      if (turned.kind === 'conflict') this.count(`restore: a conflict${isSure ? ', sure' : ''}`);
      if (turned.kind === 'conflict' && !isSure) return;
      const leaf = turned.kind === 'conflict' ? turned.theirs : turned.to;
      back.push([path, files.get(path)]);
      if (leaf.kind === 'absent') to.unshift([path, undefined]);
      else if (leaf.kind === 'file') to.push([path, leaf.bytes]);
    }
    const known = new Map(back.map(([path]) => [path, this.#pendingIn(path)]));
    for (const [path, bytes] of to) {
      this.count(`restore ${bytes === undefined ? 'takes away' : 'a text'}`);
      this.turn(path, bytes);
    }
    this.history = {};
    this.lastRestore = back;
    this.beforeRestore = known;
  }

  /** Right after a restore: everything is as it was before it. */
  async restoresBack(): Promise<void> {
    const back = this.lastRestore.toSorted(
      ([, a], [, b]) => Number(a !== undefined) - Number(b !== undefined),
    );
    for (const [path, bytes] of back) {
      const isNothing = this.at.windows.every(
        ({ reviews }) => reviews.find('written', path) === undefined,
      );
      this.turn(path, bytes);
      if (!isNothing) continue;
      // All that was pending is pending again.
      for (const [tag, was] of this.beforeRestore.get(path) ?? [])
        this.at.ledger.set([tag], { base: was.base ?? 'any' });
    }
    if (back.length > 0) this.count('redo of a restore');
  }

  /** What is known of the tags of all that is pending about a file. */
  #pendingIn(path: string): ReturnType<Ledger['known']> {
    const about = this.at.windows.flatMap(({ reviews }) =>
      reviews.pending.filter(({ review }) => review.path === path || proposedAt(review) === path),
    );
    const tags = about.flatMap(({ review }) =>
      tagsOf([...linesOf(review.baseline), ...linesOf(review.document)].join('\n')),
    );
    return this.at.ledger.known(tags);
  }

  turn(path: string, bytes: Uint8Array | undefined): void {
    const { files, ledger, taken } = this.at;
    const old = this.at.tags(path);
    const now = bytes === undefined ? [] : tagsOf(textOf(decoded(bytes)));
    for (const tag of [...old, ...now]) taken.add(tag);
    for (const tag of without(now, old)) {
      ledger.accepted.add(tag);
      ledger.broughtBack.add(tag);
    }
    const wasInBase = new Set(ledger.tags.filter((tag) => ledger.is(tag, 'base')));
    // Who takes back by files decides nothing about hunks: those follow.
    for (const { reviews } of this.at.windows)
      for (const { kind, review } of reviews.pending)
        if (review.path === path || proposedAt(review) === path)
          ledger.set(
            [review.baseline, review.document].flatMap((one) => tagsOf(linesOf(one).join('\n'))),
            kind === 'written' ? { base: 'any' } : { seen: 'any' },
          );
    // What is not the agent's and stays where it is, whoever rejects what.
    const kept = now.filter((tag) => handOf(tag) !== 'g' && old.includes(tag));
    for (const tag of kept) if (wasInBase.has(tag)) ledger.set([tag], { base: true });
    // A file that the person moved holds them still, beside the one that is brought back.
    const others = [...files.contents.keys()].filter((one) => one !== path);
    const stay = new Set(others.flatMap((one) => this.at.tags(one)));
    for (const tag of without(old, now))
      ledger.set([tag], { disk: stay.has(tag), base: 'any', seen: 'any' });
    ledger.set(without(now, old), { disk: true, base: 'any', seen: 'any' });
    if (bytes === undefined) files.contents.delete(path);
    else files.contents.set(path, bytes);
    this.forgetUndo(path);
  }
}
