import type { Json } from '../domain/json.ts';
import type { Human } from '../core/ports/person/human.ts';
import type { LentAnswer, LentRequest } from '../core/model-call/lend-model.ts';
import type { ModelCallContext } from '../core/model-call/model-call.ts';
import type { AskedForm } from '../mcp/requests/elicitation.ts';
import { type AskedField, fieldQuestion, readField } from '../mcp/requests/field-question.ts';
import type { Asking, FormAnswer, McpPerson } from '../mcp/requests/person.ts';

export interface McpPersonParts {
  readonly human: Human;
  readonly nextId: () => Promise<string>;
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

const ANSWER = 'Answer it';
const DEFAULTS = 'Send the defaults';
const DECLINE = 'Decline';

/** The person behind MCP servers: each question is a card of the call that is under way; without one the answer is no. */
export function mcpPerson(parts: McpPersonParts): McpPerson {
  return {
    signIn: parts.signIn,
    fillForm: async (form, asking) => fillForm(parts, form, asking),
    openPage: async ({ url, host, message, warnings }, { server, call }) => {
      if (call?.confirm === undefined) return 'cancel';
      const title = `Open a page of ${host} for the MCP server “${server}”`;
      const reason = [...warnings, message].join(' ');
      const { allowed } = await call.confirm({ title, detail: url }, reason);
      if (!allowed) return 'decline';
      return (await parts.openPage(url)) ? 'accept' : 'cancel';
    },
    sample: async ({ request, shown, warnings }, { server, call, signal }) => {
      if (call?.confirm === undefined) return undefined;
      const title = `Let the model answer the MCP server “${server}”`;
      const { allowed } = await call.confirm({ title, detail: shown }, warnings.join(' '));
      const { sessionId, runId, emit } = call;
      return allowed ? parts.lend(request, { sessionId, runId, emit, signal }) : undefined;
    },
  };
}

/** One question for the form, then one for each field: what does not fit is asked again. */
async function fillForm(
  { human, nextId }: McpPersonParts,
  { message, fields, warnings }: AskedForm,
  { server, call, signal }: Asking,
): Promise<FormAnswer> {
  if (call === undefined) return { action: 'cancel' };
  const ask: Ask = async (question, choices, several) => {
    const id = await nextId();
    const { sessionId, runId, callId } = call;
    call.emit({ type: 'agent_run.waiting', for: 'question', questionId: id });
    try {
      const asked = { id, sessionId, runId, callId, question, choices, several };
      return await human.ask(asked, signal);
    } finally {
      call.emit({ type: 'agent_run.answered', questionId: id });
    }
  };
  const names = fields.map(({ title }) => title).join(', ');
  const first = [`The MCP server “${server}” asks: ${message}`, ...warnings, `It wants: ${names}.`];
  const byDefault = fields.every((field) => !field.required || field.default !== undefined);
  const choices = [ANSWER, ...(byDefault ? [DEFAULTS] : []), DECLINE];
  const begin = await ask(first.join('\n'), choices, false);
  if (begin === DEFAULTS && byDefault) return { action: 'accept', content: {} };
  if (begin !== ANSWER) return { action: 'decline' };
  const content: Record<string, Json> = {};
  for (const [index, field] of fields.entries()) {
    const question = fieldQuestion(field, `${index + 1} of ${fields.length} for “${server}”`);
    const value = await answerOf(ask, question);
    if (value === 'stop') return { action: 'cancel' };
    if (value !== undefined) content[field.name] = value.given;
  }
  return { action: 'accept', content };
}

type Ask = (question: string, choices: readonly string[], several: boolean) => Promise<string>;

/** `undefined`: left out. */
async function answerOf(
  ask: Ask,
  asked: AskedField,
): Promise<{ readonly given: Json } | undefined | 'stop'> {
  for (let problem = ''; ;) {
    const text = await ask(`${problem}${asked.question}`, asked.choices, asked.several);
    const read = readField(asked, text);
    if (!('problem' in read)) return read.stop === true ? 'stop' : read.value;
    problem = `${read.problem}\n`;
  }
}
