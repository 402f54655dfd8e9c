import type { ChatRequest } from './chat-server.ts';

/** What the strictest servers say of a request; `undefined`: they take it. */
export function chatRefusal({ messages, tools, ...fields }: ChatRequest): string | undefined {
  for (const field of ['parallel_tool_calls', 'store', 'temperature', 'strict'])
    if (field in fields) return `Unsupported parameter: '${field}'`;
  if (tools?.length === 0) return "[] is too short - 'tools'";
  const names = new Set<string>();
  for (const { function: tool } of tools ?? []) {
    if (!/^[\w-]{1,64}$/.test(tool.name)) return `Invalid 'tools[0].function.name': ${tool.name}`;
    if (names.has(tool.name)) return 'Tool names must be unique.';
    names.add(tool.name);
  }
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [place, message] of messages.entries()) {
    const { content, role, tool_call_id: answered, tool_calls: calls = [] } = message;
    if (role !== 'tool' && open.size > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join()}`;
    if (role === 'assistant' && typeof content !== 'string')
      return `messages[${place}].content: a string is wanted`;
    if (role === 'tool') {
      if (typeof content !== 'string' || content === '')
        return `messages[${place}].content: no images in tool results`;
      if (!open.delete(answered ?? '')) return `tool_call_id ${answered} not found`;
    }
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
