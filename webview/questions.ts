import { signal, type Signal } from '@preact/signals';

/** A question on screen, as keys and other places answer it: by what is meant, never by a place. */
export interface AnswerableCard {
  /** Says yes; where not all of it was on the screen, shows what comes next instead. */
  readonly allow: () => void;
  readonly deny: () => void;
  /** Brings what was not on the screen yet into view. */
  readonly show: () => void;
  /** Some of what it is about is on the screen now. */
  readonly looks: () => boolean;
}

/** The approvals and questions on screen. */
export class Questions {
  /** Those that take an answer, by the id that their card carries as `data-question`. */
  readonly cards = new Map<string, AnswerableCard>();
  /** Gives a text as the answer through the question's card, together with what is picked there. */
  readonly answers = new Map<string, (text: string) => Promise<boolean>>();
  /** Those of which all has been on the screen. */
  readonly read: Signal<ReadonlySet<string>> = signal(new Set());
  /** Asks the oldest one to take the focus. */
  readonly focus = signal(0);

  /** All of a question has been on the screen. */
  markRead(questionId: string): void {
    this.read.value = new Set(this.read.peek()).add(questionId);
  }
}
