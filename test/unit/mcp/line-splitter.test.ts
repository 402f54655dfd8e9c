import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineSplitter } from '../../../src/mcp/transport/line-splitter.ts';
import { answerOf } from '../../../src/mcp/transport/message-limit.ts';

function split(
  chunks: readonly Buffer[],
  limit = 100,
): { lines: string[]; long: [string, string][] } {
  const lines: string[] = [];
  const long: [string, string][] = [];
  const splitter = new LineSplitter(limit, {
    line: (text) => lines.push(text),
    tooLong: (head, tail) => long.push([head, tail]),
  });
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, long };
}

describe('MCP: lines of a local server', () => {
  it('come out whole, however they are cut on the way', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/[\r\n]/.test(text) && text.trim() !== '');
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (expected, sizes) => {
          const bytes = Buffer.from(expected.map((text) => `${text}\n`).join(''));
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          assert.deepEqual(split(chunks, 1000).lines, expected);
        },
      ),
    );
  });

  it('may end with a carriage return; empty ones are nothing', () => {
    assert.deepEqual(split([Buffer.from('a\r\n\r\n \nb\n')]).lines, ['a', 'b']);
  });

  it('that are too long are skipped, with their ends kept, and the next one is taken', () => {
    const long = `start${'x'.repeat(2000)}end`;
    const bytes = Buffer.from(`a\n${long}\nb\n`);
    for (const size of [1, 7, 5000]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      const found = split(chunks);
      assert.deepEqual(found.lines, ['a', 'b']);
      assert.equal(found.long.length, 1);
      const [head, tail] = found.long[0] ?? ['', ''];
      assert.ok(
        head.startsWith('startx') && tail.endsWith('xend') && head.length + tail.length <= 1024,
      );
    }
  });

  it('a line of exactly the limit is taken', () => {
    const text = 'x'.repeat(100);
    assert.deepEqual(split([Buffer.from(`${text}\n${text}x\n`)]), {
      lines: [text],
      long: [[`${text}x`, `${text}x`]],
    });
  });
});

describe('MCP: the request that an oversized answer belongs to', () => {
  it('is found at the beginning or at the end, as SDKs write it', () => {
    assert.equal(answerOf('{"jsonrpc":"2.0","id":7,"result":{"con', '…"}]}}'), 7);
    assert.equal(answerOf('{"result":{"content":[', '"}]},"jsonrpc":"2.0","id":8}'), 8);
    assert.equal(answerOf('{"result":{"content":[', '"}]},"id": 9 , "jsonrpc":"2.0"}'), 9);
  });

  it('is not taken from inside the result', () => {
    assert.equal(answerOf('{"result":{"id":5,', '{"a":1,"id":6}}}'), undefined);
    assert.equal(answerOf('{"jsonrpc":"2.0","method":"x","params":{', '"id":6}}'), undefined);
  });
});
