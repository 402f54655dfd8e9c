import type { ResponsesItem, ResponsesRequest } from './responses-server.ts';

/** What the real API says of a request; `undefined`: it takes it. */
export function responsesRefusal({
  input,
  tools,
  ...fields
}: ResponsesRequest): string | undefined {
  if (fields['store'] !== false) return 'store must be false: nothing is kept here';
  if (Number(fields['max_output_tokens'] ?? 16) < 16)
    return "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16";
  if (tools?.some(({ strict }) => strict !== false) === true)
    return "Invalid schema for function 'x': 'additionalProperties' is required to be false";
  return pairsRefusal(input) ?? reasoningRefusal(input);
}

function pairsRefusal(input: readonly ResponsesItem[]): string | undefined {
  const calls = new Set<string>();
  const outputs = new Set<string>();
  for (const { type, call_id } of input) {
    const id = JSON.stringify(call_id);
    if (type === 'function_call') {
      if (!/^"[\w-]{1,64}"$/.test(id)) return `Invalid 'call_id': ${id}`;
      if (calls.has(id)) return `Duplicate function call id ${id}`;
      calls.add(id);
    }
    if (type !== 'function_call_output') continue;
    if (!calls.has(id)) return `No tool call found for function call output with call_id ${id}.`;
    outputs.add(id);
  }
  const open = [...calls].find((id) => !outputs.has(id));
  return open === undefined ? undefined : `No tool output found for function call ${open}.`;
}

/** Reasoning has what is encrypted in it and the item that followed it, and items with ids have their reasoning. */
function reasoningRefusal(input: readonly ResponsesItem[]): string | undefined {
  for (const [index, item] of input.entries()) {
    const next = input[index + 1];
    if (item.type !== 'reasoning') continue;
    if (typeof item['encrypted_content'] !== 'string')
      return `Item with id '${String(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`;
    const follows = next?.type === 'reasoning' || next?.['id'] !== undefined;
    if (!follows)
      return `Item '${String(item['id'])}' of type 'reasoning' was provided without its required following item.`;
  }
  return undefined;
}
