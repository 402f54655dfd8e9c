import assert from 'node:assert/strict';
import { imageSize } from '../../../src/core/model-call/image-size.ts';
import { failureOf } from '../../../src/domain/failure.ts';
import { asJpeg, asPng, DECODERS } from '../../../src/hosts/node/pictures/codecs.ts';
import { IsolatedPictureScaler } from '../../../src/hosts/node/pictures/picture-scaler.ts';
import type { Pixels } from '../../../src/hosts/node/pictures/pixels.ts';
import { png } from '../../faults/png.ts';

const scaler = new IsolatedPictureScaler();
const { signal } = new AbortController();
const ROOM = { side: 200, length: 1_000_000 };
const bytesOf = (data: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(data, 'base64'));

/** Left half of one color, right half of another. */
function halves(width: number, height: number, left: readonly number[], right: readonly number[]) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4)
    data.set((at / 4) % width < width / 2 ? left : right, at);
  return { data, width, height };
}

/** The color at a place, as shares of width and height. */
function color({ data, width, height }: Pixels, x: number, y: number): readonly number[] {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4;
  return Array.from(data.slice(at, at + 4));
}

const near = (given: readonly number[], wanted: readonly number[]): void =>
  assert.ok(
    given.every((one, index) => Math.abs(one - (wanted[index] ?? 0)) < 12),
    `${given.join()} for ${wanted.join()}`,
  );

/** A JPEG that says that the camera was held on its side. */
function onItsSide(jpeg: Uint8Array): string {
  const exif = Buffer.from(
    'Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0',
    'latin1',
  );
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([head, exif, jpeg.subarray(2)]).toString('base64');
}

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];

describe('pictures made smaller', function () {
  this.timeout(60_000);

  it('a PNG keeps its form, its shape, its colors and where one looks through it', async () => {
    const given = halves(1600, 400, RED, [0, 0, 0, 0]);
    const data = Buffer.from(await asPng(given)).toString('base64');
    const made = await scaler.scaled(data, ROOM, signal);
    assert.equal(made.mediaType, 'image/png');
    assert.deepEqual(imageSize(made.data), { width: 200, height: 50 });
    const seen = await DECODERS.png(bytesOf(made.data));
    near(color(seen, 0.2, 0.5), RED);
    assert.equal(color(seen, 0.8, 0.5)[3], 0);
  });

  it('a JPEG is turned as its camera was held', async () => {
    const jpeg = await asJpeg(halves(800, 400, RED, BLUE), 90);
    const made = await scaler.scaled(onItsSide(jpeg), ROOM, signal);
    assert.deepEqual(imageSize(made.data), { width: 100, height: 200 });
    const seen = await DECODERS.jpeg(bytesOf(made.data));
    near(color(seen, 0.5, 0.2), RED);
    near(color(seen, 0.5, 0.8), BLUE);
  });

  it('one of 12,000 pixels is made small, and the same one always the same', async () => {
    const given = png(12_000, 1200);
    const made = await scaler.scaled(given, ROOM, signal);
    assert.deepEqual(imageSize(made.data), { width: 200, height: 20 });
    assert.deepEqual(await scaler.scaled(given, ROOM, signal), made);
  });

  it('where the PNG is too long it becomes a JPEG before white, and smaller until it fits', async () => {
    const noise = new Uint8ClampedArray(400 * 400 * 4).map(
      (_, at) => (at * 7919 * (at >> 3)) % 256,
    );
    const data = Buffer.from(await asPng({ data: noise, width: 400, height: 400 })).toString(
      'base64',
    );
    const made = await scaler.scaled(data, { side: 400, length: 20_000 }, signal);
    assert.equal(made.mediaType, 'image/jpeg');
    assert.ok(made.data.length <= 20_000 && made.data.length > 2000);
  });

  for (const [what, data, why] of [
    ['breaks off', png(900, 900).slice(0, 400), 'it is damaged'],
    ['is none', Buffer.from('<svg/>').toString('base64'), 'it is neither PNG, JPEG nor WebP'],
    ['is a WebP of nothing', Buffer.from('RIFFxxxxWEBPVP8 ').toString('base64'), 'it is damaged'],
  ] as const) {
    it(`one that ${what} is told as such`, async () => {
      await assert.rejects(scaler.scaled(data, ROOM, signal), (thrown) => {
        assert.equal(failureOf(thrown).code, 'invalid');
        assert.equal(failureOf(thrown).message, why);
        return true;
      });
    });
  }

  it('nobody waits for one after Stop', async () => {
    const stop = new AbortController();
    const scaling = scaler.scaled(png(9000, 3000), ROOM, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(scaling, { name: 'AbortError' });
  });
});
