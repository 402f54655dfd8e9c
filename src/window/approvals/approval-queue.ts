import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
} from '../../core/ports/person/approval.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Human, HumanQuestion } from '../../core/ports/person/human.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { WaitingAnswers } from './waiting-answers.ts';
import { Listeners } from '../../domain/lifetime/listeners.ts';

/** Something that a run waits for the user to decide or to answer. */
export type Pending =
  | { readonly kind: 'approval'; readonly question: ApprovalQuestion }
  | { readonly kind: 'question'; readonly question: HumanQuestion };

/** The end of a waiting call. `withdrawn`: its run was stopped, nobody answered. */
export interface DeskChange {
  readonly kind: 'asked' | 'answered' | 'withdrawn';
  readonly pending: Pending;
}

interface Waiting {
  readonly pending: Pending;
  readonly settle: (answer: ApprovalAnswer | string) => void;
}

/**
 * The queue of approvals and questions, whatever the panel shows: everything that waits, by id,
 * until it is answered from any place or its run is stopped.
 */
export class ApprovalQueue implements Approver, Human, WaitingAnswers, Disposable {
  readonly #waiting = new Map<string, Waiting>();
  readonly #changed: Listeners<DeskChange>;
  #findEdits: (questionId: string) => ReadonlyMap<string, string> = () => new Map();

  /** `onError` hears of listeners that fail. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#changed = new Listeners(onError);
  }

  /** Sets where the texts are that the user changed in the diff of an edit, by path. */
  readEditsFrom(findEdits: (questionId: string) => ReadonlyMap<string, string>): void {
    this.#findEdits = findEdits;
  }

  /** Fires after something was asked, answered or withdrawn. */
  onChange(listener: (change: DeskChange) => void): Disposable {
    return this.#changed.listen(listener);
  }

  /** Oldest first. */
  pending(): readonly Pending[] {
    return [...this.#waiting.values()].map((one) => one.pending);
  }

  /** Oldest first. */
  approvals(): readonly ApprovalQuestion[] {
    return this.pending().flatMap((one) => (one.kind === 'approval' ? [one.question] : []));
  }

  /** Oldest first. */
  questions(): readonly HumanQuestion[] {
    return this.pending().flatMap((one) => (one.kind === 'question' ? [one.question] : []));
  }

  /** `undefined`: answered already, or withdrawn. */
  find(questionId: string): Pending | undefined {
    return this.#waiting.get(questionId)?.pending;
  }

  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#ask<ApprovalAnswer>({ kind: 'approval', question }, signal);
  }

  ask(question: HumanQuestion, signal: AbortSignal): Promise<string> {
    return this.#ask<string>({ kind: 'question', question }, signal);
  }

  /**
   * Takes an answer to an approval, from the panel, a notification, a diff or a command. Fails with `not_found` when
   * it was answered from another place meanwhile, with `invalid` when what was shown is not what waits.
   */
  answerApproval(answer: ApprovalAnswer): void {
    const waiting = this.#waitingFor(answer.questionId);
    const { pending } = waiting;
    if (pending.kind !== 'approval' || pending.question.hash !== answer.hash) {
      throw fault('invalid', OTHER);
    }
    const edited = answer.edited ?? this.#findEdits(answer.questionId);
    waiting.settle(answer.allowed && edited.size > 0 ? { ...answer, edited } : answer);
  }

  /**
   * Answers a question of the model or the request of a server. Fails with `not_found` when it was answered meanwhile,
   * with `invalid` when a server's request is not the one that was shown.
   */
  answerQuestion(questionId: string, text: string, hash?: string): void {
    const waiting = this.#waitingFor(questionId);
    if (waiting.pending.kind !== 'question') {
      throw fault('invalid', told`That waits for a yes or no, not for a text.`);
    }
    if (waiting.pending.question.request?.hash !== hash) throw fault('invalid', OTHER);
    waiting.settle(text);
  }

  /** The runs' signals end what still waits; nothing is answered in the user's name. */
  dispose(): void {
    this.#changed.dispose();
  }

  #waitingFor(questionId: string): Waiting {
    const waiting = this.#waiting.get(questionId);
    if (waiting !== undefined) return waiting;
    const message = told`That does not wait any more: it was answered in another place, or its run was stopped.`;
    throw fault('not_found', message);
  }

  #ask<Answer extends ApprovalAnswer | string>(
    pending: Pending,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { id } = pending.question;
    return new Promise<Answer>((resolve, reject) => {
      if (signal.aborted) {
        reject(canceled());
        return;
      }
      const done = (kind: 'answered' | 'withdrawn'): void => {
        signal.removeEventListener('abort', withdraw);
        this.#waiting.delete(id);
        this.#changed.fire({ kind, pending });
      };
      const withdraw = (): void => {
        done('withdrawn');
        reject(canceled());
      };
      signal.addEventListener('abort', withdraw, { once: true });
      const settle = (answer: ApprovalAnswer | string): void => {
        done('answered');
        resolve(answer as Answer);
      };
      this.#waiting.set(id, { pending, settle });
      this.#changed.fire({ kind: 'asked', pending });
    });
  }
}

const OTHER = told`What you were shown is not what is waiting any more. Nothing was decided; look at it again.`;

const canceled = (): Error => new DOMException('The run was stopped.', 'AbortError');
