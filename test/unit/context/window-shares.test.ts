import assert from 'node:assert/strict';
import { windowShares } from '../../../src/core/context/window-shares.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import type { Mention } from '../../../src/domain/mention.ts';
import type { Message, Part, Role } from '../../../src/domain/message.ts';

const long = (tokens: number): string => 'word'.repeat(tokens);
let seq = 0;
const message = (role: Role, parts: readonly Part[], origin?: Message['origin']): Message => {
  seq += 1;
  const own = origin === undefined ? {} : { origin };
  return { id: `m${seq}`, sessionId: 's', seq, role, parts, createdAt: 0, ...own };
};
const text = (tokens: number): Part => ({ type: 'text', text: long(tokens) });
const mention = {} as Mention;
const tool = (name: string, server?: string) =>
  ({ name, description: long(1000), inputSchema: {}, ...(server && { server }) }) as Tool;

describe('what fills the context window', () => {
  it('is told apart by what it is for, and so is what a summary would stand for', () => {
    const call: Part = { type: 'tool_call', id: 'c', name: 'read_file', input: {} };
    const result: Part = {
      type: 'tool_result',
      callId: 'c',
      name: 'read_file',
      state: 'done',
      content: [
        { type: 'text', text: long(400) },
        { type: 'binary', mediaType: 'image/png', data: '' },
      ],
    };
    const head = [message('user', [text(50)], 'person'), message('user', [text(70)], 'summary')];
    const tail = [
      message('assistant', [text(10), call]),
      message('tool', [result]),
      message('user', [text(20), { type: 'text', text: long(300), mention }], 'person'),
      ...Array.from({ length: 3 }, () => message('assistant', [text(5)])),
    ];
    const tools = [tool('read_file'), tool('find', 'hub')];
    const { tokens, older } = windowShares(
      { system: [long(500)], tools, messages: [...head, ...tail], fixed: 2 },
      tools,
    );
    const about = (share: keyof typeof tokens, expected: number): void =>
      assert.ok(Math.abs(tokens[share] - expected) <= 30, `${share}: ${tokens[share]}`);
    about('instructions', 500);
    about('tools', 1000);
    about('mcp tools', 1000);
    about('summary', 70);
    about('messages', 50 + 10 + 20 + 15);
    about('mentions', 300);
    about('tool results', 400);
    about('pictures', 1600);
    // The last four stay: the answer with its call, and the result, are older.
    assert.ok(older > 2000 && older < 2050, String(older));
  });
});
