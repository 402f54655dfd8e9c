import type { FolderChanges, LeafRecord } from '../ports/files/workspace-snapshots.ts';

/** A path of a folder, as a key. */
export function placeKey(root: string, path: string): string {
  return `${root}\0${path}`;
}

/** Changes without those on record for calls; `left`: by the last call that changed a path. */
export function sinceCalls(
  folders: readonly FolderChanges[],
  left: ReadonlyMap<string, LeafRecord>,
): readonly FolderChanges[] {
  return folders.map((folder) => ({
    ...folder,
    changes: folder.changes.flatMap((change) => {
      const before = left.get(placeKey(folder.root, change.path)) ?? change.before;
      return isSame(before, change.after) ? [] : [{ ...change, before }];
    }),
  }));
}

function isSame(left: LeafRecord, right: LeafRecord): boolean {
  if (left.kind === 'file' && right.kind === 'file')
    return left.hash === right.hash && left.mode === right.mode;
  if (left.kind === 'link' && right.kind === 'link') return left.target === right.target;
  return left.kind === right.kind;
}
