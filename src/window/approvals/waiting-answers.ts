import type { ApprovalAnswer, ApprovalQuestion } from '../../core/ports/person/approval.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { HumanQuestion } from '../../core/ports/person/human.ts';

/** The approvals and questions of all sessions that wait for the user. */
export interface WaitingAnswers {
  /** Oldest first. */
  approvals(): readonly ApprovalQuestion[];
  /** Oldest first. */
  questions(): readonly HumanQuestion[];
  /** A question came, was answered (here, in the editor or by a notification) or was withdrawn. */
  onChange(listener: () => void): Disposable;
  /** Throws `BelayError` code `invalid` when the hash is not that of the question, `not_found` when it is gone. */
  answerApproval(answer: ApprovalAnswer): void;
  /**
   * `hash`: of the server's request that was shown. Throws `BelayError` code `not_found` when the question is gone,
   * `invalid` when the hash is another one.
   */
  answerQuestion(questionId: string, text: string, hash?: string): void;
}
