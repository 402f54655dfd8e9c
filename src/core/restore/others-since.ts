import * as l10n from '@vscode/l10n';
import { numeral } from '../../domain/text/language.ts';
import { BelayError } from '../../domain/failure.ts';
import type {
  FolderChanges,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../ports/files/workspace-snapshots.ts';
import type { Contents } from './storage/contents.ts';
import { inGroups } from './in-groups.ts';
import { type Leaf, sameLeaf } from './turned-back.ts';

/** A path that was changed since a request by no call that is on record. */
interface OtherChange {
  readonly root: string;
  readonly path: string;
  readonly outcome: 'others';
  readonly now: Leaf;
  readonly to: Leaf;
  readonly why: string;
}

/** As many as a snapshot has files. Their contents are held in memory while the person looks at them. */
const MAX_FILES = 50_000;

/** Differences from a checkpoint that are on no record; empty when it was cleaned up. */
export async function othersSince(
  checkpoint: WorkspaceSnapshot,
  known: readonly { readonly root: string; readonly path: string }[],
  snapshots: WorkspaceSnapshots,
  contents: Contents,
): Promise<readonly OtherChange[]> {
  const isKnown = new Set(known.map(({ root, path }) => `${root}\0${path}`));
  const folders = await changesSince(checkpoint, snapshots);
  const unknown = folders.flatMap(({ root, changes }) =>
    changes
      .filter(({ path }) => !isKnown.has(`${root}\0${path}`))
      .map(({ path, before }) => ({ root, path, before })),
  );
  const by = l10n.t(
    'Changed since then by something else: you, another program, a command that went on in the background, or one whose changes could not be recorded.',
  );
  const more = l10n.t(
    'Only {0} of {1} are listed; the others stay as they are.',
    numeral(MAX_FILES),
    numeral(unknown.length),
  );
  const why = unknown.length > MAX_FILES ? `${by} ${more}` : by;
  const found = await inGroups(unknown.slice(0, MAX_FILES), async ({ root, path, before }) => {
    const [now, to] = await Promise.all([snapshots.now(root, path), contents.of(before)]);
    if (now.kind === 'other' || sameLeaf(now, to)) return [];
    return [{ root, path, outcome: 'others' as const, now, to, why }];
  });
  return found.flat();
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
