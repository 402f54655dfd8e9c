import type { AgentContext, PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk';
import { abortError } from '../../../domain/lifetime/abort.ts';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Approver,
} from '../../../core/ports/person/approval.ts';
import type { Human, HumanQuestion } from '../../../core/ports/person/human.ts';

/** The session that a client knows, by the session of an engine that asks; absent: none. */
export type KnownSession = (sessionId: string) => Promise<string | undefined>;

const NO_TEXT =
  'The person’s editor can show no form for a free answer. End your turn with the question; they answer it in their next message.';

/** The person behind a client of the protocol. */
export class ClientPerson implements Approver, Human {
  readonly #client: Pick<AgentContext, 'request'>;
  readonly #known: KnownSession;
  readonly #gone: AbortSignal;

  /** @param gone fires when the client is not there any more */
  constructor(client: Pick<AgentContext, 'request'>, known: KnownSession, gone: AbortSignal) {
    this.#client = client;
    this.#known = known;
    this.#gone = gone;
  }

  /** The answer carries the hash out of the option that was chosen: one to something else counts for nothing. */
  async approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { id: questionId, hash, keep, offersAllEdits } = question;
    const always: PermissionOption[] = [
      ...(keep === undefined
        ? []
        : [option('session', hash, 'Allow in This Session', 'allow_always')]),
      ...(offersAllEdits === true
        ? [option('edits', hash, 'Allow All Edits in This Session', 'allow_always')]
        : []),
    ];
    const chosen = await this.#ask(
      question,
      {
        title: question.title,
        content: shown(question),
        options: [
          { optionId: `once:${hash}`, name: 'Allow', kind: 'allow_once' },
          ...always,
          { optionId: `no:${hash}`, name: 'Deny', kind: 'reject_once' },
        ],
      },
      signal,
    );
    const [answer = '', of = ''] = chosen?.split(':', 2) ?? [];
    const allowed =
      answer === 'once' ||
      (answer === 'session' && keep !== undefined) ||
      (answer === 'edits' && offersAllEdits === true);
    return {
      questionId,
      hash: chosen === undefined ? hash : of,
      allowed,
      ...(allowed && (answer === 'session' || answer === 'edits') ? { keep: answer } : {}),
    };
  }

  async ask(question: HumanQuestion, signal: AbortSignal): Promise<string> {
    const { choices, question: title } = question;
    if (choices.length === 0) return NO_TEXT;
    const options = choices.map((name, index): PermissionOption => ({
      optionId: String(index),
      name,
      kind: 'allow_once',
    }));
    const chosen = await this.#ask(question, { title, content: [], options }, signal);
    return choices[Number(chosen ?? Number.NaN)] ?? 'The person gave no answer.';
  }

  /** The option that was chosen; `undefined`: none. */
  async #ask(
    { sessionId, callId }: Pick<ApprovalQuestion, 'sessionId' | 'callId'>,
    what: {
      readonly title: string;
      readonly content: ToolCallContent[];
      readonly options: PermissionOption[];
    },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const known = await this.#known(sessionId);
    if (known === undefined || signal.aborted) throw abortError('There is no client to ask.');
    const { title, content, options } = what;
    const asked = this.#client.request(
      'session/request_permission',
      { sessionId: known, toolCall: { toolCallId: callId, title, content }, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    try {
      const { outcome } = await asked;
      if (signal.aborted) throw abortError();
      return outcome.outcome === 'selected' ? outcome.optionId : undefined;
    } catch {
      if (!signal.aborted && !this.#gone.aborted) return undefined;
      // A client that is gone has not said no: its runs are suspended, and ask again when they are resumed.
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw abortError();
    }
  }
}

function option(
  answer: string,
  hash: string,
  name: string,
  kind: PermissionOption['kind'],
): PermissionOption {
  return { optionId: `${answer}:${hash}`, name, kind };
}

/** Everything that the person decides about. */
function shown({ edits = [], detail, where, reason }: ApprovalQuestion): ToolCallContent[] {
  const text = [detail, where, reason].filter((words) => words !== undefined && words !== '');
  const words: ToolCallContent = {
    type: 'content',
    content: { type: 'text', text: text.join('\n\n') },
  };
  const diffs = edits.map(({ path, before, after, creates }): ToolCallContent => ({
    type: 'diff',
    path,
    newText: after,
    ...(creates ? {} : { oldText: before }),
  }));
  return [...diffs, words];
}
