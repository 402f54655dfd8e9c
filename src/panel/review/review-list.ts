import type { Clock } from '../../core/ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { CallOutcome } from '../../core/review/storage/call-outcomes.ts';
import type { CommandGroups } from '../../core/review/commands/command-groups.ts';
import type { EvidenceRecords } from '../../core/review/evidence/evidence-records.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { Change } from '../../protocol/changes.ts';
import {
  EMPTY_REVIEW,
  reviewDifference,
  type CallReview,
  type ReviewView,
} from '../../protocol/review-view.ts';
import { commandGroups, pendingList, type SeenFile } from './pending-list.ts';
import { RequestNames, type RequestNamesParts } from '../session/request-names.ts';

/** Milliseconds after a change until the list is made anew: an edit of the agent is several changes. */
const REFRESH_DELAY_MS = 40;
/** Shortest time between two lists, in milliseconds: nobody reads faster. */
const MIN_INTERVAL_MS = 250;
/** Lists that a decision may be about; older ones are no longer on any screen. */
const MAX_LISTS = 100;

export interface ReviewListParts extends Omit<RequestNamesParts, 'onLearned'> {
  readonly reviews: Pick<Reviews, 'pending' | 'decisions' | 'onChange' | 'owner' | 'records'>;
  /** Changes during commands; absent: nothing is known of that. */
  readonly groups?: Pick<CommandGroups, 'stored'> | undefined;
  readonly evidence: Pick<EvidenceRecords, 'known' | 'onLearned'>;
  readonly clock: Clock;
  /** Folders of the workspace. */
  readonly roots: () => readonly string[];
  /** The session on screen. */
  readonly shown: () => string | null;
  readonly emit: (changes: readonly Change[]) => void;
}

/**
 * The list of pending changes as the panel has it. What is told by the service is noisy; the list
 * follows a few times a second, and only with what is different.
 */
export class ReviewList implements Disposable {
  readonly #parts: ReviewListParts;
  readonly #names: RequestNames;
  readonly #listening: Disposable;
  /** The contents of the last lists, by their numbers. */
  readonly #seen = new Map<number, readonly SeenFile[]>();
  #view = EMPTY_REVIEW;
  #timer: Disposable | undefined;
  #madeAt = Number.NEGATIVE_INFINITY;
  /** Sessions whose decided calls were read, or are being read. */
  readonly #reading = new Set<string>();

  constructor(parts: ReviewListParts, unfolded: boolean) {
    this.#parts = parts;
    this.#names = new RequestNames({ ...parts, onLearned: () => this.#later() });
    const later = (): void => this.#later();
    const listening = [
      ...[parts.reviews, parts.reviews.owner, parts.reviews.records.outcomes].map((one) =>
        one.onChange(later),
      ),
      parts.evidence.onLearned(later),
      ...(parts.groups === undefined ? [] : [parts.groups.stored.onChange(later)]),
    ];
    this.#listening = { dispose: () => listening.forEach((one) => one.dispose()) };
    this.#make();
    if (unfolded) this.unfold(true);
  }

  /** As it was last made. */
  get view(): ReviewView {
    return this.#view;
  }

  /** The files that a list showed; `undefined`: it is too old. */
  seen(version: number): readonly SeenFile[] | undefined {
    return this.#seen.get(version);
  }

  /** Makes the list as it is now, for another session on screen or after a decision. */
  refresh(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#make();
  }

  /** As `refresh`, when the conversation is another one: messages may have been removed. */
  refreshAll(): void {
    this.#names.recheck();
    this.refresh();
  }

  unfold(unfolded: boolean): void {
    this.#become({ ...this.#view, unfolded });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#listening.dispose();
    this.#names.dispose();
  }

  #later(): void {
    if (this.#timer !== undefined) return;
    const { clock } = this.#parts;
    const wait = Math.max(REFRESH_DELAY_MS, this.#madeAt + MIN_INTERVAL_MS - clock.monotonic());
    this.#timer = clock.after(wait, () => {
      this.#timer = undefined;
      this.#make();
    });
  }

  #make(): void {
    const { reviews, groups, roots, clock, evidence } = this.#parts;
    this.#madeAt = clock.monotonic();
    const {
      view,
      seen,
      calls: pending,
    } = pendingList(reviews, {
      roots: roots(),
      title: (sessionId) => this.#names.title(sessionId),
      text: (sessionId, messageId) => this.#names.text(sessionId, messageId),
      evidence: (change) => evidence.known(change),
    });
    const version = this.#view.version + 1;
    const { isElsewhere: elsewhere } = reviews.owner;
    const during = commandGroups(groups?.stored.all ?? [], roots());
    const calls = this.#calls(pending);
    this.#become({ ...this.#view, ...view, during, elsewhere, version, calls }, seen);
  }

  #become(next: ReviewView, seen?: readonly SeenFile[]): void {
    const difference = reviewDifference(this.#view, next);
    if (difference === undefined) return;
    this.#view = next;
    if (seen !== undefined) {
      this.#seen.set(next.version, seen);
      for (const version of this.#seen.keys()) {
        if (this.#seen.size <= MAX_LISTS) break;
        this.#seen.delete(version);
      }
    }
    this.#parts.emit([{ type: 'review', difference }]);
  }

  /** The outcome of each call: the decided ones of the session on screen, and all with something pending. */
  #calls(pending: ReadonlySet<string>): Readonly<Record<string, CallReview>> {
    const calls = new Map<string, CallReview>();
    const shown = this.#parts.shown();
    if (shown !== null) {
      this.#loadOutcomes(shown);
      for (const [callId, outcome] of this.#parts.reviews.records.outcomes.of(shown))
        calls.set(callId, wordOf(outcome));
    }
    for (const callId of pending) calls.set(callId, 'pending');
    return Object.fromEntries(calls);
  }

  /** Reads what was decided of a session's calls, once; the list is made anew when it is known. */
  #loadOutcomes(sessionId: string): void {
    if (this.#reading.has(sessionId)) return;
    this.#reading.add(sessionId);
    this.#parts.reviews.records.outcomes.load(sessionId).then(
      () => this.#later(),
      () => this.#reading.delete(sessionId),
    );
  }
}

function wordOf({ kept, undone }: CallOutcome): CallReview {
  if (kept === 0) return 'undone';
  return undone === 0 ? 'kept' : 'partly';
}
