import assert from 'node:assert/strict';
import { Pictures } from '../../src/core/model-call/pictures.ts';
import { message, shownText, user } from '../support/model-call.ts';
import { fail, say } from '../support/model-server/turn.ts';
import { players } from './harness.ts';
import { blocks, count, image, toolCall, toolResult, warnings } from './history.ts';
import { png } from './png.ts';

describe('images that are refused', () => {
  const { play } = players();

  it('h20: those with too many pixels are left out, the others stay', async () => {
    const words =
      'messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels';
    const outcome = await play(
      (request) =>
        count(request, 'image') > 1 ? fail(400, 'invalid_request_error', words) : say('Fine.'),
      {
        messages: [
          message('user', [image(png(2400, 10), 'wide.png'), image(png(20, 20), 'small.png')]),
        ],
      },
    );
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(count(outcome.server.requests[1]?.body, 'image'), 1);
    assert.match(outcome.server.requests[1]?.text ?? '', /wide\.png left out/);
    assert.match(warnings(outcome.events), /image.*left out.*kept/);
  });

  it('h20, h21: they are made smaller, as the refusal says, where that can be done', async () => {
    const limits = { side: 1568, length: 5 * 1024 * 1024, most: 100, total: 20 * 1024 * 1024 };
    const scaler = {
      scaled: async (_: string, { side }: { readonly side: number }) =>
        Promise.resolve({ mediaType: 'image/png', data: png(side, 1) }),
    };
    for (const [words, data, made] of [
      ['image dimensions exceed max allowed size: 300 pixels', png(400, 10), png(300, 1)],
      ['image exceeds 5 MB maximum: 999 bytes > 300 bytes', png(40, 40, 999), png(1568, 1)],
    ] as const) {
      const outcome = await play(
        (request) =>
          JSON.stringify(request).includes(data)
            ? fail(400, 'invalid_request_error', words)
            : say('Fine.'),
        { messages: [message('user', [image(data)])] },
        { composed: { pictures: new Pictures(scaler, () => limits) } },
      );
      assert.equal(shownText(outcome.events), 'Fine.');
      assert.equal(warnings(outcome.events), '');
      assert.ok(outcome.server.requests[1]?.text.includes(made));
    }
  });

  it('h20: the error code says it as well as the words', async () => {
    const outcome = await play(
      (request) =>
        count(request, 'image') > 1
          ? fail(400, 'invalid_request_error', 'Reworded.', {
              details: { error_code: 'image_dimensions_too_large', max_side_length_pixels: 100 },
            })
          : say('Fine.'),
      { messages: [message('user', [image(png(120, 10)), image(png(20, 20))])] },
    );
    assert.equal(shownText(outcome.events), 'Fine.');
  });

  it('h20: one that cannot be read is left out, the newest first; the others stay', async () => {
    const outcome = await play(
      (request) =>
        JSON.stringify(request).includes(png(21, 21))
          ? fail(400, 'invalid_request_error', 'Could not process image')
          : say('Fine.'),
      {
        messages: [
          message('user', [image(png(20, 20), 'good.png')]),
          message('assistant', 'Seen.'),
          message('user', [image(png(21, 21), 'bad.png')]),
        ],
      },
    );
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(count(outcome.server.requests[1]?.body, 'image'), 1);
  });

  it('h20: when it was not the newest, the others go as well', async () => {
    const outcome = await play(
      (request) =>
        JSON.stringify(request).includes(png(21, 21))
          ? fail(400, 'invalid_request_error', 'The PDF specified was not valid.')
          : say('Fine.'),
      {
        messages: [
          message('user', [image(png(21, 21), 'bad.png')]),
          message('assistant', 'Seen.'),
          message('user', [image(png(20, 20), 'good.png')]),
        ],
      },
    );
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(outcome.server.requests.length, 3);
  });

  it('h20: an image that cannot be fetched is left out', async () => {
    const outcome = await play(
      (request) =>
        count(request, 'image') > 0
          ? fail(
              400,
              'invalid_request_error',
              'Unable to download the file. Please verify the URL and try again.',
            )
          : say('Fine.'),
      { messages: [message('user', [{ type: 'image_url', url: 'https://example.com/gone.png' }])] },
    );
    assert.match(
      outcome.server.requests[1]?.text ?? '',
      /https:\/\/example\.com\/gone\.png left out/,
    );
  });

  it('h20: an image is called by what it is; a URL that is not https is only named', async () => {
    const outcome = await play(() => say('Fine.'), {
      messages: [
        message('user', [
          { type: 'binary', mediaType: 'image/jpeg', data: png(8, 8) },
          { type: 'image_url', url: 'http://example.com/a.png' },
        ]),
      ],
    });
    const [first, second] = blocks(outcome.server.requests[0]?.body);
    assert.match(JSON.stringify(first), /"media_type":"image\/png"/);
    assert.equal(second?.['text'], '[image at http://example.com/a.png]');
  });

  it('h21: one of more than 5 MB is left out, in tool results too', async () => {
    const outcome = await play(
      () => say('Fine.'),
      {
        messages: [
          user('Go.'),
          message('assistant', [toolCall('c1')]),
          message('tool', [
            toolResult('c1', 'shot', {
              content: [
                { type: 'text', text: 'shot' },
                { type: 'binary', mediaType: 'image/png', data: png(8, 8, 9000) },
                { type: 'binary', mediaType: 'image/png', data: png(8, 8) },
              ],
            }),
          ]),
        ],
      },
      { server: { limits: { maxImageBytes: 5000 } } },
    );
    assert.equal(shownText(outcome.events), 'Fine.');
    assert.equal(outcome.server.requests.length, 2);
    const [, , result] = blocks(outcome.server.requests[1]?.body);
    assert.deepEqual(
      ((result?.['content'] ?? []) as { type: string }[]).map(({ type }) => type),
      ['text', 'text', 'image'],
    );
  });
});
