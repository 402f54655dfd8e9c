import {
  type Client,
  type ClientCapabilities,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
} from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { isAbortError } from '../../domain/abort.ts';
import { type JsonObject, isJsonObject } from '../../domain/json.ts';
import type { ServerLog } from '../status/server-log.ts';
import { judgeForm, judgePage } from './elicitation.ts';
import { checkForm } from './form-answer.ts';
import type { Asking, AskingCall, McpPerson } from './person.ts';
import { judgeSampling } from './sampling.ts';

/** JSON-RPC: what the protocol says for a person's no to sampling. */
const rejected = -1;
/** Pages that one call may want opened. */
const mostPages = 3;

export interface AnsweringParts {
  readonly server: string;
  readonly log: ServerLog;
  /** Absent: nobody is there to ask; then nothing of the kind is offered to servers. */
  readonly person: McpPerson | undefined;
  /** Absolute folders. */
  readonly roots: () => readonly string[];
  /** The latest call that is under way. */
  readonly call: () => AskingCall | undefined;
  /** Hears of what the server tells by itself. */
  readonly onEvent: (method: string, params: unknown) => void;
}

/** Capabilities that a server is told of. */
export function capabilitiesFor(person: McpPerson | undefined): ClientCapabilities {
  const roots = { roots: { listChanged: true } };
  return person === undefined
    ? roots
    : { ...roots, elicitation: { form: {}, url: {} }, sampling: {} };
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

/** Pages that a tool needs first: each goes to the person; the sentence is for the model. */
export async function openPages(
  parts: AnsweringParts,
  pages: readonly unknown[],
  signal: AbortSignal,
): Promise<string> {
  const { person } = parts;
  for (const page of pages.slice(0, mostPages)) {
    const params = { ...(isJsonObject(page) ? page : {}), mode: 'url' };
    const answer =
      person === undefined
        ? undefined
        : await elicit(parts, person, params, askingOf(parts, signal));
    if (answer?.action !== 'accept')
      return 'It needs the person to open a page first, and they did not. The tool was not run.';
  }
  return 'The person has opened the page that it needs first. Call the tool again when they say that they are done there.';
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
  const { message, mode, url, requestedSchema } = params;
  const text = typeof message === 'string' ? message : '';
  const asked =
    mode === 'url'
      ? judgePage(parts.server, text, url)
      : judgeForm(parts.server, text, requestedSchema);
  if (asked.verdict === 'refuse') return refuse(parts, asked.reason, { action: 'decline' });
  try {
    if (asked.kind === 'url') return { action: await person.openPage(asked, asking, params) };
    const answer = await person.fillForm(asked, asking, params);
    if (answer.action !== 'accept') return { action: answer.action };
    const checked = checkForm(asked.fields, answer.content);
    if ('content' in checked) return { action: 'accept', content: checked.content };
    return refuse(parts, `The answer was not sent: ${checked.problem}`, { action: 'cancel' });
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
    throw new ProtocolError(rejected, refuse(parts, asked.reason, asked.reason));
  const answer = await person.sample(asked, asking, params);
  if (answer === undefined) throw new ProtocolError(rejected, 'The person declined it.');
  const { text, model, stopReason } = answer;
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason };
}

/** The person sees why: in the server's log, and on the card of the call. */
function refuse<Answer>({ log, call }: AnsweringParts, reason: string, answer: Answer): Answer {
  log.add('belay', reason);
  const asking = call();
  asking?.emit({ type: 'tool.progress', callId: asking.callId, message: reason });
  return answer;
}
