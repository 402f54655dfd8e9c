// The floor: a bare loop on the SDK, nothing durable, nothing asked. Reads files until the model is done.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';

const [, , baseURL, workspace, prompt] = process.argv;
const client = new Anthropic({ baseURL, apiKey: 'test-key', maxRetries: 0 });
const tools = [
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
const mark = { cache_control: { type: 'ephemeral' } };
const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
for (;;) {
  const tail = messages.at(-1);
  const marked = [
    ...messages.slice(0, -1),
    { ...tail, content: [...tail.content.slice(0, -1), { ...tail.content.at(-1), ...mark }] },
  ];
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
    calls.map(async (call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: await readFile(path.join(workspace, call.input.files[0].path), 'utf8'),
    })),
  );
  messages.push({ role: 'user', content: results });
}
