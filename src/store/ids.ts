import type { Ids } from '../core/ports/ids.ts';

type Kind = Parameters<Ids['next']>[0];

/** One letter says what an id is of. */
const LETTERS: Readonly<Record<Kind, string>> = {
  session: 's',
  run: 'r',
  message: 'm',
  compaction: 'c',
  queued: 'q',
  question: 'h',
  attachment: 'a',
  result: 'o',
  call: 't',
  background: 'b',
  followup: 'f',
};

/** Ids like `s12-3`: kind, epoch of this process (durable, never twice), counter. */
export class CounterIds implements Ids {
  #epoch: number;
  #last = 0;

  constructor(epoch: number) {
    this.#epoch = epoch;
  }

  /** Goes on with another epoch that this process has taken. */
  rebase(epoch: number): void {
    this.#epoch = epoch;
  }

  next(kind: Kind): string {
    this.#last += 1;
    return `${LETTERS[kind]}${this.#epoch}-${this.#last}`;
  }
}
