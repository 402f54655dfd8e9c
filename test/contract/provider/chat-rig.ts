import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/model-call/model-call.ts';
import type { ToolCallPart } from '../../../src/domain/message.ts';
import { message, modelRequest, outcomeOf, user } from '../../support/model-call.ts';
import type { Outcome } from '../../support/model-call.ts';
import { chatSay, startChatServer } from '../../support/chat-server/chat-server.ts';
import type {
  ChatMessage,
  ChatRequest,
  ChatScript,
  ChatServer,
  ChatServerOptions,
  ChatTurn,
} from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';

export const TOOL = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

/** A request to the scripted model, with a tool. */
export const request = (more: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ model: 'gpt-x', tools: [TOOL], ...more });

/** Arguments of a call of that tool. */
export const path = (name: string): string => JSON.stringify({ path: name });

export const callsOf = (outcome: Pick<Outcome, 'answer'>): ToolCallPart[] =>
  outcome.answer?.parts.filter((part) => part.type === 'tool_call') ?? [];

export const assistantIn = (body: { messages: readonly ChatMessage[] } | undefined) =>
  body?.messages.find(({ role }) => role === 'assistant');

export const idsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));

/** What one call came to, and the bodies that the server saw. */
export interface Asked extends Outcome {
  readonly server: ChatServer;
  readonly sent: readonly ChatRequest[];
}

/** Servers that are closed after each test. Call it at the top of a `describe`. */
export function chatRig() {
  const open: ChatServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  const serve = async (
    script: ChatScript | ChatTurn,
    options: Omit<ChatServerOptions, 'script'> = {},
  ): Promise<ChatServer> => {
    const server = await startChatServer({
      script: typeof script === 'function' ? script : () => script,
      ...options,
    });
    open.push(server);
    return server;
  };
  const ask = async (
    script: ChatScript | ChatTurn,
    more: Partial<ModelRequest> = {},
    flags: NonNullable<Parameters<typeof chatProvider>[1]> = {},
    options: Omit<ChatServerOptions, 'script'> = {},
  ): Promise<Asked> => {
    const server = await serve(script, options);
    const outcome = await outcomeOf(chatProvider(server.url, flags).call, request(more));
    return { ...outcome, server, sent: server.requests.map(({ body }) => body) };
  };

  /** A turn with calls, their results, and what the second request held. */
  async function twoTurns(turn: ChatTurn, secondModel = 'gpt-x') {
    const server = await serve((_request, n) => (n === 1 ? turn : chatSay('Done.')));
    const { call } = chatProvider(server.url);
    const outcome = await outcomeOf(call, request());
    assert.ok(outcome.answer, JSON.stringify(outcome.failure));
    const results = outcome.answer.parts.flatMap((part) =>
      part.type === 'tool_call'
        ? [
            {
              type: 'tool_result',
              callId: part.id,
              name: part.name,
              state: 'done',
              content: [{ type: 'text', text: 'ok' }],
            } as const,
          ]
        : [],
    );
    const messages = [
      user('Go.'),
      message('assistant', outcome.answer.parts),
      message('tool', results),
    ];
    const second = await outcomeOf(call, request({ messages, model: secondModel }));
    assert.ok(second.answer, JSON.stringify(second.failure));
    return { server, outcome, messages, next: () => server.requests.at(-1)?.body };
  }
  return { serve, ask, twoTurns };
}
