import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { ApprovalQuestion } from '../../core/ports/person/approval.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { ApprovalQueue } from './approval-queue.ts';

export interface AskedReviewsParts {
  readonly desk: ApprovalQueue;
  readonly reviews: Pick<Reviews, 'agent'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The edit of this file can be decided from now on. */
  readonly onAsked: (path: string, sessionId: string) => Promise<void>;
}

/** Makes edits that wait on the desk proposals in the editor, with one decision: whoever answers first. */
export function openAskedReviews(parts: AskedReviewsParts): Disposable {
  const { desk, reviews, clock, log, onAsked } = parts;
  const { asked } = reviews.agent;
  const begin = async (question: ApprovalQuestion): Promise<void> => {
    const { id, hash, sessionId, callId, tool, edit } = question;
    if (edit === undefined) return;
    await asked.ask({
      ...edit,
      id,
      hash,
      by: { by: 'agent', sessionId, messageId: '', callId, tool, why: '', at: clock.now() },
      onShown: () => run(onAsked(edit.path, sessionId)),
      answer: (allowed) => desk.answerApproval({ questionId: id, hash, allowed }),
    });
  };
  const run = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      log.error('An edit that is asked about could not be shown.', error),
    );
  };
  desk.readEditsFrom((id) => asked.text(id));
  for (const question of desk.approvals()) run(begin(question));
  return desk.onChange(({ kind, pending }) => {
    if (pending.kind !== 'approval') return;
    const { question } = pending;
    run(kind === 'asked' ? begin(question) : asked.withdraw(question.id, kind === 'answered'));
  });
}
