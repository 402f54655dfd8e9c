import { linesOf, proposedAt } from '../../../src/core/review/model/file-review.ts';
import { hunksIn } from '../../../src/core/review/model/hunks.ts';
import type { AgentChange } from '../../../src/core/restore/turned-back.ts';
import type { Ledger } from './ledger.ts';
import { decoded, tagsOf } from './tagged-text.ts';
import type { Tags, Text } from './tagged-text.ts';
import type { Shown, Window, Workshop } from './workshop.ts';

export const textOf = ({ lines }: Text): string => lines.join('\n');
/** What agents and the person do in a workshop; each says what becomes of the tags. */
export abstract class Hands {
  readonly at: Workshop;
  readonly tags: Tags;
  captured: Shown[] = [];
  /** What was done, by kind: what never happens is not tested. */
  readonly done: Map<string, number>;
  readonly undo = new Map<string, { undo: Uint8Array[]; redo: Uint8Array[] }>();
  /** What was typed and may not be stored yet, and the files that it was typed in. */
  readonly unsaved = new Set<string>();
  readonly unsavedIn = new Set<string>();
  isReloaded = false;
  history: Record<string, AgentChange[]> = {};
  before: ReadonlyMap<string, Uint8Array> = new Map();
  lastRestore: readonly [string, Uint8Array | undefined][] = [];
  /** What was known of pending tags before the last restore, by file. */
  beforeRestore: ReadonlyMap<string, ReturnType<Ledger['known']>> = new Map();

  constructor(at: Workshop, tags: Tags, done: Map<string, number>) {
    this.at = at;
    this.tags = tags;
    this.done = done;
  }

  count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }

  /** Does one thing, tells the windows, and looks at every tag. */
  async take(work: () => Promise<void>): Promise<void> {
    this.before = new Map(this.at.files.contents);
    this.letGo();
    await work();
    await this.tellAndCheck();
  }

  async tellAndCheck(): Promise<void> {
    await this.at.tell(this.before);
    this.copies();
    this.stays();
    this.at.check();
    this.before = new Map(this.at.files.contents);
  }

  /** What a proposal moved before another one came to its old name is a copy: it is there, too. */
  copies(): void {
    const { ledger, windows } = this.at;
    const made = windows
      .flatMap(({ reviews }) => reviews.pending)
      .filter(({ kind, review }) => kind === 'proposed' && review.baseline.kind === 'absent');
    for (const tag of made.flatMap(({ review }) => tagsOf(linesOf(review.document).join('\n')))) {
      if (!ledger.is(tag, 'seen')) ledger.set([tag], { seen: 'any' });
      ledger.broughtBack.add(tag);
    }
  }

  /** What becomes of changes whose file somebody took away is not for tags to say. */
  letGo(): void {
    for (const { reviews } of this.at.windows)
      for (const { kind, review } of reviews.pending)
        if (review.fileMissing)
          this.at.ledger.set(
            [review.baseline, review.document].flatMap((one) => tagsOf(linesOf(one).join('\n'))),
            kind === 'written' ? { base: 'any' } : { seen: 'any' },
          );
  }

  /**
   * Something else writes over lines of a file: where nothing is left of the agent's in a hunk that it touches, what
   * was replaced there is not pending either; nor is anything in a file of which no line with a word is left, and of
   * a new file when most of it is another one.
   */
  mayLose(
    { reviews }: Window,
    path: string,
    { from, to, told }: { from: number; to: number; told: 'typed' | 'outside' | 'unseen' },
  ): void {
    const review = told === 'typed' ? undefined : reviews.find('written', path);
    if (review === undefined) return;
    const base = tagsOf(linesOf(review.baseline).join('\n'));
    const there = this.at.tags(path);
    const rest = linesOf(review.document).toSpliced(from, to - from);
    const touched = hunksIn(review, from, to).flatMap(({ removed }) => tagsOf(removed.join('\n')));
    const isOther = !rest.some((line) => /[\p{L}\p{N}_]/u.test(line));
    // Of a line that the agent had moved from there the place is gone: its hunk says so.
    const mayGo = (tag: string): boolean =>
      touched.includes(tag) || (isOther && !there.includes(tag));
    this.at.ledger.set(base.filter(mayGo), { base: 'any' });
    if (review.baseline.kind !== 'absent') return;
    this.at.ledger.set(there, { base: 'any' });
    for (const tag of there) this.at.ledger.accepted.add(tag);
  }

  /**
   * Somebody makes, or moves, a file to where the agent deleted one, or proposed it: whether it is that file
   * again, its words say.
   */
  madeAgain(path: string): void {
    for (const { reviews } of this.at.windows) {
      const about = reviews.pending.filter(({ review }) =>
        [review.path, proposedAt(review)].includes(path),
      );
      if (!about.some(({ review }) => review.document.kind === 'absent')) continue;
      for (const { kind, review } of about)
        this.at.ledger.set(tagsOf(linesOf(review.baseline).join('\n')), {
          base: 'any',
          ...(kind === 'proposed' && { disk: 'any', seen: 'any' }),
        });
    }
  }

  /** A proposal moves a file to or from this name: single cases say what becomes of it, tags cannot. */
  isMoving(path: string): boolean {
    return this.at.windows.some(({ reviews }) =>
      reviews.pending.some(
        ({ kind, review }) =>
          kind === 'proposed' &&
          review.renamedFrom !== undefined &&
          (review.path === path || review.renamedFrom === path),
      ),
    );
  }

  /**
   * What several files hold, or are to hold, goes from one of them: another one, of which no line is touched, holds it
   * still, whatever becomes of its encoding.
   */
  stays(): void {
    const { ledger } = this.at;
    for (const [path, bytes] of this.before) {
      const text = this.at.text(path);
      if (text !== undefined && textOf(text) === textOf(decoded(bytes)))
        ledger.set(
          this.at.tags(path).filter((tag) => ledger.broughtBack.has(tag)),
          { disk: true },
        );
    }
  }

  /** The person knows that the agent takes these away; it may bring them back. */
  takes(tags: readonly string[]): void {
    for (const tag of tags) this.at.taken.add(tag);
  }

  remember(path: string, was: Uint8Array | undefined): void {
    if (was === undefined) return;
    const known = this.undo.get(path) ?? { undo: [], redo: [] };
    this.undo.set(path, { undo: [...known.undo, was], redo: [] });
  }

  forgetUndo(path: string): void {
    this.undo.delete(path);
  }

  isProposed({ reviews }: Window, path: string): boolean {
    return reviews.pending.some(
      ({ kind, review }) => kind === 'proposed' && proposedAt(review) === path,
    );
  }

  /** Windows are closed, and opened again. */
  abstract reload(count: number, flush: boolean): Promise<void>;
}
