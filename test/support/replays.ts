import type { Json } from '../../src/domain/data/json.ts';
import type { Replay, ReplayOwner } from '../../src/domain/models/replay.ts';
import { MESSAGES_IDS, WireIds } from '../../src/providers/http/request/wire-ids.ts';

/** Who gets thinking again in tests of the Messages API. */
export const OWNER: ReplayOwner = {
  instance: 'anthropic',
  wire: 'messages',
  model: 'claude-sonnet-5-5',
};

/** What a request of the Messages API is written with, beside its messages. */
export const writing = () => WRITING;

const WRITING = { owner: OWNER, ids: new WireIds(MESSAGES_IDS) };

const old = (data: Json): Replay => ({ instance: '', wire: 'messages', model: '', data });

/** What goes back with thinking, as it is read from sessions that were stored before instances had names. */
export const signed = (signature: string): Replay => old({ signature });
export const encrypted = (redacted: string): Replay => old({ redacted });
