import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Files that are looked at in one folder; what is beyond counts for nothing. */
const MOST = 50_000;

/** Bytes of everything in a folder, by the name of its entry there; empty where there is none. */
export async function folderSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).slice(0, MOST);
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    const [top = name] = path.relative(folder, file).split(path.sep);
    // It may be gone by now.
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    );
    sizes.set(top, (sizes.get(top) ?? 0) + size);
  }
  return sizes;
}
