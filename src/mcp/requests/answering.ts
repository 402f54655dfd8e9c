import { tells } from '../../domain/failure.ts';
import { inEnglish, type Told, told } from '../../domain/text/told.ts';
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
} from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { isAbortError } from '../../domain/lifetime/abort.ts';
import { checkForm } from '../../domain/mcp/form.ts';
import { type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import { APP_TYPE, UI_EXTENSION } from '../tools/app-reference.ts';
import type { ServerLog } from '../status/server-log.ts';
import { judgeForm, judgePage } from './elicitation.ts';
import type { Asking, AskingCall, McpPerson, PageAnswer } from './person.ts';
import { judgeSampling } from './sampling.ts';

/** JSON-RPC: what the protocol says for a person's no to sampling. */
const rejected = -1;
/** Pages that one call may want opened. */
const mostPages = 3;
/** Pages of one server whose end is waited for. */
const mostWaited = 100;

export interface AnsweringParts {
  readonly server: string;
  readonly log: ServerLog;
  /** Absent: nobody is there to ask; then nothing of the kind is offered to servers. */
  readonly person: McpPerson | undefined;
  /** Absolute folders. */
  readonly roots: () => readonly string[];
  /** The latest call that is under way. */
  readonly call: () => AskingCall | undefined;
  /** Pages that the server waits for, by the names that it gave them. */
  readonly pages: OpenPages;
  /** Hears of what the server tells by itself. */
  readonly onEvent: (method: string, params: unknown) => void;
}

/** Pages that a server wants opened and has not declared done. */
export class OpenPages {
  readonly #open = new Map<string, AbortController>();

  /** Fires when the server says that a page is done with. */
  endOf(id: string): AbortSignal {
    const page = this.#open.get(id) ?? new AbortController();
    this.#open.set(id, page);
    if (this.#open.size > mostWaited) this.#open.delete(this.#open.keys().next().value ?? '');
    return page.signal;
  }

  ended(params: unknown): void {
    const id = isJsonObject(params) ? params['elicitationId'] : undefined;
    if (typeof id !== 'string') return;
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}

/** Capabilities that a server is told of. */
export function capabilitiesFor(person: McpPerson | undefined): ClientCapabilities {
  const roots = { roots: { listChanged: true } };
  return person === undefined
    ? roots
    : {
        ...roots,
        elicitation: { form: {}, url: {} },
        sampling: {},
        extensions: { [UI_EXTENSION]: { mimeTypes: [APP_TYPE] } },
      };
}

/** Lets a server ask: for folders at once, for everything else through the person. */
export function answerRequests(client: Client, parts: AnsweringParts): void {
  const { person, roots } = parts;
  client.setRequestHandler('roots/list', () => ({
    roots: roots().map((folder) => ({ uri: pathToFileURL(folder).href })),
  }));
  if (person === undefined) return;
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) =>
    elicit(parts, person, params as unknown as JsonObject, askingOf(parts, mcpReq.signal)),
  );
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) =>
    sample(parts, person, params as unknown as JsonObject, askingOf(parts, mcpReq.signal)),
  );
}

/** Pages that a tool needs first: each goes to the person. `true`: they are done there, and the tool can be called again. */
export async function openPages(
  parts: AnsweringParts,
  pages: readonly unknown[],
  signal: AbortSignal,
): Promise<boolean> {
  const { person } = parts;
  if (person === undefined) return false;
  for (const page of pages.slice(0, mostPages)) {
    const params = isJsonObject(page) ? page : {};
    const { action, done } = await offerPage(parts, person, params, askingOf(parts, signal));
    if (action !== 'accept' || (await done?.()) !== true) return false;
  }
  return true;
}

function askingOf({ server, call: latest }: AnsweringParts, signal: AbortSignal): Asking {
  const call = latest();
  const signals = call?.signal === undefined ? [signal] : [signal, call.signal];
  return { server, call, signal: AbortSignal.any(signals) };
}

async function elicit(
  parts: AnsweringParts,
  person: McpPerson,
  params: JsonObject,
  asking: Asking,
): Promise<ElicitResult> {
  const { message, mode, requestedSchema } = params;
  if (mode === 'url') {
    const { action, done } = await offerPage(parts, person, params, asking);
    // The server knows by itself when the person is done there; its card stays until then.
    if (typeof params['elicitationId'] === 'string')
      done?.().catch((thrown: unknown) => parts.log.add('belay', String(thrown)));
    return { action };
  }
  const asked = judgeForm(
    parts.server,
    typeof message === 'string' ? message : '',
    requestedSchema,
  );
  if (asked.verdict === 'refuse') return refuse(parts, asked.reason, { action: 'decline' });
  try {
    const answer = await person.fillForm(asked, asking, params);
    if (answer.action !== 'accept') return { action: answer.action };
    const checked = checkForm(asked.fields, answer.content);
    if ('content' in checked) return { action: 'accept', content: checked.content };
    return refuse(parts, told`The answer was not sent: ${checked.problem}`, { action: 'cancel' });
  } catch (thrown) {
    if (!isAbortError(thrown)) parts.log.add('belay', `Nobody could be asked: ${String(thrown)}`);
    return { action: 'cancel' };
  }
}

async function offerPage(
  parts: AnsweringParts,
  person: McpPerson,
  params: JsonObject,
  asking: Asking,
): Promise<PageAnswer> {
  const { message, url, elicitationId } = params;
  const asked = judgePage(parts.server, typeof message === 'string' ? message : '', url);
  if (asked.verdict === 'refuse') return refuse(parts, asked.reason, { action: 'decline' });
  const ended = typeof elicitationId === 'string' ? parts.pages.endOf(elicitationId) : undefined;
  try {
    return await person.openPage(asked, { ...asking, ended }, params);
  } catch (thrown) {
    if (!isAbortError(thrown)) parts.log.add('belay', `Nobody could be asked: ${String(thrown)}`);
    return { action: 'cancel' };
  }
}

async function sample(
  parts: AnsweringParts,
  person: McpPerson,
  params: JsonObject,
  asking: Asking,
): Promise<CreateMessageResult> {
  const asked = judgeSampling(parts.server, params);
  if (asked.verdict === 'refuse')
    throw new ProtocolError(rejected, refuse(parts, asked.reason, inEnglish(asked.reason)));
  const answer = await person.sample(asked, asking, params);
  if (answer === undefined) throw new ProtocolError(rejected, 'The person declined it.');
  const { text, model, stopReason } = answer;
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason };
}

/** The person sees why: in the server's log, and on the card of the call. */
function refuse<Answer>({ log, call }: AnsweringParts, reason: Told, answer: Answer): Answer {
  log.add('belay', inEnglish(reason));
  const asking = call();
  asking?.emit({ type: 'tool.progress', callId: asking.callId, ...tells(reason) });
  return answer;
}
