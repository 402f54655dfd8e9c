import assert from 'node:assert/strict';
import { lostFrames } from '../../../src/store/database/log-loss.ts';
import type { LogIndex } from '../../../src/store/database/log-loss.ts';

const index = (more: Partial<LogIndex> = {}): LogIndex => ({
  frames: 10,
  inDatabase: 4,
  salt: [0xffff_ffff, 77],
  ...more,
});

describe('store: what is missing of the log', () => {
  it('a log as long as it was, or longer, has lost nothing', () => {
    assert.equal(lostFrames(index(), index()), false);
    assert.equal(lostFrames(index(), index({ frames: 12 })), false);
  });

  it('a shorter log has lost what was not yet in the database', () => {
    assert.equal(lostFrames(index(), index({ frames: 9 })), true);
    assert.equal(lostFrames(index({ inDatabase: 10 }), index({ frames: 0 })), false);
  });

  it('another log than it was has lost it too, unless a living process began it anew', () => {
    assert.equal(lostFrames(index(), index({ frames: 0, salt: [0, 0] })), false, 'grown by one');
    assert.equal(lostFrames(index(), index({ frames: 0, salt: [12_345, 9] })), true);
    const reset = index({ salt: [7, 1] });
    assert.equal(lostFrames(reset, index({ frames: 0, salt: [8, 2] })), false);
    assert.equal(lostFrames(reset, index({ frames: 0, salt: [0, 0] })), true);
  });

  it('without an index nothing can be said', () => {
    assert.equal(lostFrames(undefined, index()), false);
    assert.equal(lostFrames(index(), undefined), false);
  });
});
