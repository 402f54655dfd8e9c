import type { Clock } from '../core/ports/clock.ts';
import type { Disposable } from '../domain/lifetime/disposable.ts';
import { keepTail, type Change } from '../protocol/changes.ts';
import { joinReview } from '../protocol/review-view.ts';

/**
 * Shortest time between two batches, in milliseconds: three frames of a 120 Hz display. A long
 * answer of 8 s then takes at most 320 of the 600 posts it may take.
 */
const FRAME_MS = 25;

/**
 * Collects changes and sends them in batches: at most one every `FRAME_MS`, and none before the
 * panel has acknowledged the one before. What waits is joined: text and output are appended,
 * slices and cards keep only their newest values. Without changes there is no timer.
 */
export class Outbox {
  readonly #clock: Clock;
  readonly #post: (seq: number, changes: readonly Change[]) => void;
  #waiting: Change[] = [];
  /** Where in `#waiting` a change may be joined with a later one. */
  #joints = new Map<string, number>();
  #seq = 0;
  #unacknowledged: number | undefined;
  #lastPost = Number.NEGATIVE_INFINITY;
  #timer: Disposable | undefined;
  #soon = false;

  constructor(clock: Clock, post: (seq: number, changes: readonly Change[]) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  /** Adds changes; they are sent after the present tick at the earliest. */
  push(changes: readonly Change[]): void {
    for (const change of changes) this.#join(change);
    this.#schedule();
  }

  /** The panel has put the batch with this number on screen. */
  acknowledge(seq: number): void {
    if (this.#unacknowledged === undefined || seq < this.#unacknowledged) return;
    this.#unacknowledged = undefined;
    this.#schedule();
  }

  /** Sends what waits without waiting for the panel: what a reply must not overtake. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const changes = this.#waiting;
    this.#drop();
    this.#seq += 1;
    this.#unacknowledged = this.#seq;
    this.#lastPost = this.#clock.monotonic();
    this.#post(this.#seq, changes);
  }

  /** Forgets what waits, because a snapshot says it all; gives the number of the snapshot. */
  restart(): number {
    this.clear();
    this.#seq += 1;
    this.#unacknowledged = this.#seq;
    this.#lastPost = this.#clock.monotonic();
    return this.#seq;
  }

  /** Forgets what waits and stops the timer. */
  clear(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#unacknowledged = undefined;
    this.#drop();
  }

  #drop(): void {
    this.#waiting = [];
    this.#joints.clear();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#unacknowledged !== undefined) return;
    if (this.#timer !== undefined || this.#soon) return;
    const wait = this.#lastPost + FRAME_MS - this.#clock.monotonic();
    if (wait > 0) {
      this.#timer = this.#clock.after(wait, () => {
        this.#timer = undefined;
        this.#send();
      });
      return;
    }
    this.#soon = true;
    queueMicrotask(() => {
      this.#soon = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#unacknowledged === undefined) this.flush();
  }

  #join(change: Change): void {
    // A card that drops its live output also drops what waits of it.
    if (change.type === 'tool' && change.set.output !== undefined) {
      const at = this.#joints.get(`output ${change.callId}`);
      if (at !== undefined) this.#waiting[at] = { type: 'output', callId: change.callId, text: '' };
    }
    const key = jointOf(change);
    const at = key === undefined ? undefined : this.#joints.get(key);
    const before = at === undefined ? undefined : this.#waiting[at];
    const joined = before === undefined ? undefined : join(before, change);
    if (at !== undefined && joined !== undefined) {
      this.#waiting[at] = joined;
      return;
    }
    // A part that comes or goes as a whole must keep its place among the changes of its content.
    if (isStructural(change)) this.#joints.clear();
    if (key !== undefined) this.#joints.set(key, this.#waiting.length);
    this.#waiting.push(change);
  }
}

function isStructural(change: Change): boolean {
  return (
    change.type === 'message' ||
    change.type === 'message_removed' ||
    change.type === 'part' ||
    change.type === 'row_removed'
  );
}

/** Changes with the same joint can be made one. */
function jointOf(change: Change): string | undefined {
  switch (change.type) {
    case 'text':
      return `text ${change.messageId} ${change.index} ${change.kind}`;
    case 'tool':
    case 'output':
      return `${change.type} ${change.callId}`;
    case 'row':
      return `row ${change.row.id}`;
    case 'session':
    case 'app':
    case 'models':
    case 'rows':
    case 'review':
    case 'draft':
      return change.type;
    case 'message':
    case 'message_removed':
    case 'message_closed':
    case 'part':
    case 'row_removed':
      return undefined;
    default:
      return change satisfies never;
  }
}

function join(before: Change, after: Change): Change | undefined {
  if (before.type === 'text' && after.type === 'text') {
    return { ...before, text: before.text + after.text };
  }
  if (before.type === 'output' && after.type === 'output') {
    return { ...before, text: keepTail(before.text + after.text) };
  }
  if (before.type === 'tool' && after.type === 'tool') {
    return { ...before, set: { ...before.set, ...after.set } };
  }
  if (before.type === 'session' && after.type === 'session') {
    return { ...before, set: { ...before.set, ...after.set } };
  }
  if (before.type === 'review' && after.type === 'review') {
    return { ...before, difference: joinReview(before.difference, after.difference) };
  }
  return before.type === after.type ? after : undefined;
}
