import { writeSync } from 'node:fs';
import { call, message, open, run, session } from '../../contract/store/support.ts';

/**
 * A process that writes until it is killed, or closes the store when it is asked to end. Each step is one batch of a message, a ledger row and
 * a usage record; only when the store has promised it, its number is printed.
 *
 * `node writer.ts FOLDER SESSION`
 */
const [folder = '', id = ''] = process.argv.slice(2);
const store = await open(folder);
const known = await store.transcripts.session(id);
if (known === undefined) {
  await store.recorder.commit([
    { kind: 'session', session: session(id) },
    { kind: 'run', run: run(`run-${id}`, id) },
  ]);
}
const say = (word: string): void => void writeSync(1, `${word}\n`);
say(`opened ${store.epoch} ${store.problems.length}`);

const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());

for (let seq = (known?.messageCount ?? 0) + 1; !ending.signal.aborted; seq += 1) {
  const messageId = store.ids.next('message');
  store.recorder.draft(id, messageId, `draft of ${seq}`);
  store.recorder.events([
    {
      type: 'warning',
      category: 'Warning',
      message: `${seq}`,
      seq,
      sessionId: id,
      runId: `run-${id}`,
      at: 1,
    },
  ]);
  const text = `${seq} `.repeat(1 + ((seq * 7919) % 3000));
  await store.recorder.commit([
    { kind: 'message', message: message(id, seq, text, { id: messageId, role: 'assistant' }) },
    { kind: 'ledger', entry: call(`run-${id}`, id, `c${seq}`, { state: 'done' }) },
    {
      kind: 'usage',
      usage: {
        sessionId: id,
        runId: `run-${id}`,
        model: 'm',
        purpose: 'turn',
        usage: { inputTokens: 1, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        cost: 1,
        at: 1,
      },
    },
  ]);
  say(`kept ${seq} ${messageId}`);
  // Bursts and pauses.
  if (seq % 5 === 0) await new Promise((resolve) => setTimeout(resolve, seq % 20));
}
await store.close();
