import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashOf, Pack } from '../../../../src/hosts/node/workspace-snapshots/pack.ts';

describe('a pack of objects', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'belay-pack-'));
    file = path.join(folder, 'one.pack');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Of all sizes, so that headers lie at, across and far beyond every border of what is read at once. */
  const objects = (): Buffer[] =>
    [...Array(700).keys(), 65_536 - 41, 65_536 - 40, 65_536, 300_000, 0, 1]
      .map((size, index) => Buffer.from(`${index} `.repeat(size)).subarray(0, size))
      // What cannot be made smaller lies there as long as it is.
      .map((bytes, index) =>
        index % 2 === 0 ? randomFillSync(Buffer.alloc(bytes.length)) : bytes,
      );

  it('is found whole when it is opened again, and while another appends to it', () => {
    const writer = new Pack(file, 'write');
    const all = objects();
    const reader = new Pack(file, 'read');
    for (const bytes of all) writer.put(hashOf(bytes), bytes);
    reader.refresh();
    const again = new Pack(file, 'read');
    for (const pack of [writer, reader, again]) {
      for (const bytes of all) assert.deepEqual(pack.get(hashOf(bytes)), bytes);
      assert.equal(pack.bytes, statSync(file).size);
      pack.file.close();
    }
  });

  it('keeps every whole object, wherever a crash cut it off, and goes on behind them', () => {
    const all = objects().slice(0, 300);
    for (const cut of [1, 40, 41, 42, 5000, 70_000]) {
      const writer = new Pack(file, 'write');
      for (const bytes of all) writer.put(hashOf(bytes), bytes);
      writer.file.close();
      truncateSync(file, statSync(file).size - cut);
      const opened = new Pack(file, 'write');
      assert.equal(opened.bytes, statSync(file).size, 'what is not whole is cut off');
      for (const bytes of all) opened.put(hashOf(bytes), bytes);
      for (const bytes of all) assert.deepEqual(opened.get(hashOf(bytes)), bytes);
      opened.file.close();
    }
  });
});
