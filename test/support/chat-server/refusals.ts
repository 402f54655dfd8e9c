import type { ChatMessage, ChatRequest } from './chat-server.ts';

/** What the strictest servers say of a request; `undefined`: they take it. */
export function chatRefusal({ messages, tools, ...fields }: ChatRequest): string | undefined {
  const unknown = ['parallel_tool_calls', 'store', 'temperature', 'strict'].find(
    (field) => field in fields,
  );
  return unknown === undefined
    ? (toolsRefusal(tools) ?? messagesRefusal(messages))
    : `Unsupported parameter: '${unknown}'`;
}

function toolsRefusal(tools: ChatRequest['tools']): string | undefined {
  if (tools?.length === 0) return "[] is too short - 'tools'";
  const names = (tools ?? []).map((tool) => tool.function.name);
  const wrong = names.find((name) => !/^[\w-]{1,64}$/.test(name));
  if (wrong !== undefined) return `Invalid 'tools[0].function.name': ${wrong}`;
  return new Set(names).size === names.length ? undefined : 'Tool names must be unique.';
}

function messagesRefusal(messages: readonly ChatMessage[]): string | undefined {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [place, message] of messages.entries()) {
    const { role, tool_call_id: answered, tool_calls: calls = [] } = message;
    if (role !== 'tool' && open.size > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join()}`;
    const problem = contentRefusal(message);
    if (problem !== undefined) return `messages[${place}].content: ${problem}`;
    if (role === 'tool' && !open.delete(answered ?? ''))
      return `tool_call_id ${answered} not found`;
    open = role === 'assistant' ? new Set(calls.map(({ id }) => id)) : open;
    for (const { id, function: called } of calls) {
      if (!/^[\w-]{1,40}$/.test(id)) return `Invalid tool call id ${id}: at most 40 characters`;
      if (seen.has(id)) return `The tool call id ${id} is not unique`;
      seen.add(id);
      if (typeof called.arguments !== 'string') return 'arguments are text';
    }
  }
  return open.size > 0 ? 'tool_call_ids did not have response messages' : undefined;
}

function contentRefusal({ role, content }: ChatMessage): string | undefined {
  if (role === 'assistant' && typeof content !== 'string') return 'a string is wanted';
  if (role === 'tool' && (typeof content !== 'string' || content === ''))
    return 'no images in tool results';
  return undefined;
}
