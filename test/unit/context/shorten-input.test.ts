import assert from 'node:assert/strict';
import type { Message } from '../../../src/domain/message.ts';
import { withShortTools } from '../../../src/core/context/compaction/shorten.ts';

const message: Message = {
  id: 'm1',
  sessionId: 's1',
  seq: 2,
  role: 'assistant',
  createdAt: 0,
  parts: [
    { type: 'text', text: 'w'.repeat(5000) },
    {
      type: 'tool_call',
      id: 'c1',
      name: 'write_file',
      input: { path: 'a.txt', content: 'x'.repeat(5000), edits: [{ old: 'y'.repeat(5000) }], n: 3 },
    },
    { type: 'tool_call', id: 'c2', name: 'read_file', input: { path: 'a.txt' } },
  ],
};

describe('shortening tool calls', () => {
  it('D2 c19: long texts of an input are cut at any depth; all else stays as it is', () => {
    const short = withShortTools(message, 400);
    assert.equal(short.parts[0], message.parts[0]);
    assert.equal(short.parts[2], message.parts[2]);
    const cut = short.parts[1];
    assert.ok(cut?.type === 'tool_call');
    assert.equal(cut.id, 'c1');
    assert.equal(cut.input['path'], 'a.txt');
    assert.equal(cut.input['n'], 3);
    const { content } = cut.input;
    assert.ok(typeof content === 'string');
    assert.match(content, /^x{280}\n\[… 4600 characters left out/u);
    assert.match(JSON.stringify(cut.input['edits']), /4600 characters left out/u);
  });

  it('D2: is the same object for the same question, and the message itself when nothing is long', () => {
    assert.equal(withShortTools(message, 400), withShortTools(message, 400));
    assert.equal(withShortTools(message, 50_000), message);
  });
});
