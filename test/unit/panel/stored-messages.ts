import type { MessageQuery } from '../../../src/core/ports/store/transcripts.ts';
import type { Message } from '../../../src/domain/message.ts';

/** Messages that the store answers a query with. */
export function select(
  messages: readonly Message[],
  { beforeSeq = Infinity, afterSeq = 0, limit }: MessageQuery,
): readonly Message[] {
  const found = messages.filter(({ seq }) => seq < beforeSeq && seq > afterSeq);
  return limit === undefined ? found : found.slice(-limit);
}
