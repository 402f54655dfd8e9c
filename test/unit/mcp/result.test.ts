import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { sizeOf } from '../../../src/core/context/tokens/message-size.ts';
import { serverResult } from '../../../src/panel/cards/server-result.ts';
import { mediaText } from '../../../src/providers/http/request/media.ts';
import { outputOf } from '../../../src/mcp/tools/result.ts';

const textsOf = (result: CallToolResult): string[] =>
  outputOf(result).content.map((part) =>
    part.type === 'text' ? part.text : `(${part.mediaType})`,
  );

const png = Buffer.from('not really a picture').toString('base64');

describe('MCP: results', () => {
  it('keeps texts in order, each a part of its own', () => {
    const content = ['one', 'two'].map((text) => ({ type: 'text' as const, text }));
    assert.deepEqual(outputOf({ content }), { content });
  });

  it('a result without anything says so: an empty one is refused by model APIs', () => {
    for (const content of [[], [{ type: 'text' as const, text: ' \n' }]]) {
      assert.deepEqual(textsOf({ content }), ['The tool returned nothing.']);
    }
  });

  it('E10: keeps that the tool failed', () => {
    assert.equal(outputOf({ content: [], isError: true }).isError, true);
    assert.equal(outputOf({ content: [], isError: false }).isError, undefined);
  });

  it('keeps images of the kinds that models take', () => {
    assert.deepEqual(
      outputOf({ content: [{ type: 'image', mimeType: 'image/png', data: png }] }).content,
      [{ type: 'binary', mediaType: 'image/png', data: png }],
    );
  });

  it('names what models do not take, instead of sending it', () => {
    const large = 'A'.repeat(13_333_340);
    assert.deepEqual(
      textsOf({
        content: [
          { type: 'image', mimeType: 'image/tiff', data: png },
          { type: 'image', mimeType: 'image/png', data: 'no base64!' },
          { type: 'image', mimeType: 'image/png', data: large },
          { type: 'audio', mimeType: 'audio/midi', data: png },
        ],
      }),
      [
        '[Not shown: image, image/tiff, 1 kB]',
        '[Not shown, not valid base64: image, image/png, 1 kB]',
        '[Not shown, too large: image, image/png, 9766 kB]',
        '[Not shown: audio, audio/midi, 1 kB]',
      ],
    );
  });

  it('keeps twenty images', () => {
    const image = { type: 'image' as const, mimeType: 'image/png', data: png };
    const parts = textsOf({ content: Array.from({ length: 22 }, () => image) });
    assert.equal(parts.filter((part) => part === '(image/png)').length, 20);
    assert.match(parts.at(-1) ?? '', /too many of them/);
  });

  it('gives embedded resources with their address, and links as links', () => {
    assert.deepEqual(
      textsOf({
        content: [
          { type: 'resource', resource: { uri: 'demo://a', text: 'inside' } },
          { type: 'resource', resource: { uri: 'demo://b', mimeType: 'image/png', blob: png } },
          { type: 'resource', resource: { uri: 'demo://c', blob: png } },
          {
            type: 'resource_link',
            name: 'd',
            uri: 'https://example.com/d',
            description: 'about d',
          },
        ],
      }),
      [
        '[Resource demo://a]\ninside',
        '(image/png)',
        '[Not shown: resource demo://c, unknown type, 1 kB]',
        '[Resource “d”: https://example.com/d. about d]',
      ],
    );
  });

  it('adds structured content, unless a text says the same', () => {
    const structuredContent = { b: 1, a: [2] };
    const text = (value: string): CallToolResult['content'] => [{ type: 'text', text: value }];
    assert.deepEqual(textsOf({ content: [], structuredContent }), ['{"b":1,"a":[2]}']);
    assert.deepEqual(textsOf({ content: text('{ "a": [2], "b": 1 }'), structuredContent }), [
      '{ "a": [2], "b": 1 }',
    ]);
    assert.deepEqual(textsOf({ content: text('42'), structuredContent }), [
      '42',
      '{"b":1,"a":[2]}',
    ]);
    assert.deepEqual(textsOf({ content: text('all'), structuredContent: { content: 'all' } }), [
      'all',
    ]);
    assert.deepEqual(textsOf({ content: text('all'), structuredContent: {} }), ['all', '{}']);
  });

  it('cuts a thousand parts and four million characters, and says so', () => {
    const content = Array.from({ length: 1002 }, () => ({ type: 'text' as const, text: 'x' }));
    assert.equal(textsOf({ content }).at(-1), '[2 more parts were left out.]');
    const long = [
      { type: 'text' as const, text: 'y'.repeat(3_999_999) },
      { type: 'text' as const, text: 'zz' },
    ];
    assert.match(textsOf({ content: long }).at(-1) ?? '', /^z\n\[Cut: 1 more/);
  });

  it('keeps sounds that the panel plays; a model gets a sentence in place of them', () => {
    const { content } = outputOf({
      content: [{ type: 'audio', mimeType: 'audio/wav', data: png }],
    });
    assert.deepEqual(content, [{ type: 'binary', mediaType: 'audio/wav', data: png }]);
    const [sound] = content;
    assert.ok(sound?.type === 'binary');
    assert.match(mediaText(sound), /cannot be shown to the model/u);
    const sized = { type: 'tool_result', callId: 'c', name: 'x', state: 'done', content } as const;
    assert.ok(
      sizeOf({ parts: [{ ...sized, content: [{ ...sound, data: png.repeat(9999) }] }] })
        .mediaTokens < 100,
    );
  });

  it('A9: the card gets structured output, resources and the files that are named', () => {
    const { display, files, content } = outputOf(
      {
        content: [
          { type: 'text', text: 'Done' },
          {
            type: 'resource_link',
            name: 'log',
            title: 'The log',
            uri: 'demo://log',
            mimeType: 'text/plain',
          },
          {
            type: 'resource',
            resource: { uri: 'demo://a/b.txt', text: 'inside', mimeType: 'text/plain' },
          },
          { type: 'resource_link', name: 'f', uri: 'file:///work/src/a.ts' },
        ],
        structuredContent: { path: 'src/b.ts', files: ['src/c.ts', { path: 'src/d.ts' }], n: 1 },
      },
      { server: 'srv' },
    );
    assert.deepEqual(
      files,
      ['/work/src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'].map((path) => ({ path })),
    );
    const { structured, resources, server } = serverResult(display) ?? assert.fail('no display');
    assert.equal(server, 'srv');
    assert.deepEqual(structured, {
      path: 'src/b.ts',
      files: ['src/c.ts', { path: 'src/d.ts' }],
      n: 1,
    });
    assert.deepEqual(
      resources.map(({ name, part }) => [name, part]),
      [
        ['The log', undefined],
        ['b.txt', 2],
        ['f', undefined],
      ],
    );
    assert.deepEqual(content[2], { type: 'text', text: '[Resource demo://a/b.txt]\ninside' });
  });

  it('A9: `url` and `files` are links as `path` is, as structured output and as JSON in a text', () => {
    const named = {
      url: 'file:///work/a%20b.ts',
      filename: 'a b.ts',
      files: [
        { url: 'https://example.com/report.pdf', filename: 'report.pdf' },
        { url: 'file:///work/c.ts', filename: 'c.ts' },
        { url: 'data:text/plain,x' },
        { url: 7 },
        null,
      ],
    };
    const paths = ['/work/a b.ts', 'https://example.com/report.pdf', '/work/c.ts'];
    const text = { type: 'text' as const, text: JSON.stringify(named) };
    for (const result of [{ content: [], structuredContent: named }, { content: [text] }])
      assert.deepEqual(
        outputOf(result).files,
        paths.map((path) => ({ path })),
      );
    const many = {
      files: Array.from({ length: 500 }, (_, index) => ({ url: `file:///${index}` })),
    };
    assert.equal(outputOf({ content: [], structuredContent: many }).files?.length, 50);
  });

  it('what a card draws is bounded', () => {
    const link = { type: 'resource_link' as const, name: 'x', uri: 'demo://x' };
    const { display } = outputOf(
      {
        content: Array.from({ length: 900 }, () => link),
        structuredContent: { text: 'x'.repeat(30_000) },
      },
      { server: 'srv' },
    );
    const { structured, resources } = serverResult(display) ?? assert.fail('no display');
    assert.equal(structured, null);
    assert.equal(resources.length, 50);
  });
});
