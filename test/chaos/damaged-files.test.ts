import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { HeadlessPlace } from '../support/headless/place.ts';
import { readMarks, renewMark } from '../../src/store/database/write-mark.ts';
import { linesOf, nextTurn } from './careful-model.ts';
import type { Story } from './careful-model.ts';

const STORY: Story = {
  steps: 3,
  manner: 'checks',
  pace: 20,
  answer: { delayMs: 0, gapMs: 0 },
};

interface Damage {
  readonly name: string;
  /** What happens to the database's files; `file('-wal')` is its log. */
  readonly harm: (file: (end?: string) => string) => void;
  /**
   * `goes on`: the story ends as it should; `held`: nothing was run, and whoever accepts the loss goes on;
   * `lost`: held, too, and there is nothing to go on with; `refused`: exit code 1, and nothing was run.
   */
  readonly then: 'goes on' | 'held' | 'lost' | 'refused';
  /** What the person reads; `''`: nothing, because nothing was lost. */
  readonly told: RegExp | '';
}

const size = (file: string): number => fs.statSync(file).size;

function garbage(file: string, at: number, length: number): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, at);
  fs.closeSync(descriptor);
}

/** How far the database was written, beside it. */
const markIn = (data: string): string => path.join(data, 'belay.written');

const EARLIER = /^The database \S*belay\.db is an earlier copy\..*\n$/u;
const MARK = /^\S*belay\.written, which says how far.* is missing, unreadable or older.*\n$/u;

const DAMAGES: readonly Damage[] = [
  {
    name: 'the log is torn in the middle',
    harm: (file) => fs.truncateSync(file('-wal'), Math.floor(size(file('-wal')) * 0.7)),
    then: 'held',
    told: /^The end of the database’s journal is missing.*\n$/u,
  },
  {
    name: 'garbage in the middle of the log',
    harm: (file) => garbage(file('-wal'), Math.floor(size(file('-wal')) * 0.7), 5000),
    then: 'held',
    told: /^The end of the database’s journal is missing.*\n$/u,
  },
  {
    name: 'the log is cut to nothing',
    harm: (file) => fs.truncateSync(file('-wal'), 0),
    then: 'lost',
    told: /^The end of the database’s journal is missing.*\n$/u,
  },
  {
    name: 'the log is gone',
    harm: (file) => fs.rmSync(file('-wal')),
    then: 'lost',
    told: /^The end of the database’s journal is missing.*\n$/u,
  },
  {
    name: 'the beginning of the log is garbage',
    harm: (file) => garbage(file('-wal'), 0, 32),
    then: 'lost',
    told: /^The journal of the database was damaged.*\n$/u,
  },
  {
    name: 'the log, the shared memory and the mark are gone',
    harm: (file) => {
      for (const end of ['-wal', '-shm']) fs.rmSync(file(end));
      fs.rmSync(markIn(path.dirname(file())));
    },
    then: 'lost',
    told: EARLIER,
  },
  {
    name: 'the mark is gone',
    harm: (file) => fs.rmSync(markIn(path.dirname(file()))),
    then: 'held',
    told: MARK,
  },
  {
    name: 'the mark is garbage',
    harm: (file) => garbage(markIn(path.dirname(file())), 0, size(markIn(path.dirname(file())))),
    then: 'held',
    told: MARK,
  },
  {
    name: 'the mark is an earlier copy',
    harm: (file) => {
      const mark = markIn(path.dirname(file()));
      const [written] = readMarks({ mark }).toSorted((one, other) => other.count - one.count);
      assert.ok(written !== undefined && written.count > 10);
      renewMark({ mark }, 1, { ...written, count: written.count - 5 });
    },
    then: 'held',
    told: MARK,
  },
  {
    name: 'the whole folder is an earlier copy',
    harm: (file) => {
      const data = path.dirname(file());
      fs.rmSync(data, { recursive: true });
      fs.cpSync(`${data}-earlier`, data, { recursive: true });
    },
    then: 'held',
    told: EARLIER,
  },
  {
    name: 'the shared memory is garbage',
    harm: (file) => garbage(file('-shm'), 0, size(file('-shm'))),
    then: 'goes on',
    told: '',
  },
  {
    name: 'the header is garbage',
    harm: (file) => garbage(file(), 0, 100),
    then: 'goes on',
    told: /^The database was damaged and has been rescued: 1 sessions with \d+ messages are kept.*\n$/u,
  },
  {
    name: 'a page is garbage',
    harm: (file) => garbage(file(), 5 * 4096, 4096),
    then: 'goes on',
    told: /^(?:The database was damaged and has been rescued.*\n)?$/u,
  },
  {
    name: 'the database is cut to nothing',
    harm: (file) => fs.truncateSync(file(), 0),
    then: 'lost',
    told: /^The database was damaged and has been rescued: 0 sessions.*\n$/u,
  },
  {
    name: 'a folder stands in its place',
    harm: (file) => {
      fs.rmSync(file());
      fs.mkdirSync(file());
    },
    then: 'refused',
    told: /^Where the database .*belay\.db should be, there is a folder\..*\n$/u,
  },
];

