import type { ServerTarget } from '../config/config.ts';
import type { OpenOptions, Opened } from './handshake.ts';
import { openLocal } from './open-local.ts';
import { openRemote } from './open-remote.ts';

/**
 * Starts or reaches a server, shakes hands and lists its tools. Rejects only when the signal fires.
 * This file is the door to the SDK, whose import takes 240 ms: the rest imports it when it is needed.
 */
export async function openSession(target: ServerTarget, options: OpenOptions): Promise<Opened> {
  return target.kind === 'stdio' ? openLocal(target, options) : openRemote(target, options);
}
