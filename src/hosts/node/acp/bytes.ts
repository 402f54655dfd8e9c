import type { Readable } from 'node:stream';

/** The bytes of a stream of Node, as a stream of the web. */
export function bytesOf(input: Readable): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      input.on('data', (chunk: Buffer) => controller.enqueue(new Uint8Array(chunk)));
      input.once('end', () => controller.close());
      input.once('error', (error) => controller.error(error));
    },
  });
}
