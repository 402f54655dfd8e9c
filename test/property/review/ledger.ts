import assert from 'node:assert/strict';
import { handOf } from './tagged-text.ts';

/**
 * Where a tag is to be found: in the files if all that is written were rejected (`base`), in the files
 * (`disk`), and in what the agent sees: the files if all that is proposed were accepted (`seen`).
 */
type Place = 'base' | 'disk' | 'seen';

const PLACES = ['base', 'disk', 'seen'] as const satisfies readonly Place[];

/** The tags at each place, file by file, in the order of the lines. */
export type Views = Readonly<Record<Place, readonly (readonly string[])[]>>;

type Known = Record<Place, boolean | 'any'>;

/** What becomes of a tag; what is not said stays as it was. `any`: it is not for tags to say. */
export type Change = Partial<Known>;

/** What edits and decisions say of every tag, from the tags alone. */
export class Ledger {
  readonly #known = new Map<string, Known>();
  /** Tags of the agent that the person accepted, or took for theirs. */
  readonly accepted = new Set<string>();

  /** Brought back by a restore, beside what is still pending of them: a rejection may bring them twice. */
  readonly broughtBack = new Set<string>();

  /**
   * The agent moved them past a line that is the same as others: at both places they are its change, and of what is
   * changed beneath a proposal both may be there.
   */
  readonly moved = new Set<string>();

  get tags(): readonly string[] {
    return [...this.#known.keys()];
  }

  is(tag: string, place: Place): boolean {
    return this.#known.get(tag)?.[place] === true;
  }

  set(tags: Iterable<string>, change: Change): void {
    for (const tag of tags) {
      const known = this.#known.get(tag) ?? { base: false, disk: false, seen: false };
      this.#known.set(tag, { ...known, ...change });
    }
  }

  /** What is known of some of the tags now, to be known again later. */
  known(tags: readonly string[]): readonly (readonly [string, Change])[] {
    return tags.map((tag) => [tag, { ...this.#known.get(tag) }] as const);
  }

  /** Everything is where it must be, once, and what is at two places is there in the same order. */
  check(views: Views, says = ''): void {
    const found = foundIn(
      views,
      (tag, place) => this.broughtBack.has(tag) || (place !== 'disk' && this.moved.has(tag)),
    );
    for (const [tag, known] of this.#known) {
      for (const place of PLACES) {
        const is = found[place].has(tag);
        // What the person typed into a line may become a line of theirs: that is never less.
        const isKept = place === 'base' && is && handOf(tag) === 'p' && found.disk.has(tag);
        const isBack = place !== 'disk' && this.broughtBack.has(tag);
        if (known[place] === 'any' || isKept || isBack) known[place] = is;
        assert.equal(is, known[place], `${tag} is ${is ? '' : 'not '}in ${place}${says}`);
      }
      if (handOf(tag) === 'g' && !this.accepted.has(tag))
        assert.equal(found.base.has(tag), false, `${tag} stays, whatever is rejected${says}`);
    }
    for (const place of PLACES)
      for (const tag of found[place]) assert.ok(this.#known.has(tag), `${tag} is unknown`);
    if (this.broughtBack.size > 0) return;
    inOrder(views.disk, views.base, this.moved, `disk and base${says}`);
    inOrder(views.disk, views.seen, this.moved, `disk and seen${says}`);
  }
}

function foundIn(
  views: Views,
  mayBeTwice: (tag: string, place: Place) => boolean,
): Record<Place, Set<string>> {
  const found = { base: new Set<string>(), disk: new Set<string>(), seen: new Set<string>() };
  for (const place of PLACES) {
    for (const tag of views[place].flat()) {
      assert.ok(!found[place].has(tag) || mayBeTwice(tag, place), `${tag} is twice in ${place}`);
      found[place].add(tag);
    }
  }
  return found;
}

/** The tags of each file that are in one file of the other, too, are there in the same order. */
function inOrder(
  one: readonly (readonly string[])[],
  other: readonly (readonly string[])[],
  moved: ReadonlySet<string>,
  says: string,
): void {
  const places = new Map(
    other.flatMap((tags, file) => tags.map((tag, at) => [tag, { file, at }] as const)),
  );
  for (const tags of one) {
    const last = new Map<number, number>();
    for (const tag of tags) {
      const place = places.get(tag);
      if (place === undefined || moved.has(tag)) continue;
      assert.ok((last.get(place.file) ?? -1) < place.at, `${tag} is in another order: ${says}`);
      last.set(place.file, place.at);
    }
  }
}
