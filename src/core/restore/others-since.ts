import { BelayError } from '../../domain/failure.ts';
import type {
  FolderChanges,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../ports/workspace-snapshots.ts';
import type { Contents } from './contents.ts';
import { sameLeaf } from './turned-back.ts';
import type { Leaf } from './turned-back.ts';

/** A path that was changed since a request by no call that is on record. */
interface OtherChange {
  readonly root: string;
  readonly path: string;
  readonly outcome: 'others';
  readonly now: Leaf;
  readonly to: Leaf;
  readonly why: string;
}

/** Their contents are held in memory while the person looks at them. */
const MOST = 500;

/**
 * What differs from a checkpoint besides what is on record: by commands in the background after their call had
 * ended, by tools that do not say what they touch, or by the person. Empty when the checkpoint was cleaned up.
 */
export async function othersSince(
  checkpoint: WorkspaceSnapshot,
  known: readonly { readonly root: string; readonly path: string }[],
  snapshots: WorkspaceSnapshots,
  contents: Contents,
): Promise<readonly OtherChange[]> {
  const isKnown = new Set(known.map(({ root, path }) => JSON.stringify([root, path])));
  const folders = await changesSince(checkpoint, snapshots);
  const found: Omit<OtherChange, 'why'>[] = [];
  for (const { root, changes } of folders)
    for (const { path, before } of changes) {
      if (isKnown.has(JSON.stringify([root, path])) || found.length > MOST) continue;
      const now = await snapshots.now(root, path);
      const to = await contents.of(before);
      if (now.kind !== 'other' && !sameLeaf(now, to))
        found.push({ root, path, outcome: 'others', now, to });
    }
  const more = found.length > MOST ? ` Only ${MOST} of them are listed.` : '';
  const why = `Changed since then by something else: you, another program, or a command that went on in the background.${more}`;
  return found.slice(0, MOST).map((one) => ({ ...one, why }));
}

/** Folders that are not there any more have none. */
async function changesSince(
  checkpoint: WorkspaceSnapshot,
  snapshots: WorkspaceSnapshots,
): Promise<readonly FolderChanges[]> {
  const changes: FolderChanges[] = [];
  for (const { root } of checkpoint.folders) {
    try {
      const now = await snapshots.take([root]);
      changes.push(...(await snapshots.changes(checkpoint, now)));
    } catch (thrown) {
      if (!(thrown instanceof BelayError)) throw thrown;
    }
  }
  return changes;
}
