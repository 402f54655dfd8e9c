import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import decodeJpeg, { init as startJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as startJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as startPng } from '@jsquash/png/decode.js';
import encodePng from '@jsquash/png/encode.js';
import resize, { initResize } from '@jsquash/resize';
import decodeWebp, { init as startWebpDecoder } from '@jsquash/webp/decode.js';
import type { Pixels } from './pixels.ts';

// The codecs of jSquash were made for browsers: their WebAssembly is given to them, and what they answer with is here.
Object.assign(globalThis, {
  ImageData: class implements Pixels {
    readonly data: Pixels['data'];
    readonly width: number;
    readonly height: number;
    constructor(data: Pixels['data'], width: number, height: number) {
      this.data = data;
      this.width = width;
      this.height = height;
    }
  },
});

/** The compiled code of a codec, beside this module in the bundle. */
async function compiled(file: string): Promise<WebAssembly.Module> {
  if (import.meta.url.endsWith('.ts'))
    return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(file)));
  const packed = new URL(`./${file.slice(file.lastIndexOf('/') + 1)}.br`, import.meta.url);
  return WebAssembly.compile(new Uint8Array(brotliDecompressSync(await readFile(packed))));
}

const asImage = (pixels: Pixels): ImageData => ({ ...pixels, colorSpace: 'srgb' });

/** A way to read pictures. */
export type Decode = (bytes: Uint8Array<ArrayBuffer>) => Promise<Pixels>;

const exact = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + length);

export const DECODERS: Readonly<Record<'jpeg' | 'png' | 'webp', Decode>> = {
  jpeg: async (bytes) => {
    await startJpegDecoder(await compiled('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
    // Turned as the camera was held.
    return decodeJpeg(exact(bytes), { preserveOrientation: true });
  },
  png: async (bytes) => {
    await startPng(await compiled('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
    return decodePng(exact(bytes));
  },
  webp: async (bytes) => {
    await startWebpDecoder(await compiled('@jsquash/webp/codec/dec/webp_dec.wasm'));
    return decodeWebp(exact(bytes));
  },
};

export async function asPng(pixels: Pixels): Promise<Uint8Array> {
  await startPng(await compiled('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
  return new Uint8Array(await encodePng(asImage(pixels)));
}

/** @param quality 0 to 100 */
export async function asJpeg(pixels: Pixels, quality: number): Promise<Uint8Array> {
  await startJpegEncoder(await compiled('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  return new Uint8Array(await encodeJpeg(asImage(pixels), { quality }));
}

/** The picture with other numbers of pixels. */
export async function resized(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  if (pixels.width === width && pixels.height === height) return pixels;
  await initResize(await compiled('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'));
  return resize(asImage(pixels), {
    width,
    height,
    method: 'triangle',
    linearRGB: false,
  });
}
