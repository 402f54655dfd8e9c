import { abortError } from '../../../domain/lifetime/abort.ts';
import type { Approver } from '../../../core/ports/person/approval.ts';
import type { Human } from '../../../core/ports/person/human.ts';

/** All that is asked, as a text. */
const spoken = ({ detail, where = '', reason = '' }: Parameters<Approver['approve']>[0]): string =>
  [detail, where, reason].filter((words) => words !== '').join('\n\n');

/** The absent person of a headless host: a question suspends the run; `waitingFor` tells it. */
export class AbsentHuman implements Approver, Human {
  #question: string | undefined;
  /** Suspends the run of a session; set by the composition. */
  suspend: (sessionId: string) => void = () => undefined;

  get waitingFor(): string | undefined {
    return this.#question;
  }

  async approve(question: Parameters<Approver['approve']>[0], signal: AbortSignal): Promise<never> {
    this.#question ??= `It waits for approval of: ${question.title}: ${spoken(question)} Run it again with --resume and a --permission that allows it.`;
    return this.#leave(question.sessionId, signal);
  }

  async ask(question: Parameters<Human['ask']>[0], signal: AbortSignal): Promise<never> {
    if (question.unattended !== undefined) {
      this.#question ??= `${question.question} ${question.unattended}`;
      return this.#leave(question.sessionId, signal);
    }
    const choices = question.choices.length === 0 ? '' : ` (${question.choices.join(' / ')})`;
    this.#question ??= `It asks: ${question.question}${choices} Answer it in VS Code.`;
    return this.#leave(question.sessionId, signal);
  }

  async #leave(sessionId: string, signal: AbortSignal): Promise<never> {
    this.suspend(sessionId);
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw abortError('There is no human to ask.');
  }
}
