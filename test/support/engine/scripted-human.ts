import { abortError } from '../../../src/domain/lifetime/abort.ts';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
} from '../../../src/core/ports/person/approval.ts';
import type { Human, HumanQuestion } from '../../../src/core/ports/person/human.ts';

/** The person of a test: says yes unless told otherwise, and remembers what was asked. */
export class ScriptedHuman implements Approver, Human {
  readonly approvals: ApprovalQuestion[] = [];
  readonly questions: HumanQuestion[] = [];
  /** Decides; a promise that never resolves is a person who does not answer. */
  decide: (question: ApprovalQuestion) => Promise<Partial<ApprovalAnswer>> = async () =>
    Promise.resolve({});
  /** What can be put off, such as a budget, is not granted. */
  answer: (question: HumanQuestion) => Promise<string> = async ({ unattended, choices }) =>
    Promise.resolve(unattended === undefined ? 'yes' : (choices.at(-1) ?? ''));

  async approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.approvals.push(question);
    const decision = await orAborted(this.decide(question), signal);
    return { questionId: question.id, hash: question.hash, allowed: true, ...decision };
  }

  async ask(question: HumanQuestion, signal: AbortSignal): Promise<string> {
    this.questions.push(question);
    return orAborted(this.answer(question), signal);
  }
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw abortError();
  return Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(abortError()), { once: true });
    }),
  ]);
}
