import assert from 'node:assert/strict';
import { lineChanges } from '../../../src/core/merge/line-changes.ts';
import { linesOf, proposedAt } from '../../../src/core/review/model/file-review.ts';
import type { Leaf } from '../../../src/core/restore/turned-back.ts';
import { Hands, textOf } from './hands.ts';
import { decoded, encoded, spliced, tagsOf } from './tagged-text.ts';
import type { Text } from './tagged-text.ts';
import { refused, without } from './workshop.ts';
import type { Window } from './workshop.ts';

export type How = 'write' | 'propose' | 'accepted';

export const leafOf = (bytes: Uint8Array | undefined): Leaf =>
  bytes === undefined ? { kind: 'absent' } : { kind: 'file', bytes, mode: 0o644 };

/** Tags of lines that are in both texts, and not in the same order. */
function reordered(from: Text | undefined, to: Text): readonly string[] {
  const changes = lineChanges(from?.lines ?? [], to.lines);
  return changes.flatMap((change) => tagsOf(change.lines.join('\n')));
}

/** What agents do. */
export abstract class AgentHands extends Hands {
  async seen({ agent }: Window, path: string): Promise<Text | undefined> {
    if ((await agent.stat(path)) === undefined) return undefined;
    return decoded(await agent.read(path));
  }

  async agentEdits(
    window: Window,
    path: string,
    how: How,
    session: string,
    make: (text: Text | undefined) => Text | undefined,
  ): Promise<void> {
    if (this.isMoving(path)) return;
    const seen = await this.seen(window, path);
    const made = make(seen);
    if (made === undefined || (seen !== undefined && textOf(seen) === textOf(made))) return;
    const [old, now] = [tagsOf(seen === undefined ? '' : textOf(seen)), tagsOf(textOf(made))];
    if (seen === undefined) this.takes(this.at.tags(path));
    const hadReview =
      window.reviews.find('written', path) !== undefined ||
      window.reviews.find('proposed', path) !== undefined;
    const along = this.along(window, [path]);
    if (how === 'accepted') this.madeAgain(path);
    const replaces = seen === undefined ? ('nothing' as const) : encoded(seen);
    const origin = this.at.origin(how, session);
    const refusal = await refused(
      window.agent.write(path, encoded(made), { exact: true, replaces, origin }),
    );
    if (refusal !== undefined) return this.refused('edit', how, refusal.message);
    this.count(how);
    const { ledger } = this.at;
    for (const tag of this.at.moved(window)) ledger.moved.add(tag);
    if (how === 'propose') {
      ledger.set(without(old, now), { seen: false });
      ledger.set(without(now, old), { seen: true });
      this.takes(without(old, now));
      return;
    }
    this.changed();
    along();
    this.takes(without(old, now));
    const base = how === 'accepted' ? { base: hadReview ? ('any' as const) : false } : {};
    ledger.set(without(old, now), { disk: false, seen: false, ...base });
    const added = without(now, old);
    const isNew = added.filter((tag) => !ledger.tags.includes(tag));
    ledger.set(added, { disk: true, seen: true });
    if (how === 'accepted') {
      ledger.set(added, { base: hadReview ? 'any' : true });
      // What was put before or behind others in a hunk is a part of it, perhaps, and the person saw it put there.
      const moved = hadReview ? reordered(seen, made) : [];
      ledger.set(moved, { base: 'any' });
      for (const tag of [...added, ...moved]) ledger.accepted.add(tag);
    } else ledger.set(isNew, { base: false });
  }

  /** The agent takes its own changes back. */
  async agentReturns(window: Window, path: string, session: string): Promise<void> {
    const review = window.reviews.find('written', path);
    if (review?.baseline.kind !== 'text' || window.reviews.find('proposed', path)) return;
    if (review.document.kind !== 'text' || review.fileMissing) return;
    const lines = review.baseline.lines;
    await this.agentEdits(window, path, 'write', session, (text) =>
      text === undefined ? undefined : spliced(text, { from: 0, to: text.lines.length, lines }),
    );
  }

