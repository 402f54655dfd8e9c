import { inEnglish, told } from '../../../src/domain/text/told.ts';
import assert from 'node:assert/strict';
import { Pictures, type PictureLimits } from '../../../src/core/model-call/pictures.ts';
import type { PictureScaler } from '../../../src/core/ports/files/picture-scaler.ts';
import { fault } from '../../../src/domain/failure.ts';
import type { BinaryPart, Message, Part } from '../../../src/domain/message.ts';
import { pictureLimits } from '../../../src/providers/picture-limits.ts';
import { createCatalog } from '../../../src/providers/catalog/catalog.ts';
import { readUpdates } from '../../../src/providers/catalog/updates.ts';
import { png } from '../../faults/png.ts';
import { message, modelRequest, user } from '../../support/model-call.ts';

const { signal } = new AbortController();
const LIMITS: PictureLimits = { side: 100, length: 100_000, most: 4, total: 1_000_000 };
const picture = (data: string, name?: string): BinaryPart => ({
  type: 'binary',
  mediaType: 'image/png',
  data,
  ...(name === undefined ? {} : { name }),
});

/** Makes `small` of each picture, and counts. */
class CountingScaler implements PictureScaler {
  readonly asked: string[] = [];
  async scaled(data: string, { side, length }: { side: number; length: number }) {
    this.asked.push(`${side} ${length}`);
    if (data === DAMAGED) throw fault('invalid', told`it is damaged`);
    return Promise.resolve({ mediaType: 'image/png', data: png(side, 1) });
  }
}

const DAMAGED = png(300, 300).slice(0, 300);

const shown = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part: Part) =>
      (part.type === 'tool_result' ? part.content : [part]).map((one) =>
        one.type === 'text' ? one.text : one.type === 'binary' ? one.data : one.type,
      ),
    ),
  );

async function fitted(
  messages: readonly Message[],
  limits = LIMITS,
  scaler = new CountingScaler(),
) {
  const pictures = new Pictures(scaler, () => limits);
  const { request, warnings } = await pictures.fitted(modelRequest({ messages }), signal);
  return { pictures, scaler, messages: request.messages, shown: shown(request.messages), warnings };
}

