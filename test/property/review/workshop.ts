import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { ChangeOrigin } from '../../../src/core/ports/files/change-origin.ts';
import { linesOf, proposedAt } from '../../../src/core/review/model/file-review.ts';
import type { FileReview } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import type { Hunk } from '../../../src/core/review/model/hunks.ts';
import { agentChanges } from '../../../src/core/review/files/agent-changes.ts';
import { ReviewedFiles } from '../../../src/core/review/files/reviewed-files.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import type { ReviewKind } from '../../../src/core/review/service/reviews.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MapValues } from '../../support/map-values.ts';
import { MemoryFiles } from '../../support/memory-files.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { KeptInMemory } from '../../support/review/memory-workspace.ts';
import { Ledger } from './ledger.ts';
import type { Views } from './ledger.ts';
import { Kill, StoppingFiles, StoppingValues } from './stopping.ts';
import { decoded, handOf, tagsOf } from './tagged-text.ts';

export interface Window {
  readonly reviews: Reviews;
  /** The files as the agent has them. */
  readonly agent: ReviewedFiles;
}

/** A hunk as the person sees it. */
export interface Shown {
  readonly kind: ReviewKind;
  readonly path: string;
  readonly id: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** It says that something of it is not the agent's. */
  readonly saysSo: boolean;
}

/** A workspace with windows, and what the tags say of it. */
export class Workshop {
  readonly files = new MemoryFiles();
  readonly values = new MapValues();
  readonly clock = new FakeClock();
  readonly kept = new KeptInMemory(this.files);
  ledger = new Ledger();
  windows: Window[] = [];
  kill = new Kill(Infinity, 'before');
  #opened = 0;
  #calls = 0;

  async open(count: number): Promise<void> {
    const files = new StoppingFiles(this.files, this.kill);
    const values = new StoppingValues(this.values, this.kill);
    this.windows = [];
    for (let index = 0; index < count; index += 1) {
      const { clock, kept } = this;
      const writer = `w${(this.#opened += 1)}`;
      const reviews = new Reviews({ values, writer, files, kept, clock, log: silentLog });
      await reviews.load();
      this.windows.push({
        reviews,
        agent: new ReviewedFiles(files, agentChanges(files, reviews, clock)),
      });
    }
  }

  window(index: number): Window {
    return this.windows[index % this.windows.length] ?? assert.fail('no window');
  }

  /** Waits until everything is stored, or leaves that. */
  async close(flush: boolean): Promise<void> {
    for (const { reviews } of this.windows) {
      if (flush) await reviews.flush();
      reviews.dispose();
    }
  }

  origin(how: ChangeOrigin['how'], sessionId: string): ChangeOrigin {
    const callId = `call ${(this.#calls += 1)}`;
    return { sessionId, messageId: `message of ${sessionId}`, callId, tool: 'edit_file', how };
  }

  text(path: string): ReturnType<typeof decoded> | undefined {
    const bytes = this.files.contents.get(path);
    return bytes === undefined ? undefined : decoded(bytes);
  }

  /** Tags of the file on disk. */
  tags(path: string): readonly string[] {
    return tagsOf(this.text(path)?.lines.join('\n') ?? '');
  }

  shown(kind: ReviewKind, review: FileReview): readonly Shown[] {
    return hunksOf(review).map((hunk) => shownHunk(kind, review.path, hunk));
  }

  views({ reviews }: Window): Views {
    const disk = new Map([...this.files.contents.keys()].map((path) => [path, this.tags(path)]));
    const [base, seen] = [new Map(disk), new Map(disk)];
    for (const { kind, review } of reviews.pending)
      (kind === 'written' ? base : seen).delete(
        kind === 'written' ? review.path : proposedAt(review),
      );
    const views = { disk: [...disk.values()], base: [...base.values()], seen: [...seen.values()] };
    for (const { kind, review } of reviews.pending)
      (kind === 'written' ? views.base : views.seen).push(
        tagsOf(linesOf(kind === 'written' ? review.baseline : review.document).join('\n')),
      );
    return views;
  }

