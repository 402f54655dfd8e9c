import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Part } from '../../../src/domain/message.ts';
import { message, open, session } from '../../contract/store/support.ts';
import { markdown } from '../panel-drive.ts';

/** Messages of the long session. */
export const LONG = 10_000;
/** Sessions that are switched, and messages of each. */
export const SHORT = 20;
const EACH = 60;
/** Words of which the long session has one, near its beginning. */
export const RARE = 'ornithopter';

/** Puts the long session and the short ones into the database of a window, below a folder. */
export async function putSessions(below: string): Promise<void> {
  const names = await readdir(below, { recursive: true });
  const name = names.find((one) => path.basename(one) === 'belay.db');
  if (name === undefined) throw new Error(`There is no database below ${below}.`);
  const store = await open(path.dirname(path.join(below, name)));
  const now = Date.now();
  const put = async (id: string, title: string, messages: number): Promise<void> => {
    const times = { createdAt: now, updatedAt: now };
    await store.recorder.commit([{ kind: 'session', session: session(id, { title, ...times }) }]);
    for (let from = 1; from <= messages; from += 100) {
      const seqs = Array.from({ length: Math.min(100, messages - from + 1) }, (_, at) => from + at);
      await store.recorder.commit(
        seqs.map((seq) => ({ kind: 'message', message: messageOf(id, seq, seq === messages) })),
      );
    }
  };
  for (let nth = 0; nth < SHORT; nth += 1) await put(`short-${nth}`, `Short ${nth}`, EACH);
  await put('long', 'Long', LONG);
  await store.close();
}

/** Requests, answers with a call, and results of about 8 kB, in turn; the last one is an answer that ends a session. */
function messageOf(id: string, seq: number, last: boolean) {
  const nth = Math.floor((seq - 1) / 3);
  const call = `call-${nth}`;
  const base = { id: `${id}-${seq}`, createdAt: Date.now() };
  if (last) return message(id, seq, `The end of ${id}.`, { ...base, role: 'assistant' });
  if (seq % 3 === 1)
    return message(id, seq, `Request ${nth}: ${nth === 30 ? RARE : 'read the next file'}`, {
      ...base,
      origin: 'person',
    });
  const parts: readonly Part[] =
    seq % 3 === 2
      ? [
          { type: 'text', text: markdown(300 + (nth % 7) * 300) },
          { type: 'tool_call', id: call, name: 'read_file', input: { path: `src/file-${nth}.ts` } },
          { type: 'finish', reason: 'tool_use' },
        ]
      : [
          {
            type: 'tool_result',
            callId: call,
            name: 'read_file',
            state: 'done',
            content: [{ type: 'text', text: 'What is in the file. '.repeat(400) }],
            elapsedMs: 12,
          },
        ];
  return message(id, seq, parts, { ...base, role: seq % 3 === 2 ? 'assistant' : 'tool' });
}
