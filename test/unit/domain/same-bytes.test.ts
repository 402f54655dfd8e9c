import assert from 'node:assert/strict';
import { sameBytes } from '../../../src/domain/data/same-bytes.ts';

const LENGTHS = [0, 1, 3, 4, 5, 7, 8, 31, 32, 33];
const OFFSETS = [0, 1, 2, 3, 4, 5];

/** So many bytes that begin at this place of a larger buffer. */
function bytesAt(offset: number, length: number): Uint8Array {
  return new Uint8Array(64).subarray(offset, offset + length).map(() => 0);
}

describe('the comparison of bytes', () => {
  it('finds every byte that differs, wherever the bytes begin in their buffers', () => {
    for (const length of LENGTHS)
      for (const from of OFFSETS)
        for (const other of OFFSETS) {
          const [left, right] = [new Uint8Array(64), new Uint8Array(64)];
          const [here, there] = [
            left.subarray(from, from + length),
            right.subarray(other, other + length),
          ];
          for (let at = 0; at < length; at += 1) here[at] = there[at] = at * 7 + 1;
          assert.equal(sameBytes(here, there), true);
          for (let at = 0; at < length; at += 1) {
            there[at] = 0;
            assert.equal(sameBytes(here, there), false, `byte ${at} of ${length}`);
            there[at] = at * 7 + 1;
          }
          assert.equal(sameBytes(here, bytesAt(0, length + 1)), false);
        }
  });
});
