import { bytesFromBase64 } from '../../../domain/data/base64.ts';
import type { Json, JsonObject } from '../../../domain/data/json.ts';
import { nameOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { inWords } from '../../../domain/text/told.ts';
import { lineChanges } from '../../merge/line-changes.ts';
import { mergeTexts } from '../../merge/merge-texts.ts';
import type { PathGuard } from '../../permissions/path-guard.ts';
import { describePath } from '../../permissions/risks.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Log } from '../../ports/log.ts';
import {
  type Content,
  type FileReview,
  linesOf,
  sameContent,
  textContent,
  textOf,
} from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { withOtherHands } from '../model/other-hands.ts';
import type { FileNow } from '../service/file-bytes.ts';
import type { Reviews } from '../service/reviews.ts';
import { reviewFrom } from '../storage/stored-review.ts';
import { type LeftWhy, type PendingRecord, pendingRecordFrom } from './pending-record.ts';

interface Parts {
  readonly reviews: Reviews;
  readonly guard: Pick<PathGuard, 'judge'>;
  /** Folders of the workspace, absolute. */
  readonly roots: readonly string[];
  /** The files as agents have them. */
  readonly files: Pick<FileSystem, 'write' | 'delete' | 'rename'>;
  /** Absent: nothing is written. */
  readonly approval?: ImportApproval;
  readonly log: Log;
}

/** Asks the user what an import may write. */
export interface ImportApproval {
  /** Asks once, with the paths of all pending changes of the session. */
  allowAll(paths: readonly string[]): Promise<boolean>;
  /** Asks for one protected file that is to be written. */
  allowProtected(path: string, why: string): Promise<boolean>;
}

/** The pending changes of one file of an imported session, with what became of them. */
export interface TakenIn {
  /** Below the folder of the workspace. */
  readonly path: string;
  /**
   * `written`: the file has them. `merged`: it is another one, and they are pending on what it is now. `left`: they are
   * not pending here, for the reason.
   */
  readonly outcome: 'written' | 'merged' | 'left';
  readonly why?: LeftWhy;
}

type Taken = 'written' | 'merged' | LeftWhy;

const TAKEN: readonly string[] = ['written', 'merged'];

/**
 * Makes pending here what was pending in a session's file. Changes that a file does not have are written to it if the
 * user allowed that. Never rejects.
 */
export async function takeInPending(
  parts: Parts,
  records: readonly Json[],
): Promise<readonly TakenIn[]> {
  const read = records.map(pendingRecordFrom).filter((record) => record !== undefined);
  const paths = read.filter((record) => !('left' in record)).map(({ path }) => path);
  const isAllowed = paths.length > 0 && (await parts.approval?.allowAll(paths)) === true;
  const all: TakenIn[] = [];
  for (const record of read) {
    const { path } = record;
    const taken =
      'left' in record
        ? record.left
        : await takeIn(parts, record, isAllowed).catch((thrown: unknown) => {
            parts.log.warn('Pending changes of an imported session could not be taken in.', {
              path,
              reason: String(thrown),
            });
            return 'unreadable' as const;
          });
    all.push(
      TAKEN.includes(taken)
        ? { path, outcome: taken as TakenIn['outcome'] }
        : { path, outcome: 'left', why: taken as LeftWhy },
    );
  }
  return all;
}

async function takeIn(parts: Parts, record: PendingRecord, isAllowed: boolean): Promise<Taken> {
  const { reviews, roots } = parts;
  const root = roots.find((one) => nameOf(one) === record.folder) ?? roots[0];
  const review = root === undefined ? undefined : placed(root, record.review);
  if (root === undefined || review === undefined) return 'unreadable';
  const judged = await Promise.all(
    [review.path, review.renamedFrom ?? review.path].map((path) =>
      parts.guard.judge({ path, access: 'write' }, roots),
    ),
  );
  const isProtected = judged.some(({ place }) => place === 'config');
  if (!judged.every(({ place }) => place === 'inside' || place === 'config')) return 'refused';
  const { content } = await reviews.files.disk.now(review.path);
  if (isNearer(review, content)) return takeInWritten(parts, record, review, content);
  const why = judged
    .filter(({ place }) => place === 'config')
    .map((one) => inWords(describePath(one)));
  const isProtectedAllowed = async (): Promise<boolean> =>
    !isProtected || (await parts.approval?.allowProtected(record.path, why.join(' '))) === true;
  return applyChanges(parts, record, review, {
    target: content,
    isAllowed: async () => isAllowed && isProtectedAllowed(),
  });
}

/** The file has the changes, perhaps with others since. */
async function takeInWritten(
  { reviews }: Parts,
  { kept: before }: PendingRecord,
  review: FileReview,
  now: Content,
): Promise<Taken> {
  const bytes = before === undefined ? undefined : bytesFromBase64(before.bytes);
  const kept =
    bytes === undefined || before === undefined
      ? undefined
      : await reviews.files.disk.kept.keep(review.path, { bytes, mode: before.mode });
  // It could not be put back.
  if (review.baseline.kind === 'binary' && kept?.hash !== review.baseline.hash) return 'unreadable';
  if (now.kind === 'absent' && review.document.kind !== 'absent') return 'gone';
  const row = withOtherHands(kept === undefined ? review : { ...review, kept }, now, 'program');
  if (isSettled(row)) return 'done';
  if (!(await reviews.agent.takeIn(row))) return 'others';
  return sameContent(review.document, now) ? 'written' : 'merged';
}

/** Writes changes that the file does not have; they are pending then. */
async function applyChanges(
  { reviews, files }: Parts,
  record: PendingRecord,
  { path, renamedFrom, baseline, document, knownToSession = '' }: FileReview,
  { target, isAllowed }: { readonly target: Content; readonly isAllowed: () => Promise<boolean> },
): Promise<Taken> {
  const place = renamedFrom ?? path;
  const { disk } = reviews.files;
  if (reviews.find(place) !== undefined || reviews.find(path) !== undefined) return 'others';
  const now = await disk.now(place);
  if (place !== path && target.kind !== 'absent') return 'taken';
  if (now.content.kind === 'absent' && baseline.kind !== 'absent') return 'gone';
  const isAsBefore = sameContent(now.content, baseline);
  const isDeleted = document.kind === 'absent';
  const bytes = isDeleted
    ? undefined
    : await changedBytes(record, { baseline, document }, now, path, reviews);
  if (isDeleted ? !isAsBefore : bytes === undefined) return 'conflict';
  if (!(await isAllowed())) return 'not applied';
  const origin = {
    sessionId: knownToSession,
    messageId: '',
    callId: `import ${path}`,
    tool: 'import',
    how: 'write' as const,
  };
  if (bytes === undefined) {
    await files.delete(place, { origin });
    return 'written';
  }
  if (place !== path) await files.rename(place, path, { origin });
  await files.write(path, bytes, { origin, exact: true, replaces: now.bytes ?? 'nothing' });
  return isAsBefore ? 'written' : 'merged';
}

/** The file with the changes; `undefined` when it was changed at the same lines, or is no text. */
async function changedBytes(
  { bytes }: PendingRecord,
  { baseline, document }: Pick<FileReview, 'baseline' | 'document'>,
  now: FileNow,
  path: string,
  { files: { disk } }: Reviews,
): Promise<Uint8Array | undefined> {
  const isAsBefore = sameContent(now.content, baseline);
  if (isAsBefore && bytes !== undefined) return bytesFromBase64(bytes);
  const [base, ours, theirs] = [textOf(baseline), textOf(document), textOf(now.content)];
  if (ours === undefined) return undefined;
  if (now.content.kind === 'absent') return disk.bytes.encoded(path, ours);
  if (base === undefined || theirs === undefined) return undefined;
  const merged = mergeTexts(base, ours, theirs);
  if (merged.kind === 'conflict') return undefined;
  const lines = linesOf(textContent(merged.text));
  return disk.bytes.changed(path, now, lineChanges(linesOf(now.content), lines));
}

/** A file is what the agent made of it, rather than what it was before. */
function isNearer({ baseline, document }: FileReview, now: Content): boolean {
  if (sameContent(now, document)) return true;
  if (sameContent(now, baseline)) return false;
  if (now.kind !== 'text' || document.kind !== 'text' || baseline.kind !== 'text') return false;
  return distance(document, now) < distance(baseline, now);
}

/** Lines taken away and put in. */
function distance(from: Content, to: Content): number {
  return lineChanges(linesOf(from), linesOf(to)).reduce(
    (sum, change) => sum + (change.to - change.from) + change.lines.length,
    0,
  );
}

/** The review with absolute paths; `undefined`: it is none, or leaves its folder. */
function placed(root: string, stored: JsonObject): FileReview | undefined {
  const review = reviewFrom(stored);
  if (review === undefined) return undefined;
  const { renamedFrom, kept: _, ...rest } = review;
  const at = (path: string | undefined): string | undefined => {
    const absolute = path === undefined ? undefined : resolvePath(root, path);
    const below = absolute === undefined ? undefined : pathBelow(root, absolute);
    return below === undefined || below === '' ? undefined : absolute;
  };
  const [path, from] = [at(review.path), at(renamedFrom)];
  if (path === undefined || (renamedFrom !== undefined && from === undefined)) return undefined;
  return {
    ...rest,
    path,
    ...(from === undefined ? {} : { renamedFrom: from }),
  };
}
