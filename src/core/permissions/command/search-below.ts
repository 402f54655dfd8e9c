import type { FileSystem } from '../../ports.ts';
import type { PathGuard } from '../path-guard.ts';

/** Entries that are looked at before a folder counts as too large. */
const MOST = 5000;
/** Not looked into: their files come from elsewhere, and there are many. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);

/**
 * Why everything below a folder may not be read without a question: a file in it that holds secrets or
 * that a rule denies. `undefined`: nothing of the kind.
 * @param hidden whether hidden files are read, too
 */
export async function searchBelow(
  {
    guard,
    files,
  }: { readonly guard: Pick<PathGuard, 'heldBack'>; readonly files: Pick<FileSystem, 'list'> },
  folder: string,
  reach: 'all' | 'visible',
): Promise<string | undefined> {
  const open = [folder];
  let looked = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await files.list(at).catch(() => []);
    looked += entries.length;
    if (looked > MOST) return `${folder} holds too many files to look through beforehand`;
    for (const { name, type } of entries) {
      if (reach === 'visible' && name.startsWith('.')) continue;
      const path = `${at}/${name}`;
      if (type === 'directory') {
        if (!SKIPPED.has(name)) open.push(path);
        continue;
      }
      const why = await guard.heldBack(path);
      if (why !== undefined) return `it would read ${path}, too: ${why}`;
    }
  }
  return undefined;
}