describe('pictures as a model takes them', () => {
  it('large ones are made smaller, wherever they are; others and the record stay', async () => {
    const small = picture(png(100, 40));
    const large = picture(png(101, 40));
    const messages = [
      message('user', [{ type: 'text', text: 'See.' }, large]),
      message('tool', [
        { type: 'tool_result', callId: 'c', name: 'shot', state: 'done', content: [large, small] },
      ]),
    ];
    const before = JSON.stringify(messages);
    const made = png(100, 1);
    assert.deepEqual((await fitted(messages)).shown, ['See.', made, made, small.data]);
    assert.equal(JSON.stringify(messages), before);
  });

  it('too many bytes are a reason, too', async () => {
    const { scaler } = await fitted([message('user', [picture(png(80, 80, 90_000))])]);
    assert.deepEqual(scaler.asked, ['100 100000']);
  });

  it('each is scaled once, and its message stays the same object from turn to turn', async () => {
    const first = message('user', [picture(png(300, 300))]);
    const { messages, pictures, scaler } = await fitted([first]);
    const again = await pictures.fitted(modelRequest({ messages: [first, user('And?')] }), signal);
    assert.equal(again.request.messages[0], messages[0]);
    assert.equal(scaler.asked.length, 1);
  });

  it('damaged ones, and those of too many pixels, become a sentence, which the person is told once', async () => {
    const header = Buffer.from(png(4, 4), 'base64');
    header.writeUInt32BE(13_000, 16);
    header.writeUInt32BE(13_000, 20);
    const messages = [
      message('user', [
        picture(DAMAGED, 'cut.png'),
        picture('AAAA', 'none.png'),
        picture(header.toString('base64'), 'wall.png'),
      ]),
    ];
    const { pictures, warnings, ...made } = await fitted(messages);
    assert.deepEqual(made.shown, [
      '[cut.png was left out: it is damaged. A copy as PNG or JPEG can be shown.]',
      '[none.png was left out: it is damaged, or no picture.]',
      '[wall.png was left out: 13000 × 13000 pixels are too many to be made smaller here. A smaller copy can be shown.]',
    ]);
    assert.equal(warnings.length, 3);
    assert.match(
      warnings.map(inEnglish).join(),
      /^The model was not shown a picture: cut\.png was left out/,
    );
    assert.deepEqual((await pictures.fitted(modelRequest({ messages }), signal)).warnings, []);
  });

  it('of too many the newest are shown, and not each new one changes the beginning', async () => {
    const all = [1, 2, 3, 4, 5, 6, 7].map((side) => message('user', [picture(png(side, side))]));
    const seen = async (count: number): Promise<number> =>
      (await fitted(all.slice(0, count))).shown.filter((one) => one.startsWith('[an earlier'))
        .length;
    assert.deepEqual(await Promise.all([4, 5, 6, 7].map(seen)), [0, 2, 2, 4]);
    assert.deepEqual((await fitted(all)).warnings, []);
  });

  it('all together are no longer than a request may be', async () => {
    const messages = [1, 2, 3].map(() => message('user', [picture(png(90, 90, 300))]));
    const length = shown(messages)[0]?.length ?? 0;
    const made = await fitted(messages, { ...LIMITS, total: length * 2.5 });
    assert.equal(made.shown.filter((one) => one.startsWith('[an earlier')).length, 2);
  });

  it('h20: more than twenty are made smaller than the Messages API wants so many', async () => {
    const many = { ...LIMITS, side: 2576, most: 100 };
    const large = (): Message => message('user', [picture(png(2100, 1))]);
    const twenty = Array.from({ length: 20 }, large);
    assert.deepEqual((await fitted(twenty, many)).scaler.asked, []);
    const { scaler } = await fitted([...twenty, large()], many);
    assert.equal(scaler.asked.length, 21);
    assert.match(scaler.asked[0] ?? '', /^2000 /);
  });

  it('h20, h21: what a refusal tells counts from then on, and only if it is less', async () => {
    const messages = [message('user', [picture(png(90, 90))])];
    const { pictures, scaler } = await fitted(messages);
    const { model } = modelRequest();
    assert.equal(pictures.learn(model, { side: 100 }), false);
    assert.equal(pictures.learn(model, {}), false);
    assert.equal(pictures.learn(model, { side: 50 }), true);
    await pictures.fitted(modelRequest({ messages }), signal);
    assert.deepEqual(scaler.asked, ['50 100000']);
    assert.equal(pictures.learn(model, { length: 200 }), true);
    await pictures.fitted(modelRequest({ messages }), signal);
    assert.deepEqual(scaler.asked.at(-1), '50 200');
  });

  it('a GIF goes as it is, but for one that no API takes', async () => {
    const gif = (side: number): BinaryPart => {
      const bytes = Buffer.from('GIF89a\0\0\0\0');
      bytes.writeUInt16LE(side, 6);
      bytes.writeUInt16LE(side, 8);
      return { ...picture(bytes.toString('base64'), 'a.gif'), mediaType: 'image/gif' };
    };
    const {
      shown: [first, second],
    } = await fitted([message('user', [gif(7000), gif(9000)])]);
    assert.equal(first, gif(7000).data);
    assert.match(second ?? '', /9000 × 9000 pixels are more than the model takes/);
  });

  const limitsOf = (wire: 'messages' | 'chat', model: string, baseUrl = '') => {
    const { updates } = readUpdates({ 'claude-sonnet-4-5': { imageSide: 900 } });
    const catalog = createCatalog({ offered: ['anthropic'], updates });
    return pictureLimits({ wire, baseUrl }, catalog.lookup(model))?.side;
  };

  it('the limit is the wire’s, the model’s, or what is said of it in belay.model.catalog', () => {
    assert.equal(limitsOf('messages', 'claude-haiku-4-5'), 1568);
    assert.equal(limitsOf('messages', 'claude-opus-4-7'), 2576);
    assert.equal(limitsOf('messages', 'claude-sonnet-4-5'), 900);
    assert.equal(limitsOf('chat', 'claude-haiku-4-5'), 2048);
    const [problem] = readUpdates({ a: { imageSide: 'big' } }).problems.map(inEnglish);
    assert.match(problem ?? '', /imageSide is not/);
  });
});
