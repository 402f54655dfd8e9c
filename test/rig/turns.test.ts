import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './processes.ts';
import { chooseTurn, left, LONG, ofTurn, TURNS } from './turns.ts';

describe('long test files take turns', () => {
  it('each of them is there, once, and in one turn', () => {
    const files = LONG;
    assert.equal(new Set(files).size, files.length);
    for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
    const turns = Array.from({ length: TURNS }, (_, at) => at + 1);
    assert.deepEqual(turns.flatMap((turn) => ofTurn(files, turn)).toSorted(), files.toSorted());
    for (const turn of turns) assert.equal(ofTurn(files, turn).length + left(turn), files.length);
  });

  it('other files are in every turn, and all are in `all`', () => {
    assert.deepEqual(ofTurn(['test/unit/a.test.ts'], 2), ['test/unit/a.test.ts']);
    assert.deepEqual(ofTurn(LONG, 'all'), LONG);
    assert.equal(left('all'), 0);
  });

  it('the turn can be chosen; what is none is refused', () => {
    assert.equal(chooseTurn('2'), 2);
    assert.equal(chooseTurn('all'), 'all');
    assert.throws(() => chooseTurn('7'), /not 1 to 6 or all/u);
  });

  it('a commit always has the same turn, the next one has the next, and without git it is the first', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-turns-'));
    try {
      assert.equal(chooseTurn('', folder), 1);
      execFileSync('git', ['init', '-q'], { cwd: folder });
      const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
      const turns = Array.from({ length: TURNS + 1 }, (_, at) => {
        execFileSync('git', [...who, 'commit', '-qm', `${at}`, '--allow-empty'], { cwd: folder });
        assert.equal(chooseTurn('', folder), chooseTurn('', folder));
        return chooseTurn('', folder);
      });
      assert.deepEqual(turns, [2, 3, 4, 5, 6, 1, 2]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
