import { pathBelow } from '../../../domain/paths.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { FileBefore, KeptContents, KeptFile } from '../../ports/files/kept-contents.ts';
import type { LeafRecord, WorkspaceSnapshots } from '../../ports/files/workspace-snapshots.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

interface Parts {
  readonly snapshots: Pick<WorkspaceSnapshots, 'keep' | 'contentOf'>;
  readonly files: Pick<FileSystem, 'realpath'>;
  readonly roots: () => readonly string[];
}

/** Contents that are kept beside the snapshots of the workspace. */
export class SnapshotContents implements KeptContents {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async keep(path: string, was?: FileBefore): Promise<KeptFile | undefined> {
    const { snapshots, files, roots } = this.#parts;
    for (const root of await Promise.all(roots().map((one) => files.realpath(one)))) {
      const below = pathBelow(root, path);
      if (below === undefined || below === '') continue;
      const known = was === undefined ? undefined : new Map([[below, was.bytes]]);
      const [record] = await snapshots.keep(root, [below], known);
      if (record?.kind === 'file')
        return { hash: record.hash, bytes: record.size, mode: was?.mode ?? record.mode };
    }
    return undefined;
  }

  async read(kept: KeptFile): Promise<Uint8Array> {
    const leaf = await this.#parts.snapshots.contentOf(recordOf(kept));
    if (leaf.kind === 'file') return leaf.bytes;
    const message = told`What was kept of a file is not there any more. The file stays as it is.`;
    throw fault('not_found', message);
  }
}

/** As the snapshots know it. */
export function recordOf({ hash, bytes: size, mode }: KeptFile): LeafRecord {
  return { kind: 'file', hash, size, mode };
}
