import { base64Of } from '../../../domain/data/base64.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { nameOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import type { RestorePreview } from '../../restore/agent-changes.ts';
import type { Leaf } from '../../restore/turned-back.ts';
import type { CommandGroups } from '../commands/command-groups.ts';
import type { CommandGroup } from '../commands/stored-groups.ts';
import { withAgentEdit } from '../model/agent-edits.ts';
import { ABSENT, sameContent } from '../model/file-review.ts';
import type { Content, FileReview } from '../model/file-review.ts';
import type { Reviews } from '../service/reviews.ts';
import { storedReview } from '../storage/stored-review.ts';
import type { LeftRecord, PendingRecord } from './pending-record.ts';

/** Bytes of a file up to which they are stored with its pending changes. */
const MAX_STORED_BYTES = 10 * 2 ** 20;

interface Parts {
  readonly reviews: Reviews;
  /** Changes during commands; absent: nothing is known of that. */
  readonly groups?: CommandGroups | undefined;
  /** Folders of the workspace, absolute. */
  readonly roots: readonly string[];
}

/**
 * The pending changes that agents of sessions made and what changed during their commands, for another machine. Those
 * outside of the workspace stay.
 */
export async function pendingRecords(
  { reviews, groups, roots }: Parts,
  sessionIds: readonly string[],
): Promise<readonly JsonObject[]> {
  const sessions = new Set(sessionIds);
  const records: JsonObject[] = [];
  for (const review of reviews.pending) {
    const record = isOf(review, sessions) ? await recordOf(review, reviews, roots) : undefined;
    if (record !== undefined) records.push({ ...record });
  }
  const taken = new Set(reviews.pending.map(({ path }) => path));
  for (const group of groups?.stored.all ?? []) {
    const previews = sessions.has(group.sessionId) ? await groups?.preview(group.id) : [];
    for (const preview of previews ?? []) {
      const path = resolvePath(preview.root, preview.path);
      const record = taken.has(path)
        ? undefined
        : await duringRecord(group, preview, reviews, roots);
      taken.add(path);
      if (record !== undefined) records.push({ ...record });
    }
  }
  return records;
}

/** A file that changed during a command, as a pending change; `undefined`: nothing of it can be sent. */
async function duringRecord(
  { sessionId, messageId, callId, line, at }: CommandGroup,
  { root, path: below, now, to, outcome }: RestorePreview,
  { files }: Reviews,
  roots: readonly string[],
): Promise<PendingRecord | LeftRecord | undefined> {
  if (outcome !== 'restored' && outcome !== 'merged') return undefined;
  if (now.kind === 'link' || to.kind === 'link') return undefined;
  const path = resolvePath(root, below);
  const contentOf = async (leaf: Leaf): Promise<Content> =>
    leaf.kind === 'file' ? (await files.disk.bytes.read(path, leaf.bytes)).content : ABSENT;
  const by = { by: 'agent', sessionId, messageId, callId, tool: line, why: '', at } as const;
  const edit = { before: await contentOf(to), after: await contentOf(now) };
  const review = withAgentEdit(undefined, path, edit, by);
  const { baseline, document } = review;
  const isMade = baseline.kind === 'absent' || document.kind === 'binary';
  return recordWith(review, roots, {
    bytes: isMade && now.kind === 'file' ? now.bytes : undefined,
    before: to.kind === 'file' ? to : undefined,
  });
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
  const { kept } = review;
  const bytes = await madeBytes(review, reviews);
  const before = kept === undefined ? undefined : await reviews.files.disk.kept.bytes(kept);
  return recordWith(review, roots, {
    bytes,
    before: before === undefined || kept === undefined ? undefined : { ...kept, bytes: before },
  });
}

/** @param contents the bytes that the lines do not tell (`null`: too many), and those before the change */
function recordWith(
  review: FileReview,
  roots: readonly string[],
  {
    bytes,
    before,
  }: {
    readonly bytes: Uint8Array | undefined | null;
    readonly before: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
  },
): PendingRecord | LeftRecord | undefined {
  const root = roots.find((one) => pathBelow(one, review.path) !== undefined);
  if (root === undefined) return undefined;
  const below = (path: string): string => pathBelow(root, path) ?? path;
  const { kept: _, renamedFrom, ...rest } = review;
  const path = below(review.path);
  const sizes = [bytes?.length ?? 0, before?.bytes.length ?? 0];
  if (bytes === null || Math.max(...sizes) > MAX_STORED_BYTES) return { path, left: 'large' };
  return {
    folder: nameOf(root),
    path,
    review: storedReview({
      ...rest,
      path,
      ...(renamedFrom === undefined ? {} : { renamedFrom: below(renamedFrom) }),
    }),
    ...(bytes === undefined ? {} : { bytes: base64Of(bytes) }),
    ...(before === undefined ? {} : { kept: { bytes: base64Of(before.bytes), mode: before.mode } }),
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
