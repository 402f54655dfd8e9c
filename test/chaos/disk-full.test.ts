import assert from 'node:assert/strict';
import { HeadlessPlace } from '../support/headless/place.ts';
import { linesOf, nextTurn } from './careful-model.ts';
import type { Story } from './careful-model.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { historiesOf } from './kill-and-resume.ts';

const STORY: Story = {
  steps: 4,
  manner: 'checks',
  pace: 20,
  answer: { delayMs: 0, gapMs: 0 },
};

const FULL = /The disk with .* is full, so the last step could not be recorded\./u;

describe('a headless run on a disk that fills up', function () {
  this.timeout(60_000);
  before(function () {
    if (!SmallDisk.mayBeMade()) this.skip();
  });

  it('durability 8: says so, loses nothing, and goes on by itself when there is room', async () => {
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    using disk = new SmallDisk(place.data, 4);
    const host = await place.start('--prompt story');
    await untilLine(place, 'step-0-b');
    disk.fill();
    await host.prints(FULL);
    const stopped = (await place.lines()).length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const waited = (await place.lines()).length;
    assert.ok(waited <= stopped + 1, 'nothing goes on that cannot be recorded');
    assert.equal(host.child.exitCode, null, 'it waits');
    disk.makeRoom();
    const { code, stdout, stderr } = await host.ended;
    assert.deepEqual([code, stdout], [0, 'All steps are done.\n'], stderr);
    assert.deepEqual(await place.lines(), linesOf(STORY));
    const { changes } = historiesOf(place.server.requests);
    assert.deepEqual(changes, []);
  });

  it('durability 8: killed while the disk is full, it is resumed when there is room; nothing is repeated', async () => {
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    using disk = new SmallDisk(place.data, 4);
    const host = await place.start('--prompt story');
    await untilLine(place, 'step-1-a');
    disk.fill();
    await host.prints(FULL);
    host.kill();
    await host.ended;
    const refused = await place.run('--resume --prompt story');
    assert.equal(refused.code, 1, 'it cannot even begin');
    assert.match(refused.stderr, /full/u);
    disk.makeRoom();
    const { code, stderr } = await place.run('--resume --prompt story');
    assert.equal(code, 0, stderr);
    assert.deepEqual(await place.lines(), linesOf(STORY));
    assert.deepEqual(historiesOf(place.server.requests).changes, []);
  });

  it('durability 8: a disk of 1 MB that is full from the start: a sentence and exit code 1', async () => {
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    using disk = new SmallDisk(place.data, 1);
    disk.fill();
    const { code, stderr } = await place.run('--prompt story');
    assert.equal(code, 1);
    assert.match(stderr, /full/u);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.deepEqual(await place.lines(), []);
  });
});

async function untilLine(place: HeadlessPlace, line: string): Promise<void> {
  while (!(await place.lines()).includes(line))
    await new Promise((resolve) => setTimeout(resolve, 5));
}
