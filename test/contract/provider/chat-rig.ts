import type { ModelRequest } from '../../../src/core/model-call/model-call.ts';
import { modelRequest } from '../../support/model-call.ts';
import { chatSay, startChatServer } from '../../support/chat-server/chat-server.ts';
import type { ChatMessage } from '../../support/chat-server/chat-server.ts';
import { chatProvider } from '../../support/chat-server/composed-chat.ts';
import { TOOL, wireRig } from './wire-rig.ts';

/** A request to the scripted model, with a tool. */
export const request = (more: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ model: 'gpt-x', tools: [TOOL], ...more });

export const assistantIn = (body: { messages: readonly ChatMessage[] } | undefined) =>
  body?.messages.find(({ role }) => role === 'assistant');

export const idsOf = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));

/** Servers of Chat Completions. Call it at the top of a `describe`. */
export const chatRig = () =>
  wireRig({
    start: startChatServer,
    provider: chatProvider,
    model: 'gpt-x',
    words: chatSay('Done.'),
  });
