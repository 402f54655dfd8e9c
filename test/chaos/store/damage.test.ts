import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { BelayError } from '../../../src/domain/failure.ts';
import {
  call,
  message,
  open,
  run,
  session,
  temporaryFolder,
} from '../../contract/store/support.ts';
import { createRandom, runs } from '../../support/seed.ts';

const ROUNDS = runs(12);

type Random = ReturnType<typeof createRandom>;

/** What can happen to files: a name for the report, and the deed. */
const DAMAGES: readonly {
  readonly name: string;
  readonly files: RegExp;
  readonly harm: (file: string, random: Random) => void;
}[] = [
  {
    name: 'a page of garbage',
    files: /\.db$/,
    harm: (file, random) => {
      const pages = Math.floor(fs.statSync(file).size / 4096);
      write(file, Math.floor(random() * pages) * 4096, garbage(4096, random));
    },
  },
  {
    name: 'some bytes changed',
    files: /\.db$/,
    harm: (file, random) => {
      for (let times = 0; times < 5; times += 1) {
        write(file, Math.floor(random() * fs.statSync(file).size), garbage(16, random));
      }
    },
  },
  {
    name: 'cut off',
    files: /\.db$/,
    harm: (file, random) => fs.truncateSync(file, Math.floor(random() * fs.statSync(file).size)),
  },
  {
    name: 'zeros in the middle',
    files: /\.db$/,
    harm: (file, random) => {
      write(file, Math.floor(random() * fs.statSync(file).size), Buffer.alloc(20_000));
    },
  },
  {
    name: 'a page written to the wrong place',
    files: /\.db$/,
    harm: (file, random) => {
      const content = fs.readFileSync(file);
      const pages = Math.floor(content.length / 4096);
      const from = Math.floor(random() * pages) * 4096;
      write(file, Math.floor(random() * pages) * 4096, content.subarray(from, from + 4096));
    },
  },
  {
    name: 'the log cut off',
    files: /-wal$/,
    harm: (file, random) => fs.truncateSync(file, Math.floor(random() * fs.statSync(file).size)),
  },
  {
    name: 'garbage in the log',
    files: /-wal$/,
    harm: (file, random) =>
      write(file, Math.floor(random() * fs.statSync(file).size), garbage(600, random)),
  },
  {
    name: 'garbage in the shared memory',
    files: /-shm$/,
    harm: (file, random) => write(file, 0, garbage(fs.statSync(file).size, random)),
  },
];

describe('chaos: files of the store are damaged', () => {
  it(`${ROUNDS} kinds of damage drawn at random: readable, told, and usable each time`, async function () {
    this.timeout(0);
    const random = createRandom();
    const source = temporaryFolder();
    const tally = new Map<string, number>();
    try {
      await fill(source.path);
      for (let round = 0; round < ROUNDS; round += 1) {
        const damage = DAMAGES[Math.floor(random() * DAMAGES.length)]!;
        const outcome = await suffer(source.path, damage, random);
        const line = `${damage.name}: ${outcome}`;
        tally.set(line, (tally.get(line) ?? 0) + 1);
      }
    } finally {
      source.remove();
    }
    for (const [line, times] of [...tally].toSorted(([left], [right]) => left.localeCompare(right)))
      console.log(`      ${times} × ${line}`);
  });
});

/** Damages a copy and lives with it: open, read everything, write, open again. */
async function suffer(
  source: string,
  damage: (typeof DAMAGES)[number],
  random: Random,
): Promise<string> {
  const folder = temporaryFolder();
  try {
    fs.cpSync(source, folder.path, { recursive: true });
    const file = fs
      .readdirSync(folder.path)
      .find((name) => damage.files.test(name) && name !== 'belay-lock.db');
    if (file === undefined) return 'no such file';
    damage.harm(path.join(folder.path, file), random);
    const store = await open(folder.path).catch((error: unknown) => error);
    if (store instanceof BelayError) {
      // A database that claims to be of another program or version is not ours to repair.
      assert.equal(store.code, 'store');
      return `refused (${store.failure.details?.['reason'] as string})`;
    }
    if (store instanceof Error) throw store;
    const opened = store as Awaited<ReturnType<typeof open>>;
    let messages = 0;
    for (const one of await opened.transcripts.sessions()) {
      const found = await opened.transcripts.messages({ sessionId: one.id });
      assert.deepEqual(
        found.map((each) => each.seq),
        found.map((_, index) => index + 1),
      );
      messages += found.length;
      await opened.runs.ledger({ sessionId: one.id });
      await opened.transcripts.events(one.id);
      await opened.runs.runs({ sessionId: one.id });
      const id = opened.ids.next('message');
      await opened.recorder.commit([
        { kind: 'message', message: { ...message(one.id, found.length + 1), id } },
      ]);
    }
    await opened.transcripts.search('lorem', 5);
    const outcome = opened.problems.map((problem) => problem.kind).join(', ') || 'nothing noticed';
    await opened.close();
    const again = await open(folder.path);
    let after = 0;
    const sessions = await again.transcripts.sessions();
    for (const one of sessions) after += one.messageCount;
    assert.ok(after >= messages + sessions.length, `${after} messages after ${messages}`);
    assert.deepEqual(again.problems, [], 'repaired for good');
    await again.close();
    return outcome;
  } finally {
    folder.remove();
  }
}

/** The files as a kill leaves them: database, log and shared memory. */
async function fill(folder: string): Promise<void> {
  const live = temporaryFolder();
  const store = await open(live.path);
  for (const id of ['a', 'b', 'c']) {
    await store.recorder.commit([
      { kind: 'session', session: session(id) },
      { kind: 'run', run: run(`r-${id}`, id, { state: 'completed' }) },
    ]);
    for (let seq = 1; seq <= 60; seq += 1) {
      await store.recorder.commit([
        { kind: 'message', message: message(id, seq, 'lorem ipsum '.repeat(seq * 5)) },
        {
          kind: 'ledger',
          entry: call(`r-${id}`, id, `c${seq}`, { state: 'done', result: 'x'.repeat(seq * 30) }),
        },
      ]);
      store.recorder.events([
        {
          type: 'warning',
          category: 'Warning',
          message: 'w',
          seq,
          sessionId: id,
          runId: 'r',
          at: 1,
        },
      ]);
    }
  }
  await store.recorder.flush();
  fs.cpSync(live.path, folder, { recursive: true });
  await store.close();
  live.remove();
}

function garbage(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

function write(file: string, at: number, bytes: Buffer): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, bytes, 0, bytes.length, at);
  fs.closeSync(descriptor);
}
