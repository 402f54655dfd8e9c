import { sameBytes } from '../../domain/data/same-bytes.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileSystem } from '../ports/files/file-system.ts';
import { LARGEST_TEXT } from './text-limits.ts';

/** Milliseconds between two checks. */
const CHECK_DELAY_MS = 1000;

/** Calls the listener when the content of one of the files changes, unsaved text of editors included. */
export function watchContents(
  files: Pick<FileSystem, 'stat' | 'read'>,
  clock: Pick<Clock, 'after'>,
  paths: readonly string[],
  listener: () => void,
): Disposable {
  const known = new Map<string, Uint8Array | undefined>();
  let isOver = false;
  let waiting: Disposable | undefined;
  const check = async (): Promise<void> => {
    let isChanged = false;
    for (const path of paths) {
      const content = await readContent(files, path);
      if (known.has(path) && !isSame(known.get(path), content)) isChanged = true;
      known.set(path, content);
    }
    if (isOver) return;
    if (isChanged) listener();
    waiting = clock.after(CHECK_DELAY_MS, () => void check());
  };
  void check();
  return {
    dispose: () => {
      isOver = true;
      waiting?.dispose();
    },
  };
}

/** `undefined`: there is no file, or it cannot be read. */
async function readContent(
  files: Pick<FileSystem, 'stat' | 'read'>,
  path: string,
): Promise<Uint8Array | undefined> {
  try {
    const stat = await files.stat(path);
    return stat?.type === 'file' ? await files.read(path, LARGEST_TEXT * 2) : undefined;
  } catch {
    return undefined;
  }
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : sameBytes(one, other);
