import assert from 'node:assert/strict';
import { ReadStretches } from '../../../webview/views/scrolling/read-stretches.ts';

describe('what of a question has been on the screen', () => {
  const height = 300;

  it('is whole only when every stretch of it was there', () => {
    const read = new ReadStretches();
    assert.equal(read.whole, false);
    read.add({ top: 200, bottom: 300, height });
    assert.deepEqual([read.whole, read.next], [false, 0]);
    read.add({ top: 0, bottom: 100, height });
    assert.deepEqual([read.whole, read.next], [false, 1 / 3]);
    read.add(undefined);
    read.add({ top: 99, bottom: 201, height });
    assert.deepEqual([read.whole, read.next], [true, 1]);
  });

  it('begins again when the text is laid out anew', () => {
    const read = new ReadStretches();
    read.add({ top: 0, bottom: 200, height });
    read.add({ top: 200, bottom: 400, height: 400 });
    assert.deepEqual([read.whole, read.next], [false, 0]);
  });
});
