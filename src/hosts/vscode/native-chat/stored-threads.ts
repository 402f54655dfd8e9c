import { createHash } from 'node:crypto';
import type { Values } from '../../../core/ports/store/values.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { ThreadRecords } from '../../../panel/native-chat/chat-threads.ts';

const PREFIX = 'native-chat:';

/** Conversations of VS Code's own chat, in the workspace's database. */
export function storedThreads(values: Pick<Values, 'get' | 'set'>): ThreadRecords {
  return {
    find: async (thread) => {
      const value = await values.get(keyOf(thread));
      if (!isJsonObject(value)) return undefined;
      const { sessionId, answers } = value;
      if (typeof sessionId !== 'string' || typeof answers !== 'number') return undefined;
      return { sessionId, answers };
    },
    bind: async (thread, { sessionId, answers }) =>
      values.set(keyOf(thread), { sessionId, answers }),
  };
}

/** Names of conversations are addresses of any length. */
const keyOf = (thread: string): string =>
  `${PREFIX}${createHash('sha256').update(thread).digest('hex')}`;
