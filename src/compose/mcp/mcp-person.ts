import { inWords } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import type { Human } from '../../core/ports/person/human.ts';
import type { LentAnswer, LentRequest } from '../../core/model-call/lend-model.ts';
import type { ModelCallContext } from '../../core/model-call/model-call.ts';
import { isAbortError } from '../../domain/lifetime/abort.ts';
import { type Json, canonicalJson } from '../../domain/data/json.ts';
import type { FormRequest, PageRequest, RequestAnswer } from '../../domain/mcp/server-request.ts';
import type { Asking, McpPerson } from '../../mcp/requests/person.ts';

export interface McpPersonParts {
  readonly human: Human;
  readonly nextId: () => Promise<string>;
  /** The name of the model of a session. */
  readonly modelOf: (sessionId: string) => Promise<string>;
  /** Asks the model of the call's session; the usage counts for its run. Rejects with `BelayError`. */
  readonly lend: (
    request: LentRequest,
    context: Omit<ModelCallContext, 'purpose'>,
  ) => Promise<LentAnswer>;
  /** Opens a page in the browser; `false`: it could not be. */
  readonly openPage: (url: string) => Promise<boolean>;
  /** A quiet question beside the conversation, and the page with a yes. */
  readonly signIn: McpPerson['signIn'];
}

/** The person behind MCP servers: each question is a card of the call that is under way; without one the answer is no. */
export function mcpPerson(parts: McpPersonParts): McpPerson {
  return {
    signIn: parts.signIn,
    fillForm: async ({ message, fields, warnings }, asking) =>
      ask(parts, asking, {
        kind: 'form',
        server: asking.server,
        message,
        fields,
        warnings: warnings.map(inWords),
      }),
    openPage: async ({ url, host, message, warnings }, asking) => {
      const page = {
        kind: 'page',
        server: asking.server,
        message,
        warnings: warnings.map(inWords),
        url,
        host,
      } as const;
      const { action } = await ask(parts, asking, { ...page, opened: false });
      if (action !== 'accept') return { action };
      if (!(await parts.openPage(url))) return { action: 'cancel' };
      const done = async (): Promise<boolean> => {
        try {
          const said = await ask(parts, asking, { ...page, warnings: [], opened: true });
          return said.action === 'accept';
        } catch (thrown) {
          if (isAbortError(thrown)) return asking.ended?.aborted === true;
          throw thrown;
        }
      };
      return { action, done };
    },
    sample: async ({ request, shown, warnings }, { server, call, signal }) => {
      if (call?.confirm === undefined) return undefined;
      const { sessionId, runId, emit } = call;
      const preview = {
        title: l10n.t('Let the model answer the MCP server “{0}”', server),
        detail: shown,
        where: l10n.t(
          '{0} answers, with at most {1} tokens.',
          await parts.modelOf(sessionId),
          request.maxTokens,
        ),
      };
      const { allowed } = await call.confirm(preview, warnings);
      return allowed ? parts.lend(request, { sessionId, runId, emit, signal }) : undefined;
    },
  };
}

/** Puts a request on the card of the call. Rejects with AbortError when the call, or the server's wish, is over. */
async function ask(
  { human, nextId }: McpPersonParts,
  { call, signal, ended }: Asking,
  shown: Omit<FormRequest, 'hash'> | Omit<PageRequest, 'hash'>,
): Promise<RequestAnswer> {
  if (call === undefined) return { action: 'cancel' };
  const id = await nextId();
  const { sessionId, runId, callId, over } = call;
  const hash = createHash('sha256')
    .update(canonicalJson(shown as unknown as Json))
    .digest('hex');
  const question = l10n.t('The MCP server “{0}” asks: {1}', shown.server, shown.message);
  const signals = [signal, ended, over].filter((one) => one !== undefined);
  call.emit({ type: 'agent_run.waiting', for: 'question', questionId: id });
  try {
    const request = { ...shown, hash };
    const asked = { id, sessionId, runId, callId, question, choices: [], request };
    return JSON.parse(await human.ask(asked, AbortSignal.any(signals))) as RequestAnswer;
  } finally {
    call.emit({ type: 'agent_run.answered', questionId: id });
  }
}
