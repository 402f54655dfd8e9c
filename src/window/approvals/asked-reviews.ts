import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/log.ts';
import type { ApprovalQuestion } from '../../core/ports/person/approval.ts';
import type { Values } from '../../core/ports/store/values.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { Disposable } from '../../domain/disposable.ts';
import { Lifetime } from '../../domain/lifetime.ts';
import type { ApprovalQueue } from './approval-queue.ts';
import { AskedDrafts } from './asked-drafts.ts';

/** Milliseconds after a keystroke in an asked edit until it is kept for a restart. */
const KEEP_AFTER = 300;

export interface AskedReviewsParts {
  readonly desk: ApprovalQueue;
  readonly reviews: Pick<Reviews, 'asked' | 'onChange'>;
  readonly values: Values;
  readonly clock: Clock;
  readonly log: Log;
  /** The edit of this file can be decided from now on. */
  readonly onAsked: (path: string, sessionId: string) => Promise<void>;
}

/** Edits that wait on the desk are proposals in the editor, with one decision: whoever answers first. */
export class AskedReviews implements Disposable {
  readonly #parts: AskedReviewsParts;
  readonly #lifetime = new Lifetime();
  readonly #drafts: AskedDrafts;
  /** By id. */
  readonly #questions = new Map<string, ApprovalQuestion>();
  readonly #keeping = new Map<string, NodeJS.Timeout>();

  constructor(parts: AskedReviewsParts) {
    const { desk, reviews, values, clock } = parts;
    this.#parts = parts;
    this.#drafts = new AskedDrafts(values, clock);
    desk.readEditsFrom((id) => reviews.asked.text(id));
    this.#lifetime.add(
      desk.onChange(({ kind, pending }) => {
        if (pending.kind !== 'approval') return;
        this.#run(
          kind === 'asked'
            ? this.#begin(pending.question)
            : this.#end(pending.question, kind === 'answered'),
        );
      }),
    );
    this.#lifetime.add(
      reviews.onChange(({ kind, path }) => {
        const id = kind === 'asked' ? reviews.asked.idAt(path) : undefined;
        if (id !== undefined) this.#keepSoon(id);
      }),
    );
    for (const question of desk.approvals()) this.#run(this.#begin(question));
  }

  dispose(): void {
    for (const id of this.#keeping.keys()) this.#run(this.#keep(id));
    this.#lifetime.dispose();
  }

  async #begin(question: ApprovalQuestion): Promise<void> {
    const { id, hash, sessionId, callId, tool, edit } = question;
    if (edit === undefined) return;
    this.#questions.set(id, question);
    const { desk, reviews, clock } = this.#parts;
    const typed = await this.#drafts.get(hash);
    if (!this.#questions.has(id)) return;
    const at = clock.now();
    await reviews.asked.ask({
      ...edit,
      id,
      typed,
      by: { by: 'agent', sessionId, messageId: '', callId, tool, why: '', at },
      answer: (allowed) => desk.answerApproval({ questionId: id, hash, allowed }),
    });
    if (reviews.asked.idAt(edit.path) === id) await this.#shown(edit.path);
  }

  async #end({ id, hash, edit }: ApprovalQuestion, isDecided: boolean): Promise<void> {
    if (edit === undefined) return;
    const { asked } = this.#parts.reviews;
    const wasShown = asked.idAt(edit.path) === id;
    // What was typed is kept when nobody decided: the call may be asked again.
    const kept = isDecided ? this.#drafts.put(hash, undefined) : this.#keep(id);
    clearTimeout(this.#keeping.get(id));
    this.#keeping.delete(id);
    this.#questions.delete(id);
    await Promise.all([kept, asked.withdraw(id)]);
    if (wasShown) await this.#shown(edit.path);
  }

  async #shown(path: string): Promise<void> {
    const id = this.#parts.reviews.asked.idAt(path);
    const question = id === undefined ? undefined : this.#questions.get(id);
    if (question !== undefined) await this.#parts.onAsked(path, question.sessionId);
  }

  #keepSoon(id: string): void {
    clearTimeout(this.#keeping.get(id));
    this.#keeping.set(
      id,
      setTimeout(() => this.#run(this.#keep(id)), KEEP_AFTER),
    );
  }

  async #keep(id: string): Promise<void> {
    clearTimeout(this.#keeping.get(id));
    this.#keeping.delete(id);
    const question = this.#questions.get(id);
    if (question !== undefined)
      await this.#drafts.put(question.hash, this.#parts.reviews.asked.text(id));
  }

  #run(work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.#parts.log.error('An edit that is asked about could not be shown.', error),
    );
  }
}
