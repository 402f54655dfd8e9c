import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import * as esbuild from 'esbuild';
import type { Write } from '../../src/core/ports/store/recorder.ts';
import type { Store } from '../../src/store/store.ts';
import {
  call,
  message,
  open,
  run as runOf,
  session,
  temporaryFolder,
} from '../contract/store/support.ts';
import { root } from '../rig/processes.ts';

type Row = Readonly<Record<string, string | number>>;

/** Medians of the store's costs, with its worker bundled as it is shipped. Milliseconds. */
export async function run(): Promise<readonly Row[]> {
  const folder = temporaryFolder();
  try {
    const worker = await bundle(folder.path);
    return [
      ...(await floor(folder.path)),
      ...(await openings(path.join(folder.path, 'small'), worker)),
      ...(await turns(path.join(folder.path, 'turns'), worker)),
      ...(await manySessions(path.join(folder.path, 'many'), worker)),
      ...(await bigSession(path.join(folder.path, 'big'), worker)),
    ];
  } finally {
    folder.remove();
  }
}

async function bundle(folder: string): Promise<string> {
  const outfile = path.join(folder, 'store-worker.cjs');
  await esbuild.build({
    entryPoints: [path.join(root, 'src/store/worker.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    logLevel: 'error',
  });
  return outfile;
}

/** What the machine takes for the two things the store cannot do without. */
async function floor(folder: string): Promise<Row[]> {
  const threads: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    const started = performance.now();
    const thread = new Worker('require("node:worker_threads").parentPort.postMessage(1)', {
      eval: true,
    });
    await once(thread, 'message');
    threads.push(performance.now() - started);
    await thread.terminate();
  }
  const database = new DatabaseSync(path.join(folder, 'floor.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  const commits: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    const started = performance.now();
    insert.run(round);
    commits.push(performance.now() - started);
  }
  database.close();
  return [
    row('floor: a thread that says hello', threads),
    row('floor: one commit of SQLite', commits),
  ];
}

async function openings(folder: string, worker: string): Promise<Row[]> {
  await (await open(folder, { worker })).close();
  const first: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    let store: Store | undefined;
    first.push(
      await timed(async () => {
        store = await open(folder, { worker });
      }),
    );
    await store?.close();
  }
  return [row('open an existing store', first, 60)];
}

/** A turn: the answer with its checkpoint, then the result with its ledger row, checkpoint and usage. */
async function turns(folder: string, worker: string): Promise<Row[]> {
  const store = await open(folder, { worker });
  await store.recorder.commit([
    { kind: 'session', session: session('s') },
    { kind: 'run', run: runOf('r', 's') },
  ]);
  const early: number[] = [];
  const late: number[] = [];
  for (let turn = 1; turn <= 400; turn += 1) {
    const spent = await timed(async () => {
      await store.recorder.commit(answerOf(turn));
      await store.recorder.commit(resultOf(turn));
    });
    (turn <= 200 ? early : late).push(spent);
  }
  const burst = await timed(() =>
    Promise.all(Array.from({ length: 100 }, (_, index) => store.values.set(`k${index}`, index))),
  );
  await store.close();
  return [
    row('turn (2 commits), turns 1 to 200', early, 5),
    row('turn (2 commits), turns 201 to 400', late, 5),
    row('100 writes at once', [burst]),
  ];
}

function answerOf(turn: number): Write[] {
  const seq = turn * 2 - 1;
  return [
    {
      kind: 'message',
      message: message('s', seq, 'I will read the next file. '.repeat(10), { role: 'assistant' }),
    },
    { kind: 'checkpoint', checkpoint: checkpointOf(turn, seq, 'llm_response') },
    { kind: 'ledger', entry: call('r', 's', `c${turn}`) },
    {
      kind: 'usage',
      usage: {
        sessionId: 's',
        runId: 'r',
        model: 'm',
        purpose: 'turn',
        usage: { inputTokens: 9, outputTokens: 9, cacheReadTokens: 9, cacheWriteTokens: 9 },
        cost: 0.01,
        at: 1,
      },
    },
  ];
}

function resultOf(turn: number): Write[] {
  const text = 'a line of the file that was read\n'.repeat(60);
  return [
    {
      kind: 'ledger',
      entry: call('r', 's', `c${turn}`, { state: 'done', completedAt: 1, result: { text } }),
    },
    { kind: 'message', message: message('s', turn * 2, text, { role: 'tool' }) },
    { kind: 'checkpoint', checkpoint: checkpointOf(turn, turn * 2, 'tool_result') },
  ];
}

function checkpointOf(turn: number, seq: number, kind: 'llm_response' | 'tool_result') {
  return {
    runId: 'r',
    sessionId: 's',
    number: seq,
    kind,
    iteration: turn,
    messageCursor: seq,
    messageCount: seq,
    promptHash: 'h',
    finishedCallIds: Array.from({ length: turn }, (_, index) => `c${index}`),
    policyStates: {},
    loop: { activeMs: 1 },
  };
}

async function manySessions(folder: string, worker: string): Promise<Row[]> {
  const store = await open(folder, { worker });
  await store.recorder.commit(
    Array.from({ length: 1000 }, (_, index) => ({
      kind: 'session' as const,
      session: session(`s${index}`),
    })),
  );
  const times: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    times.push(await timed(() => store.transcripts.sessions()));
  }
  await store.close();
  return [row('list 1,000 sessions', times, 50)];
}

