import type { FileSystem } from './core/ports.ts';
import { ReviewedFiles } from './core/review/reviewed-files.ts';
import { Reviews } from './core/review/reviews.ts';
import type { EngineHost } from './engine-host.ts';
import type { Store } from './store/store.ts';

/** The pending changes of the workspace, and the files as agents have them. */
export interface ReviewKit {
  /** Absent where nobody reviews: without a person, what is written is written. */
  readonly reviews: Reviews | undefined;
  readonly files: FileSystem;
  /** What a session's model is to be told of the person's decisions. */
  news(sessionId: string): readonly string[];
  dispose(): Promise<void>;
}

export async function composeReview(
  { reviewed, files, encodings, clock, log }: EngineHost,
  store: Store,
): Promise<ReviewKit> {
  if (reviewed !== true)
    return { reviews: undefined, files, news: () => [], dispose: async () => undefined };
  const reviews = new Reviews({ values: store.values, files, encodings, clock, log });
  await reviews.load();
  return {
    reviews,
    files: new ReviewedFiles(files, reviews, clock),
    news: (sessionId) => reviews.takeNews(sessionId),
    dispose: async () => {
      await reviews.flush();
      reviews.dispose();
    },
  };
}
