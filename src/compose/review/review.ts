import type { ModelNotice } from '../../core/run/model-notices.ts';
import type { FileSystem } from '../../core/ports/files/file-system.ts';
import type { FileOperations } from '../../core/ports/files/file-operations.ts';
import type { LeafRecord } from '../../core/ports/files/workspace-snapshots.ts';
import { WrittenChanges } from '../../core/review/files/written-changes.ts';
import { ReviewedFiles } from '../../core/review/files/reviewed-files.ts';
import { ReviewedOperations } from '../../core/review/files/reviewed-operations.ts';
import { Reviews } from '../../core/review/service/reviews.ts';
import { recordOf, SnapshotContents } from '../../core/review/storage/snapshot-contents.ts';
import type { EngineHost } from '../engine-host.ts';
import type { Store } from '../../store/store.ts';

/** The pending changes of the workspace, and the files as agents have them. */
export interface ReviewKit {
  /** Absent where nobody reviews: without a person, what is written is written. */
  readonly reviews: Reviews | undefined;
  readonly files: FileSystem;
  readonly operations: FileOperations;
  /** News of the person's decisions, for a session's model. */
  news(sessionId: string): readonly ModelNotice[];
  /** Contents that pending changes need to be taken back. */
  wanted(): readonly LeafRecord[];
  dispose(): Promise<void>;
}

export async function composeReview(host: EngineHost, store: Store): Promise<ReviewKit> {
  const { clock, log } = host;
  const { files, operations, encodings, snapshots } = host.disk;
  const { roots } = host.workspace;
  const none = {
    news: () => [],
    wanted: () => [],
    dispose: async () => undefined,
  };
  if (host.person.reviewed !== true) return { reviews: undefined, files, operations, ...none };
  const kept =
    snapshots === undefined ? undefined : new SnapshotContents({ snapshots, files, roots });
  const { values, epoch, leases } = store;
  const writer = String(epoch);
  const parts = { values, writer, files, encodings, kept, clock, log };
  const decides = host.person.decides === true;
  const reviews = new Reviews({ ...parts, leases: decides ? leases : undefined });
  await reviews.load();
  const changes = new WrittenChanges(reviews, clock);
  const watching = store.watch(() => {
    reviews
      .refresh()
      .catch((error: unknown) => log.error('Pending changes could not be read anew.', error));
  });
  return {
    reviews,
    files: new ReviewedFiles(files, changes),
    operations: new ReviewedOperations({ files, operations, changes }),
    news: (sessionId) =>
      reviews.records.takeNews(sessionId).map(({ text, key }) => ({
        about: 'review',
        text,
        ...(key === undefined ? {} : { told: { kind: 'value', key, value: null } }),
      })),
    wanted: () => reviews.records.kept.map(recordOf),
    dispose: async () => {
      watching.dispose();
      await reviews.flush();
      reviews.dispose();
      await reviews.owner.dispose();
    },
  };
}
