import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Store } from '../../../src/store/store.ts';
import { open, temporaryFolder } from '../../contract/store/support.ts';
import { createRandom, runs, SEED } from '../../support/seed.ts';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));
const KILLS = runs(15);

/** A writer and what it was promised. */
class Writer {
  readonly id: string;
  readonly kept: { readonly seq: number; readonly messageId: string }[] = [];
  readonly epochs: number[] = [];
  problems = 0;
  #child: ChildProcess | undefined;
  #gone: Promise<unknown> = Promise.resolve();
  #writes = Promise.withResolvers<void>();
  #rest = '';

  constructor(id: string) {
    this.id = id;
  }

  start(folder: string): void {
    const child = spawn(process.execPath, [WRITER, folder, this.id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#gone = once(child, 'close');
    this.#rest = '';
    this.#writes = Promise.withResolvers();
    child.stdout.on('data', (chunk: Buffer) => this.#hear(chunk.toString()));
  }

  /** Resolves when this life of it has had something promised, or has ended. */
  async busy(): Promise<void> {
    await Promise.race([this.#writes.promise, this.#gone]);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child?.kill(signal);
    await this.#gone;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [word, first = '', second = ''] = line.split(' ');
      if (word === 'kept') {
        this.kept.push({ seq: Number(first), messageId: second });
        this.#writes.resolve();
      }
      if (word === 'opened') {
        this.epochs.push(Number(first));
        this.problems += Number(second);
      }
    }
  }
}

describe('chaos: the store is killed', () => {
  it(`SIGKILL of two processes on one database, ${KILLS} times: nothing promised is lost`, async function () {
    this.timeout(0);
    const random = createRandom();
    const folder = temporaryFolder();
    const writers = [new Writer('a'), new Writer('b')];
    try {
      for (const writer of writers) writer.start(folder.path);
      for (let kill = 0; kill < KILLS; kill += 1) {
        // One of the two, sometimes both at once; mostly at work, sometimes while it starts.
        const victims = random() * 4 < 1 ? writers : [writers[Math.floor(random() * 2)]!];
        if (random() * 4 > 1) await Promise.all(victims.map((writer) => writer.busy()));
        await new Promise((resolve) => setTimeout(resolve, random() * 300));
        // Some close properly while the other one works on.
        const signal = random() * 4 < 1 ? 'SIGTERM' : 'SIGKILL';
        await Promise.all(victims.map((writer) => writer.kill(signal)));
        for (const writer of victims) writer.start(folder.path);
      }
      await Promise.all(writers.map((writer) => writer.busy()));
      await Promise.all(writers.map((writer) => writer.kill()));
      await verify(folder.path, writers);
      const promised = writers.reduce((sum, writer) => sum + writer.kept.length, 0);
      console.log(`      seed ${SEED}: ${KILLS} kills, ${promised} commits promised, 0 lost`);
    } finally {
      await Promise.all(writers.map((writer) => writer.kill()));
      folder.remove();
    }
  });
});

async function verify(folder: string, writers: readonly Writer[]): Promise<void> {
  const store = await open(folder);
  try {
    await compare(store, writers);
  } finally {
    await store.close();
  }
}

async function compare(store: Store, writers: readonly Writer[]): Promise<void> {
  assert.deepEqual(store.problems, [], 'a kill is no damage');
  const epochs = writers.flatMap((writer) => writer.epochs);
  assert.equal(new Set(epochs).size, epochs.length, 'an epoch came twice');
  for (const writer of writers) {
    assert.equal(writer.problems, 0);
    assert.ok(writer.kept.length > 0, `${writer.id} wrote nothing`);
    const messages = await store.transcripts.messages({ sessionId: writer.id });
    const record = await store.transcripts.session(writer.id);
    // Everything promised is there, under the id it was promised.
    for (const { seq, messageId } of writer.kept) {
      assert.equal(messages[seq - 1]?.id, messageId, `message ${seq} of ${writer.id}`);
    }
    assert.equal(new Set(messages.map((one) => one.id)).size, messages.length);
    // Whole batches, and counts that agree.
    const calls = await store.runs.ledger({ sessionId: writer.id });
    const usage = await store.usage.records(writer.id);
    const counts = [
      messages.length,
      calls.length,
      usage.length,
      record?.messageCount,
      record?.cost,
    ];
    assert.deepEqual(
      counts,
      counts.map(() => messages.length),
    );
    for (const one of messages) {
      const [part] = one.parts;
      assert.ok(part?.type === 'text');
      assert.ok(part.text.startsWith(`${one.seq} `) && part.text.endsWith(`${one.seq} `));
    }
  }
}
