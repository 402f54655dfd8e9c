import type { Write } from '../../../src/core/ports/store/recorder.ts';
import type { Part } from '../../../src/domain/message.ts';
import type { Store } from '../../../src/store/store.ts';
import { call, message, run, session } from '../../contract/store/support.ts';
import { signed } from '../../support/replays.ts';

const answer: readonly Part[] = [
  { type: 'reasoning', text: 'thinking of sk-secret', replay: signed('c2ln') },
  { type: 'reasoning', text: 'plain', replay: signed('c2ln') },
  { type: 'text', text: 'the key is sk-secret' },
  { type: 'tool_call', id: 'child', name: 'agent', input: { prompt: 'use sk-secret', id: 's' } },
  { type: 'binary', mediaType: 'image/png', data: 'sk-secret' },
  { type: 'finish', reason: 'tool_use' },
];

/** A session `s` with a child, and one record of every kind; `sk-secret` stands in many of them. */
export async function fill(store: Store): Promise<void> {
  const writes: Write[] = [
    { kind: 'session', session: session('s', { summaryId: 'c1', costUnknown: true }) },
    { kind: 'session', session: session('child', { parentId: 's', type: 'task', title: 'Child' }) },
    { kind: 'run', run: run('r', 's', { state: 'completed', endedAt: 9 }) },
    { kind: 'message', message: message('s', 1, 'unmistakable \ud800\0', { origin: 'person' }) },
    {
      kind: 'message',
      message: message('s', 2, answer, { role: 'assistant', model: 'm', runId: 'r' }),
    },
    { kind: 'message', message: message('s', 3, 'sk-secret') },
    { kind: 'message', message: message('child', 1) },
    {
      kind: 'ledger',
      entry: call('r', 's', 'child', {
        state: 'done',
        completedAt: 2,
        result: { text: 'sk-secret' },
      }),
    },
    {
      kind: 'checkpoint',
      checkpoint: {
        runId: 'r',
        sessionId: 's',
        number: 4,
        kind: 'final',
        iteration: 2,
        messageCursor: 3,
        messageCount: 3,
        promptHash: 'sk-secret'.slice(3),
        finishedCallIds: ['child'],
        policyStates: { a: [1] },
        loop: { activeMs: 5 },
      },
    },
    {
      kind: 'compaction',
      compaction: {
        id: 'c1',
        sessionId: 's',
        throughSeq: 1,
        summary: 'about sk-secret',
        strategy: 'summarize',
        reason: 'x',
        tokensBefore: 2,
        tokensAfter: 1,
        undone: false,
        createdAt: 3,
      },
    },
    { kind: 'usage', usage: { ...spent, sessionId: 's', cost: 0.25 } },
    { kind: 'usage', usage: { ...spent, sessionId: 'child', cost: 0.5 } },
    {
      kind: 'queued',
      queued: {
        id: 'q',
        sessionId: 's',
        position: 1,
        text: 'sk-secret',
        attachments: [],
        mode: 'steer',
        createdAt: 4,
      },
    },
    { kind: 'value', sessionId: 's', key: 'journal', value: { objective: 'all of it' } },
    {
      kind: 'attachment',
      sessionId: 's',
      attachment: { id: 'a', name: 'n', mediaType: 't', size: 1, data: 'YQ==' },
    },
  ];
  await store.recorder.commit(writes);
  await store.blobs.putResult('s', 'o1', `${'long 😀 '.repeat(20_000)} sk-secret`);
  store.recorder.events([
    {
      type: 'message.added',
      category: 'Model',
      message: message('s', 3, 'sk-secret'),
      seq: 1,
      sessionId: 's',
      runId: 'r',
      at: 1,
    },
    {
      type: 'warning',
      category: 'Warning',
      message: 'one',
      seq: 2,
      sessionId: 's',
      runId: 'r',
      at: 2,
    },
  ]);
  await store.recorder.flush();
}

const spent = {
  runId: 'r',
  model: 'm',
  purpose: 'turn',
  usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
  at: 1,
} as const;

/** The lines of a session. */
export async function exported(store: Store, sessionId: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of store.transfer.exportSession(sessionId)) lines.push(line);
  return lines;
}
