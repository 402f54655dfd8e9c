import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { HeadlessPlace } from '../support/headless/place.ts';
import { linesOf, nextTurn } from './careful-model.ts';
import type { Story } from './careful-model.ts';

const STORY: Story = {
  steps: 4,
  manner: 'trusts',
  pace: 150,
  answer: { delayMs: 0, gapMs: 0 },
};

/** Deletes a folder that somebody writes to. */
function remove(folder: string): void {
  while (fs.existsSync(folder)) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
    } catch {
      // something new is in it
    }
  }
}

/** Ways in which a database can be taken from a process that works with it. */
const WAYS: readonly { readonly name: string; readonly take: (data: string) => void }[] = [
  { name: 'the folder is deleted', take: remove },
  { name: 'the folder is moved away', take: (data) => fs.renameSync(data, `${data}-moved`) },
  { name: 'the database is deleted', take: (data) => fs.rmSync(path.join(data, 'belay.db')) },
  {
    name: 'the database is replaced by a copy',
    take: (data) => {
      const file = path.join(data, 'belay.db');
      fs.copyFileSync(file, `${file}.copy`);
      fs.renameSync(`${file}.copy`, file);
    },
  },
  {
    name: 'the log is deleted',
    take: (data) => {
      for (const end of ['-wal', '-shm']) fs.rmSync(path.join(data, `belay.db${end}`));
    },
  },
];

describe('a data folder that goes while a run is on', function () {
  this.timeout(60_000);

  for (const { name, take } of WAYS) {
    it(`${name}: the run stops before its next side effect and says so; nothing is done twice`, async () => {
      await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
      const host = await place.start('--prompt story --json');
      await host.prints(/("tool\.finished"[^]*){2}/u);
      take(place.data);
      const { code, stderr } = await host.ended;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /belay\.db\S* was deleted or replaced while Belay worked/u);
      const done = await place.lines();
      // The call that ran at that moment may have ended; no other one has begun.
      assert.ok(done.length <= 4, `${done.length} side effects: ${stderr}`);
      const resumed = await place.run('--resume --prompt story');
      const after = await place.lines();
      assert.deepEqual(after, [...new Set(after)], 'a side effect was repeated');
      if (resumed.code === 0) assert.deepEqual(after, linesOf(STORY));
      else assert.deepEqual([resumed.code, after], [3, done], resumed.stderr);
    });
  }

  it('also of a process that does nothing but wait for a long command', async () => {
    const slow: Story = { ...STORY, steps: 2, pace: 1500 };
    await using place = await HeadlessPlace.make((request) => nextTurn(request, slow));
    const host = await place.start('--prompt story --json');
    await host.prints(/"tool\.started"/u);
    remove(place.data);
    const { code, stderr } = await host.ended;
    assert.equal(code, 1);
    assert.match(stderr, /was deleted or replaced while Belay worked/u);
    assert.ok((await place.lines()).length <= 1, 'the second command has not begun');
  });
});
