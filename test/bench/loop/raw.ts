// The floor: a bare loop on the SDK, nothing durable, nothing asked. Reads files until the model is done.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  MessageParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';

const [, , baseURL = '', workspace = '', prompt = ''] = process.argv;
// The SDK warns of the model's age at each request: that is no cost of a loop.
console.warn = () => undefined;
const client = new Anthropic({ baseURL, apiKey: 'test-key', maxRetries: 0 });
const tools: Tool[] = [
  {
    name: 'read_file',
    description: 'Reads a file.',
    input_schema: {
      type: 'object',
      properties: { files: { type: 'array', items: { type: 'object' } } },
      required: ['files'],
    },
    cache_control: { type: 'ephemeral' },
  },
];
const mark = { cache_control: { type: 'ephemeral' } } as const;
interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlockParam[];
}
const messages: Said[] = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
for (;;) {
  const tail = messages.at(-1);
  const marked: MessageParam[] = messages.map((message) => {
    const content = [...message.content];
    const last = content.pop();
    if (last !== undefined) content.push(message === tail ? { ...last, ...mark } : last);
    return { role: message.role, content };
  });
  const stream = client.messages.stream({
    model: 'claude-sonnet-4-5',
    max_tokens: 8192,
    tools,
    messages: marked,
  });
  const answer = await stream.finalMessage();
  messages.push({ role: 'assistant', content: answer.content });
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;
  const results = await Promise.all(
    calls.map(async (call): Promise<ToolResultBlockParam> => {
      const { files } = call.input as { readonly files: readonly { readonly path: string }[] };
      const text = await readFile(path.join(workspace, files[0]?.path ?? ''), 'utf8');
      return { type: 'tool_result', tool_use_id: call.id, content: text };
    }),
  );
  messages.push({ role: 'user', content: results });
}
