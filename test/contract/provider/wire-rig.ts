import assert from 'node:assert/strict';
import type { ModelRequest, Provider } from '../../../src/core/model-call/model-call.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../../src/domain/message.ts';
import { message, modelRequest, outcomeOf, user } from '../../support/model-call.ts';
import type { Outcome } from '../../support/model-call.ts';
import type { WireScript, WireServer, WireTurn } from '../../support/wire-server/wire-server.ts';

export const TOOL = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

export const IMAGE = {
  type: 'binary',
  mediaType: 'image/png',
  data: 'iVBORw0KGgo=',
  name: 'a.png',
} as const;

export const PDF = {
  type: 'binary',
  mediaType: 'application/pdf',
  data: 'JVBERi0=',
  name: 'a.pdf',
} as const;

/** The two requests of the provider contract: one for words, one for calls of the tool. */
export const contractRequests = (model: string) => {
  const request = {
    model,
    system: ['Be.'],
    tools: [TOOL],
    thinking: 'off',
    toolChoice: { type: 'auto' },
  } as const;
  return {
    textRequest: { ...request, messages: [user('Hello')] },
    toolRequest: { ...request, messages: [user('Use tools.')] },
  };
};

/** Arguments of a call of that tool. */
export const path = (name: string): string => JSON.stringify({ path: name });

export const callsOf = (outcome: Pick<Outcome, 'answer'>): ToolCallPart[] =>
  outcome.answer?.parts.filter((part) => part.type === 'tool_call') ?? [];

/** The result of each call of an answer. */
export const resultsOf = (parts: readonly Part[]): ToolResultPart[] =>
  parts.flatMap((part): ToolResultPart[] =>
    part.type === 'tool_call'
      ? [
          {
            type: 'tool_result',
            callId: part.id,
            name: part.name,
            state: 'done',
            content: [{ type: 'text', text: `read ${JSON.stringify(part.input['path'])}` }],
          },
        ]
      : [],
  );

/** A wire before a scripted server. */
interface Subject<Body, Server, ServerOptions, ProviderOptions> {
  readonly start: (options: { script: WireScript<Body> } & ServerOptions) => Promise<Server>;
  readonly provider: (url: string, options?: ProviderOptions) => Provider;
  readonly model: string;
  /** An answer of words. */
  readonly words: WireTurn;
}

/** Servers that are closed after each test. Call it at the top of a `describe`. */
export function wireRig<
  Body,
  Server extends WireServer<Body> & { readonly url: string },
  ServerOptions,
  ProviderOptions,
>({ start, provider, model, words }: Subject<Body, Server, ServerOptions, ProviderOptions>) {
  const open: Server[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  const request = (more: Partial<ModelRequest> = {}): ModelRequest =>
    modelRequest({ model, tools: [TOOL], ...more });
  const serve = async (
    script: WireScript<Body> | WireTurn,
    options: Omit<ServerOptions, 'script'> = {} as ServerOptions,
  ): Promise<Server> => {
    const asked = typeof script === 'function' ? script : () => script;
    const server = await start({ ...(options as ServerOptions), script: asked });
    open.push(server);
    return server;
  };
  const ask = async (
    script: WireScript<Body> | WireTurn,
    more: Partial<ModelRequest> = {},
    composed?: ProviderOptions,
    options?: Omit<ServerOptions, 'script'>,
  ) => {
    const server = await serve(script, options);
    const outcome = await outcomeOf(provider(server.url, composed).call, request(more));
    return { ...outcome, server, sent: server.requests.map(({ body }) => body) };
  };

  /** A turn with calls, their results, and what the second request held. */
  async function twoTurns(turn: WireTurn, secondModel = model) {
    const server = await serve((_request, n) => (n === 1 ? turn : words));
    const { call } = provider(server.url);
    const first = user('Go.');
    const outcome = await outcomeOf(call, request({ messages: [first] }));
    assert.ok(outcome.answer, JSON.stringify(outcome.failure));
    const { parts } = outcome.answer;
    const messages: Message[] = [first, message('assistant', parts)];
    const results = resultsOf(parts);
    messages.push(results.length === 0 ? user('And?') : message('tool', results));
    const second = await outcomeOf(call, request({ messages, model: secondModel }));
    assert.ok(second.answer, JSON.stringify(second.failure));
    const next = (): Body | undefined => server.requests.at(-1)?.body;
    return { server, outcome, messages, next, parts };
  }
  return { serve, ask, twoTurns, request };
}
