import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { PinFolder } from '../../../core/ports/files/pinned-folder.ts';

/** Tells folders apart by device and inode. */
export const pinFolder: PinFolder = async (path) => {
  // Linux gives the inode of a deleted folder to the next one, but not while it is open.
  const handle =
    process.platform === 'linux'
      ? await open(path, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => undefined)
      : undefined;
  const pinned = await identityOf(path);
  return {
    path,
    isInPlace: async () => pinned === undefined || (await identityOf(path)) === pinned,
    release: () => void handle?.close().catch(() => undefined),
  };
};

/** Leaves the time of birth out on Linux: an overlay of a container changes it at the first write in a folder. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
    return process.platform === 'linux' && ino !== 0n
      ? `${dev}:${ino}`
      : `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return undefined;
  }
}