/** 10,000 messages: 200 MB in the transcript, another 300 MB as big results beside it. */
async function bigSession(folder: string, worker: string): Promise<Row[]> {
  const store = await open(folder, { worker });
  await store.recorder.commit([{ kind: 'session', session: session('s') }]);
  const text = 'x '.repeat(20_000);
  for (let seq = 1; seq <= 10_000; seq += 100) {
    await store.recorder.commit(
      Array.from({ length: 100 }, (_, index) => ({
        kind: 'message' as const,
        message:
          index % 2 === 0
            ? message('s', seq + index, 'What is in the next file?')
            : message('s', seq + index, [toolResult(seq + index, text)], { role: 'tool' }),
      })),
    );
  }
  for (let result = 0; result < 300; result += 1) {
    await store.blobs.putResult('s', `o${result}`, 'y'.repeat(1_000_000));
  }
  await store.close();
  const size = fs.statSync(path.join(folder, 'belay.db')).size;
  const cold: number[] = [];
  const page: number[] = [];
  const result: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    forget(path.join(folder, 'belay.db'));
    let again: Store | undefined;
    cold.push(
      await timed(async () => {
        again = await open(folder, { worker });
        await again.transcripts.session('s');
        await again.transcripts.messages({ sessionId: 's', limit: 50 });
      }),
    );
    const opened = again;
    if (opened === undefined) continue;
    page.push(
      await timed(() =>
        opened.transcripts.messages({ sessionId: 's', beforeSeq: 5000, limit: 50 }),
      ),
    );
    result.push(await timed(() => opened.blobs.result('s', 'o150', 500_000, 40_000)));
    await opened.close();
  }
  return [
    { ...row('open 10,000 messages, last 50 of them', cold, 1000), MB: Math.round(size / 1e6) },
    row('a page of 50 in its middle', page),
    row('40,000 characters of a big result', result),
  ];
}

const toolResult = (seq: number, text: string) =>
  ({
    type: 'tool_result',
    callId: `c${seq}`,
    name: 'read_file',
    state: 'done',
    content: [{ type: 'text', text }],
  }) as const;

/** Drops the file from the system's cache, where that is possible. */
function forget(file: string): void {
  spawnSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], {
    stdio: 'ignore',
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function row(what: string, times: readonly number[], target?: number): Row {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  return {
    what,
    median: rounded(at(0.5)),
    'p 95': rounded(at(0.95)),
    ...(target === undefined ? {} : { target: `< ${target}` }),
  };
}