  check(): void {
    for (const window of this.windows) {
      const views = this.views(window);
      this.ledger.check(views);
      this.#checkShown(window.reviews);
    }
  }

  /** Whatever a rejection would take away says so, when it is the person's. */
  #checkShown(reviews: Reviews): void {
    for (const { kind, review } of reviews.pending) {
      const shown = review.fileMissing ? [] : this.shown(kind, review);
      for (const tag of silent(shown, review))
        assert.ok(this.taken.has(tag), `${tag} would go with a hunk that says nothing of it`);
    }
  }

  /** Tags that a file holds, or would hold if the rest were rejected, when hunks of it are decided. */
  afterwards(
    decision: 'accept' | 'reject',
    review: FileReview,
    shown: readonly Shown[],
  ): readonly string[] {
    const hunks = hunksOf(review).filter(({ id }) => shown.some((one) => one.id === id));
    if (hunks.some(({ kind }) => kind !== 'change')) return [];
    const isAccept = decision === 'accept';
    const lines = [...linesOf(isAccept ? review.baseline : review.document)];
    for (const hunk of hunks.toReversed())
      if (isAccept)
        lines.splice(hunk.baselineFrom, hunk.baselineTo - hunk.baselineFrom, ...hunk.added);
      else lines.splice(hunk.documentFrom, hunk.documentTo - hunk.documentFrom, ...hunk.removed);
    return tagsOf(lines.join('\n'));
  }

  /** Tags of lines that are pending at one place and gone from another of the same file. */
  moved({ reviews }: Window, of?: ReviewKind): readonly string[] {
    return reviews.pending.flatMap(({ kind, review }) => {
      if (of !== undefined && kind !== of) return [];
      const shown = this.shown(kind, review);
      const removed = shown.flatMap((one) => one.removed);
      return shown.flatMap((one) => one.added.filter((tag) => removed.includes(tag)));
    });
  }

  /** Tags of the person that the agent took away, or brought back. */
  readonly taken = new Set<string>();

  /** Tells every window what happened to the files, as the watcher and the store do. */
  async tell(before: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const now = this.files.contents;
    const paths = new Set([...before.keys(), ...now.keys()]);
    const share = async (): Promise<void> => {
      if (this.windows.length === 1) return;
      for (const { reviews } of this.windows) await reviews.flush();
      for (const { reviews } of this.windows) await reviews.refresh();
    };
    await share();
    for (const { reviews } of this.windows)
      for (const path of paths)
        if (before.get(path) !== now.get(path)) await reviews.files.fileChanged(path);
    await share();
  }
}

function shownHunk(kind: ReviewKind, path: string, hunk: Hunk): Shown {
  return {
    kind,
    path,
    id: hunk.id,
    removed: tagsOf(hunk.removed.join('\n')),
    added: tagsOf(hunk.added.join('\n')),
    saysSo: hunk.editedByUser || hunk.changedOutside,
  };
}

/**
 * Tags of the person that hunks put there or take away and say nothing of. A line that the other text of the review
 * has, too, was moved or is a copy: it stays, whatever is decided.
 */
export function silent(hunks: readonly Shown[], review: FileReview): readonly string[] {
  const [base, made] = [review.baseline, review.document].map((text) =>
    tagsOf(linesOf(text).join('\n')),
  );
  return hunks
    .filter(({ saysSo }) => !saysSo)
    .flatMap((one) => [...without(one.added, base ?? []), ...without(one.removed, made ?? [])])
    .filter((tag) => handOf(tag) === 'p');
}

export const without = (tags: readonly string[], others: readonly string[]): readonly string[] =>
  tags.filter((tag) => !others.includes(tag));

/** What a refusal may be; anything else is a defect. */
export async function refused(work: Promise<unknown>): Promise<BelayError | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof BelayError) return thrown;
    throw thrown;
  }
}
