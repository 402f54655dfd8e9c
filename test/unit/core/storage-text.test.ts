import assert from 'node:assert/strict';
import type { LeftOut } from '../../../src/core/ports/files/workspace-snapshots.ts';
import {
  cleanedUpText,
  storageLines,
  storageTitle,
} from '../../../src/core/restore/storage/storage-text.ts';

const MB = 2 ** 20;
const LEFT_OUT: LeftOut = {
  largestFile: 10 * MB,
  mostFiles: 200_000,
  reasons: [
    { why: 'ignored', count: 2, named: ['node_modules/', 'dist/'] },
    { why: 'large', count: 7, named: ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'e.bin'] },
    { why: 'unreadable', count: 1, named: ['secret'] },
  ],
};

describe('what the person is told of checkpoints', () => {
  it('says how much is kept, since when, and everything that is left out', () => {
    const limits = { days: 30, bytes: 2048 * MB };
    const facts = {
      bytes: 12.34 * MB,
      requests: 3,
      calls: 5,
      oldest: 1,
      limits,
      leftOut: LEFT_OUT,
    };
    assert.equal(
      storageTitle(facts),
      'Checkpoints of this workspace take 12.3 MB of at most 2,048 MB.',
    );
    const lines = storageLines(facts, () => 'yesterday');
    assert.equal(
      lines[0],
      'Before requests: 3; of calls that changed files: 5; the oldest is of yesterday.',
    );
    assert.match(lines[1] ?? '', /30 days/u);
    assert.deepEqual(lines.slice(3), [
      'Not in checkpoints:',
      '2 × ignored by git: node_modules/, dist/',
      '7 × is larger than 10 MB: a.bin, b.bin, c.bin, d.bin, e.bin, …',
      '1 × cannot be read: secret',
    ]);
    assert.equal(
      storageLines({ ...facts, oldest: undefined, leftOut: undefined }, String)[0],
      'Nothing is kept yet.',
    );
    assert.match(
      storageTitle({ ...facts, limits: { days: 1, bytes: 0 } }),
      /switched off; 12\.3 MB/u,
    );
  });

  it('says what cleaning up gave back, or why not yet', () => {
    assert.match(
      cleanedUpText({ deleted: 1, left: MB }),
      /^1 checkpoint deleted\. 1 MB are stored/u,
    );
    assert.match(
      cleanedUpText({ deleted: 2, left: undefined }),
      /Another window.*when it is closed/u,
    );
  });
});
