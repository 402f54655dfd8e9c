import { signal, type Signal } from '@preact/signals';

/** A question on screen, as keys answer it. */
export interface AnswerableCard {
  /** Allows it; before its end was on the screen, shows the end instead. */
  readonly allow: () => void;
  readonly deny: () => void;
  /** Brings the end of the content into view. */
  readonly show: () => void;
}

/** The approvals and questions on screen. */
export class Questions {
  /** Those that take an answer, by the id that their card carries as `data-question`. */
  readonly cards = new Map<string, AnswerableCard>();
  /** Gives a text as the answer through the question's card, together with what is picked there. */
  readonly answers = new Map<string, (text: string) => Promise<boolean>>();
  /** Ids of the questions whose end was on the screen. */
  readonly seen: Signal<ReadonlySet<string>> = signal(new Set());
  /** Ids of the questions whose card is on the screen. */
  readonly inView: Signal<ReadonlySet<string>> = signal(new Set());
  /** Asks the oldest one to take the focus. */
  readonly focus = signal(0);

  setInView(questionId: string, isInView: boolean): void {
    const inView = new Set(this.inView.peek());
    if (isInView === inView.has(questionId)) return;
    if (isInView) inView.add(questionId);
    else inView.delete(questionId);
    this.inView.value = inView;
  }

  markSeen(questionId: string): void {
    this.seen.value = new Set(this.seen.peek()).add(questionId);
  }
}