  async agentDeletes(window: Window, path: string, how: How, session: string): Promise<void> {
    const seen = await this.seen(window, path);
    if (seen === undefined) return;
    const tags = tagsOf(textOf(seen));
    const along = this.along(window, [path]);
    const proposal = window.reviews.find('proposed', path);
    const place = proposal === undefined ? path : proposedAt(proposal);
    const onDisk = this.at.tags(place);
    const origin = this.at.origin(how, session);
    const written = window.reviews.find('written', path);
    const refusal = await refused(window.agent.delete(path, { origin }));
    if (refusal !== undefined) return this.refused('delete', how, refusal.message);
    this.count(`delete ${how}`);
    const { ledger } = this.at;
    this.takes(tags);
    if (how === 'propose') return ledger.set(tags, { seen: false });
    this.forgetUndo(path);
    if (how === 'write') {
      along();
      this.changed();
      ledger.set(tags, { disk: false, seen: false });
      // Of two changes that were a renaming the other name holds them still.
      const others = [...this.at.files.contents.keys()].flatMap((one) => this.at.tags(one));
      return ledger.set(
        tags.filter((tag) => ledger.broughtBack.has(tag) && others.includes(tag)),
        { disk: true },
      );
    }
    this.changed();
    ledger.set(tags, { seen: false });
    ledger.set(onDisk, { disk: false, seen: false, base: 'any' });
    if (written !== undefined)
      ledger.set(tagsOf(linesOf(written.baseline).join('\n')), { base: 'any' });
    for (const tag of [...tags, ...onDisk]) ledger.accepted.add(tag);
  }

  async agentRenames(
    window: Window,
    from: string,
    to: string,
    { how, session }: { how: How; session: string },
  ): Promise<void> {
    if (from === to || (await this.seen(window, from)) === undefined) return;
    if ((await window.agent.stat(to)) !== undefined) return;
    const along = this.along(window, [from, to]);
    const origin = this.at.origin(how, session);
    // What is proposed to have that name is on disk at its old one.
    const proposal = window.reviews.find('proposed', from);
    const places = [from, to, ...(proposal === undefined ? [] : [proposedAt(proposal)])];
    this.takes(places.flatMap((place) => this.at.tags(place)));
    const isOnDisk = this.at.files.contents.has(to);
    if (how === 'accepted' && isOnDisk) return;
    const refusal = await refused(window.agent.rename(from, to, { origin }));
    if (refusal !== undefined) return this.refused('rename', how, refusal.message);
    this.count(`rename ${how}`);
    this.#isTwoChanges(window, from, to);
    if (how === 'write') along();
    if (how !== 'propose') this.changed();
    this.forgetUndo(from);
    this.forgetUndo(to);
  }

  /**
   * To a name that something on disk still has, or had, for the agent a file is moved by a change of what is there
   * and a deletion. Each is decided by itself: its lines may be at both.
   */
  #isTwoChanges({ reviews }: Window, from: string, to: string): void {
    for (const kind of ['written', 'proposed'] as const) {
      const [left, made] = [reviews.find(kind, from), reviews.find(kind, to)];
      if (left?.document.kind !== 'absent' || made === undefined) continue;
      this.count(`rename in two changes: ${kind}`);
      const there = new Set(tagsOf(linesOf(made.document).join('\n')));
      for (const tag of tagsOf(linesOf(left.baseline).join('\n')))
        if (there.has(tag)) this.at.ledger.broughtBack.add(tag);
    }
  }

  refused(what: string, how: How, message: string): void {
    this.count(`${what} ${how} refused: ${message.slice(-50)}`);
    // What is proposed for the file cannot go there first: its new name is taken.
    if (!/is there already/u.test(message)) assert.equal(how, 'propose', message);
  }

  /** What is proposed about paths goes into the files; to be called when it did. */
  along({ reviews }: Window, paths: readonly string[]): () => void {
    const about = reviews.pending.flatMap(({ kind, review }) =>
      kind === 'proposed' && paths.some((one) => one === review.path || one === proposedAt(review))
        ? review
        : [],
    );
    const all = about.map((review) => ({
      paths: [review.path, proposedAt(review)],
      there: this.at.tags(proposedAt(review)),
      then: tagsOf(linesOf(review.document).join('\n')),
    }));
    return () => {
      for (const {
        paths: [path = '', place = ''],
        there,
        then,
      } of all) {
        if (path !== place) for (const one of [path, place]) this.forgetUndo(one);
        this.at.ledger.set(without(there, then), { disk: false, seen: false });
        this.at.ledger.set(then, { disk: true, seen: true });
      }
    };
  }

  /** Notes what the agent did to the files, as the checkpoints do. */
  changed(): void {
    const now = this.at.files.contents;
    for (const path of new Set([...this.before.keys(), ...now.keys()])) {
      const [was, is] = [this.before.get(path), now.get(path)];
      if (was === is) continue;
      (this.history[path] ??= []).push({ before: leafOf(was), after: leafOf(is) });
      this.remember(path, was);
    }
  }
}
