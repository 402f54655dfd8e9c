import type { FileSystem } from './core/ports.ts';
import type { LeafRecord } from './core/ports/workspace-snapshots.ts';
import { ReviewedFiles } from './core/review/reviewed-files.ts';
import { Reviews } from './core/review/reviews.ts';
import { recordOf, SnapshotContents } from './core/review/snapshot-contents.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from './store/store.ts';

/** The pending changes of the workspace, and the files as agents have them. */
export interface ReviewKit {
  /** Absent where nobody reviews: without a person, what is written is written. */
  readonly reviews: Reviews | undefined;
  readonly files: FileSystem;
  /** What a session's model is to be told of the person's decisions. */
  news(sessionId: string): readonly string[];
  /** Contents that pending changes need to be taken back. */
  wanted(): readonly LeafRecord[];
  dispose(): Promise<void>;
}

export async function composeReview(host: EngineHost, store: Store): Promise<ReviewKit> {
  const { reviewed, files, encodings, clock, log, snapshots, roots } = host;
  const none = { news: () => [], wanted: () => [], dispose: async () => undefined };
  if (reviewed !== true) return { reviews: undefined, files, ...none };
  const kept =
    snapshots === undefined ? undefined : new SnapshotContents({ snapshots, files, roots });
  const { values, epoch } = store;
  const parts = { values, writer: String(epoch), files, encodings, kept, clock, log };
  const reviews = new Reviews(parts);
  await reviews.load();
  const watching = store.watch(() => {
    reviews
      .refresh()
      .catch((error: unknown) => log.error('Pending changes could not be read anew.', error));
  });
  return {
    reviews,
    files: new ReviewedFiles(files, reviews, clock),
    news: (sessionId) => reviews.takeNews(sessionId),
    wanted: () => reviews.kept.map(recordOf),
    dispose: async () => {
      watching.dispose();
      await reviews.flush();
      reviews.dispose();
    },
  };
}
