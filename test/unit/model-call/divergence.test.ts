import assert from 'node:assert/strict';
import { divergenceOf } from '../../../src/core/model-call/divergence.ts';
import { imageSize } from '../../../src/core/model-call/image-size.ts';
import { message, modelRequest, user } from '../../support/model-call.ts';

const tool = (name: string, description = name) => ({
  name,
  description,
  inputSchema: { type: 'object' },
});
const first = user('one');
const base = modelRequest({
  system: ['static', 'dynamic'],
  tools: [tool('a'), tool('b')],
  messages: [first, message('assistant', 'two')],
});

describe('divergence of two prompts', () => {
  it('is nothing when the later one only adds', () => {
    assert.equal(
      divergenceOf(base, { ...base, messages: [...base.messages, user('three')] }),
      undefined,
    );
    assert.equal(divergenceOf(base, structuredClone(base)), undefined);
  });

  const CASES: readonly (readonly [string, Partial<typeof base>])[] = [
    ['model: claude-sonnet-5-5 became other', { model: 'other', tools: [] }],
    ['tools: b is gone', { tools: [tool('a')], system: ['x'] }],
    ['tools: c was added', { tools: [tool('a'), tool('b'), tool('c')] }],
    ['tools: b became c at place 2', { tools: [tool('a'), tool('c')] }],
    ['tools: the description of b changed', { tools: [tool('a'), tool('b', 'new')] }],
    ['system prompt: block 2, character 4', { system: ['static', 'dynXmic'] }],
    ['system prompt: block 3, character 1', { system: ['static', 'dynamic', 'more'] }],
    ['thinking: off became high', { thinking: 'high' }],
    ['tool choice: auto became none', { toolChoice: { type: 'none' } }],
    ['message 1 of 2 (user)', { messages: [user('1'), message('assistant', 'two')] }],
    ['message 2 of 2 (assistant)', { messages: [first, message('assistant', 'zwei')] }],
    ['messages: 1 fewer than before', { messages: [first] }],
  ];
  for (const [expected, change] of CASES) {
    it(expected, () => assert.equal(divergenceOf(base, { ...base, ...change }), expected));
  }
});

describe('size of an image', () => {
  const bytes = (...parts: (readonly number[] | string)[]): string =>
    Buffer.concat(
      parts.map((part) =>
        typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
      ),
    ).toString('base64');
  const pad = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

  const CASES: readonly (readonly [
    string,
    string,
    { width: number; height: number } | undefined,
  ])[] = [
    [
      'PNG',
      bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 8, 1], [0, 0, 0, 16]),
      { width: 2049, height: 16 },
    ],
    ['GIF', bytes('GIF89a', [0x2c, 0x01, 0xc8, 0x00]), { width: 300, height: 200 }],
    [
      'JPEG with segments before',
      bytes(
        [0xff, 0xd8, 0xff, 0xe1, 0, 6],
        pad(4),
        [0xff, 0xc4, 0, 4],
        pad(2),
        [0xff, 0xc2, 0, 11, 8, 0x01, 0x00, 0x02, 0x00],
      ),
      { width: 512, height: 256 },
    ],
    [
      'WebP, lossy',
      bytes('RIFF', pad(4), 'WEBPVP8 ', pad(10), [0x80, 0x02, 0xe0, 0x01]),
      { width: 640, height: 480 },
    ],
    [
      'WebP, extended',
      bytes('RIFF', pad(4), 'WEBPVP8X', pad(8), [0x7f, 0x02, 0x00], [0xdf, 0x01, 0x00]),
      { width: 640, height: 480 },
    ],
    [
      'WebP, lossless',
      bytes('RIFF', pad(4), 'WEBPVP8L', pad(4), [0x2f, 0x7f, 0xc2, 0x77, 0x00]),
      { width: 640, height: 480 },
    ],
    ['a header that ends early', bytes([0x89], 'PNG\r\n'), undefined],
    ['no image', bytes('hello, this is no image at all'), undefined],
    ['no base64', '***', undefined],
    ['nothing', '', undefined],
  ];
  for (const [what, data, expected] of CASES) {
    it(`h20: ${what}`, () => assert.deepEqual(imageSize(data), expected));
  }
});
