import { base64Of } from '../../../domain/data/base64.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { nameOf, pathBelow } from '../../../domain/paths.ts';
import { type FileReview, sameContent } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';
import { storedReview } from '../storage/stored-review.ts';
import type { LeftRecord, PendingRecord } from './pending-record.ts';

/** Bytes of a file up to which they are stored with its pending changes. */
const MAX_STORED_BYTES = 10 * 2 ** 20;

interface Parts {
  readonly reviews: Reviews;
  /** Folders of the workspace, absolute. */
  readonly roots: readonly string[];
}

/** The pending changes that agents of sessions made, for another machine. Those outside of the workspace stay. */
export async function pendingRecords(
  { reviews, roots }: Parts,
  sessionIds: readonly string[],
): Promise<readonly JsonObject[]> {
  const sessions = new Set(sessionIds);
  const records: JsonObject[] = [];
  for (const review of reviews.pending) {
    const record = isOf(review, sessions) ? await recordOf(review, reviews, roots) : undefined;
    if (record !== undefined) records.push({ ...record });
  }
  return records;
}

function isOf({ marks, wholeFileBy, knownToSession }: FileReview, sessions: Set<string>): boolean {
  const authors = [...wholeFileBy, ...marks.map(({ by }) => by)];
  return (
    sessions.has(knownToSession ?? '') ||
    authors.some((by) => typeof by === 'object' && sessions.has(by.sessionId))
  );
}

async function recordOf(
  review: FileReview,
  reviews: Reviews,
  roots: readonly string[],
): Promise<PendingRecord | LeftRecord | undefined> {
  const root = roots.find((one) => pathBelow(one, review.path) !== undefined);
  if (root === undefined) return undefined;
  const below = (path: string): string => pathBelow(root, path) ?? path;
  const { kept, renamedFrom, ...rest } = review;
  const path = below(review.path);
  const bytes = await madeBytes(review, reviews);
  if (bytes === null) return { path, left: 'large' };
  const before = kept === undefined ? undefined : await reviews.files.disk.kept.bytes(kept);
  if (before !== undefined && before.length > MAX_STORED_BYTES) return { path, left: 'large' };
  return {
    folder: nameOf(root),
    path,
    review: storedReview({
      ...rest,
      path,
      ...(renamedFrom === undefined ? {} : { renamedFrom: below(renamedFrom) }),
    }),
    ...(bytes === undefined ? {} : { bytes: base64Of(bytes) }),
    ...(before === undefined || kept === undefined
      ? {}
      : { kept: { bytes: base64Of(before), mode: kept.mode } }),
  };
}

/** The bytes of a changed file whose lines do not tell them; `null`: they are too many, or it is another file by now. */
async function madeBytes(
  { path, baseline, document }: FileReview,
  { files }: Reviews,
): Promise<Uint8Array | undefined | null> {
  const isMade = baseline.kind === 'absent' || document.kind === 'binary';
  if (!isMade) return undefined;
  const now = await files.disk.now(path);
  const isSame = sameContent(now.content, document);
  if (isSame && now.bytes !== undefined && now.bytes.length <= MAX_STORED_BYTES) return now.bytes;
  return document.kind === 'text' ? undefined : null;
}
