import type { TypedForm } from '../../domain/mcp/server-request.ts';
import type { ApprovalView, QuestionView } from '../../protocol/view.ts';
import { approvalView, questionView } from './approval-view.ts';
import type { WaitingAnswers } from '../../window/approvals/waiting-answers.ts';
import type { SessionList } from '../session/session-list.ts';

/** The approvals and questions that belong on a session's screen, delegated sessions' included. */
export class WaitingQuestions {
  readonly #desk: WaitingAnswers;
  readonly #list: Pick<SessionList, 'rootOf' | 'agentName'>;
  /** Views are made once a question: comparing texts costs. */
  readonly #views = new Map<string, ApprovalView>();
  /** Forms that are being filled in; in memory only, for the time that they wait. */
  readonly #typed = new Map<string, TypedForm>();

  constructor(desk: WaitingAnswers, list: Pick<SessionList, 'rootOf' | 'agentName'>) {
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
    const waiting = this.#desk.approvals();
    for (const id of this.#views.keys())
      if (!waiting.some((one) => one.id === id)) this.#views.delete(id);
    const approvals = waiting.filter(belongs).map((question) => {
      const view =
        this.#views.get(question.id) ??
        approvalView(question, this.#list.agentName(question.sessionId));
      this.#views.set(question.id, view);
      return view;
    });
    const questions = this.#desk.questions();
    for (const id of this.#typed.keys())
      if (!questions.some((one) => one.id === id)) this.#typed.delete(id);
    const shown = questions.filter(belongs);
    return { approvals, questions: shown.map((one) => questionView(one, this.#typed.get(one.id))) };
  }

  /** Keeps what is written into a form while the panel is hidden or loaded anew. */
  keepTyped(questionId: string, typed: TypedForm): void {
    this.#typed.set(questionId, typed);
  }
}
