import type { ServerTarget } from '../config/config.ts';
import type { OpenOptions, Opened } from './handshake.ts';
import { openLocal } from './open-local.ts';
import { openRemote } from './open-remote.ts';

/** Opens a server's session and lists its tools. The door to the SDK, whose import takes 240 ms. */
export async function openSession(target: ServerTarget, options: OpenOptions): Promise<Opened> {
  return target.kind === 'stdio' ? openLocal(target, options) : openRemote(target, options);
}
