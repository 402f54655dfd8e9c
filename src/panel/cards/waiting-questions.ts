import type { ApprovalView, QuestionView } from '../../protocol/view.ts';
import { approvalView, questionView } from './approval-view.ts';
import type { WaitingAnswers } from '../../window/approvals/waiting-answers.ts';
import type { SessionList } from '../session/session-list.ts';

/** The approvals and questions that belong on a session's screen, delegated sessions' included. */
export class WaitingQuestions {
  readonly #desk: WaitingAnswers;
  readonly #list: Pick<SessionList, 'rootOf'>;
  /** Views are made once a question: comparing texts costs. */
  #views = new Map<string, ApprovalView>();

  constructor(desk: WaitingAnswers, list: Pick<SessionList, 'rootOf'>) {
    this.#desk = desk;
    this.#list = list;
  }

  of(sessionId: string | null): {
    readonly approvals: readonly ApprovalView[];
    readonly questions: readonly QuestionView[];
  } {
    if (sessionId === null) return { approvals: [], questions: [] };
    const belongs = (question: { readonly sessionId: string }): boolean =>
      question.sessionId === sessionId || this.#list.rootOf(question.sessionId) === sessionId;
    const views = new Map<string, ApprovalView>();
    const approvals = this.#desk
      .approvals()
      .filter(belongs)
      .map((question) => {
        const view = this.#views.get(question.id) ?? approvalView(question);
        views.set(question.id, view);
        return view;
      });
    this.#views = views;
    return { approvals, questions: this.#desk.questions().filter(belongs).map(questionView) };
  }
}