/** What a test changes; with the marks of databases, which tell that a data folder was put back. */
const FOLDERS = ['data', 'workspace', 'belay-marks'];

/** What `--resume` says while nobody has accepted a loss. */
const HELD =
  'A part of what Belay recorded is lost, so it is not known what was done last, and nothing was started. See what was done already; then add --accept-loss to go on from what is known, or leave --resume out to start anew.\n';

describe('a killed run whose database is damaged before it is resumed', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  /** How things were at the kill. */
  let kept: string;

  before(async () => {
    place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    kept = path.join(place.folder, 'kept');
    const first = await place.start('--prompt story --json');
    await first.prints(/"tool\.finished"/u);
    first.kill();
    await first.ended;
    fs.cpSync(place.data, `${place.data}-earlier`, { recursive: true });
    const host = await place.start('--resume --prompt story --json');
    // In the middle of the second step.
    await host.prints(/("tool\.finished"[^]*){2}/u);
    host.kill();
    await host.ended;
    for (const name of FOLDERS)
      fs.cpSync(path.join(place.folder, name), path.join(kept, name), { recursive: true });
  });
  after(async () => place[Symbol.asyncDispose]());
  beforeEach(() => {
    for (const name of FOLDERS) {
      fs.rmSync(path.join(place.folder, name), { recursive: true, force: true });
      fs.cpSync(path.join(kept, name), path.join(place.folder, name), { recursive: true });
    }
  });

  for (const { name, harm, then, told } of DAMAGES) {
    it(`durability 5: ${name}: ${then}, and says what it must`, async () => {
      harm((end = '') => path.join(place.data, `belay.db${end}`));
      const before = (await place.lines()).length;
      const { code, stdout, stderr } = await place.run('--resume --prompt story');
      if (told === '') assert.equal(stderr, '');
      else assert.match(stderr.replace(HELD, ''), told);
      const lines = await place.lines();
      assert.deepEqual(lines, [...new Set(lines)], 'a side effect was repeated');
      if (then === 'goes on') {
        assert.deepEqual([code, stdout], [0, 'All steps are done.\n'], stderr);
        assert.deepEqual(lines, linesOf(STORY));
        return;
      }
      assert.deepEqual([code, stdout, lines.length], [then === 'refused' ? 1 : 3, '', before]);
      if (then === 'refused') return;
      // Asking again does not make it better known.
      const again = await place.run('--resume --prompt story');
      assert.deepEqual([again.code, again.stderr], [3, HELD], 'held until somebody has looked');
      assert.equal((await place.lines()).length, before);
      if (then === 'lost') return;
      const accepted = await place.run('--resume --accept-loss --prompt story');
      assert.deepEqual([accepted.code, accepted.stdout], [0, 'All steps are done.\n']);
      assert.deepEqual(await place.lines(), linesOf(STORY));
    });
  }

  for (const command of ['sessions', 'export --to -', 'patch --to -'])
    it(`durability 5: \`${command}\` tells what is lost, too, when it is the first that opens the database`, async () => {
      fs.truncateSync(path.join(place.data, 'belay.db'), 0);
      const at = command === 'sessions' ? {} : { workspace: place.workspace };
      const { stderr } = await place.command(command, { ...at, data: place.data });
      assert.match(stderr, /^The database was damaged and has been rescued: 0 sessions.*\n/u);
    });

  it('durability 5: what was refused is not refused for ever: without --resume something new begins', async () => {
    fs.truncateSync(path.join(place.data, 'belay.db'), 0);
    assert.equal((await place.run('--resume --prompt story')).code, 3);
    const anew = await place.run('--prompt other');
    assert.deepEqual([anew.code, anew.stderr], [0, '']);
  });
});

describe('a killed run whose database may only be read', function () {
  this.timeout(60_000);

  it('durability 5: exit code 1 and a sentence; when it can be written again, the run goes on', async function () {
    // The owner of everything may write whatever the mode says, so another user is needed.
    if (process.getuid?.() !== 0) this.skip();
    const nobody = 65_534;
    await using place = await HeadlessPlace.make((request) => nextTurn(request, STORY));
    fs.mkdirSync(place.data);
    for (const name of [place.folder, place.workspace, place.data])
      fs.chownSync(name, nobody, nobody);
    const host = await place.start('--prompt story --json', { user: nobody });
    await host.prints(/("tool\.finished"[^]*){3}/u);
    host.kill();
    await host.ended;
    const files = fs.readdirSync(place.data).map((name) => path.join(place.data, name));
    for (const file of files) fs.chmodSync(file, 0o444);
    fs.chmodSync(place.data, 0o555);
    const refused = await place.run('--resume --prompt story', { user: nobody });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The database .* (?:is read-only|cannot be opened).*\n$/u);
    fs.chmodSync(place.data, 0o755);
    for (const file of files) fs.chmodSync(file, 0o644);
    const resumed = await place.run('--resume --prompt story', { user: nobody });
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.deepEqual(await place.lines(), linesOf(STORY));
  });
});
