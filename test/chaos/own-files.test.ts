import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DAMAGES } from '../support/damages.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

/** Every kind of work that writes files of Belay besides the database. */
const WORK = inOrder(
  calls(call('write_file', { path: 'a.txt', content: 'text' })),
  calls(call('run_command', { command: 'seq 1 200000' })),
  calls(call('manage_files', { operations: [{ kind: 'delete', path: 'a.txt' }] })),
  say('Done.'),
);

const ARGUMENTS = '--prompt work --set log.level=debug';

/** What the store keeps is damaged elsewhere, file by file. */
const OF_THE_STORE = /^(?:belay[.-](?!log)|backups)/u;

describe('files of the headless host beside the database are damaged', function () {
  this.timeout(180_000);
  let place: HeadlessPlace;
  let kept: string;
  let files: readonly string[];

  before(async () => {
    place = await HeadlessPlace.make(WORK);
    kept = path.join(place.folder, 'kept');
    assert.equal((await place.run(ARGUMENTS)).code, 0);
    fs.appendFileSync(path.join(place.data, 'belay.log'), 'a line\n'.repeat(200));
    fs.cpSync(place.data, kept, { recursive: true });
    files = fs
      .readdirSync(kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(kept, path.join(entry.parentPath, entry.name)))
      .filter((name) => !OF_THE_STORE.test(name));
    const rooms = new Set(files.map((name) => name.split(path.sep)[0]));
    assert.deepEqual(rooms, new Set(['belay.log', 'outputs', 'removed']));
  });
  after(async () => place[Symbol.asyncDispose]());
  beforeEach(() => {
    fs.rmSync(place.data, { recursive: true });
    fs.cpSync(kept, place.data, { recursive: true });
    // The second mark of the database knows that this is an earlier copy, which is not what is tested here.
    fs.rmSync(path.join(path.dirname(place.data), 'belay-marks'), { recursive: true, force: true });
    place.server.use(WORK);
  });

  for (const { name, harm, forOthers } of DAMAGES) {
    if (forOthers === true) continue;
    it(`${name}: the next run works as before`, async () => {
      for (const file of files) harm(path.join(place.data, file));
      for (const room of ['removed', 'unfinished', 'sandbox']) {
        fs.rmSync(path.join(place.data, room), { recursive: true, force: true });
        fs.writeFileSync(path.join(place.data, room), 'x'.repeat(2000));
        harm(path.join(place.data, room));
      }
      const { code, stdout, stderr } = await place.run(ARGUMENTS);
      assert.deepEqual([code, stdout, stderr], [0, 'Done.\n', '']);
    });
  }
});
