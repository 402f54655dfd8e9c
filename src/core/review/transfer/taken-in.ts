import { bytesFromBase64 } from '../../../domain/data/base64.ts';
import type { Json, JsonObject } from '../../../domain/data/json.ts';
import { nameOf, pathBelow, resolvePath } from '../../../domain/paths.ts';
import { sameBytes } from '../../../domain/data/same-bytes.ts';
import { lineChanges } from '../../merge/line-changes.ts';
import type { PathGuard } from '../../permissions/path-guard.ts';
import type { Log } from '../../ports/log.ts';
import {
  type Content,
  type FileReview,
  linesOf,
  type ProposedBytes,
  proposedAt,
  sameContent,
} from '../model/file-review.ts';
import { isSettled } from '../model/hunks.ts';
import { rebased } from '../model/proposals.ts';
import { restored } from '../model/restored.ts';
import type { StoredKind } from '../model/review-kinds.ts';
import { hashOf } from '../service/file-bytes.ts';
import type { Reviews } from '../service/reviews.ts';
import { reviewFrom } from '../storage/stored-review.ts';
import { type LeftWhy, type PendingRecord, pendingRecordFrom } from './pending-record.ts';

interface Parts {
  readonly reviews: Reviews;
  readonly guard: Pick<PathGuard, 'judge'>;
  /** Folders of the workspace, absolute. */
  readonly roots: readonly string[];
  readonly log: Log;
}

/** The pending changes of one file of an imported session, with what became of them. */
export interface TakenIn {
  /** Below the folder of the workspace. */
  readonly path: string;
  /**
   * `written`: the file has them already. `proposed`: it is as it was before them. `merged`: it is another one, and they
   * are pending on what it is now. `left`: not here, for the reason.
   */
  readonly outcome: 'written' | 'proposed' | 'merged' | 'left';
  readonly why?: LeftWhy;
}

type Taken = StoredKind | 'merged' | LeftWhy;

const TAKEN: readonly string[] = ['written', 'proposed', 'merged'];

/** Makes pending here what was pending in a session's file: nothing is written to the workspace. Never rejects. */
export async function takeInPending(
  parts: Parts,
  records: readonly Json[],
): Promise<readonly TakenIn[]> {
  const all: TakenIn[] = [];
  for (const value of records) {
    const record = pendingRecordFrom(value);
    if (record === undefined) continue;
    const { path } = record;
    const taken =
      'left' in record
        ? record.left
        : await takeIn(parts, record).catch((thrown: unknown) => {
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

async function takeIn(parts: Parts, record: PendingRecord): Promise<Taken> {
  const { reviews, roots } = parts;
  const root = roots.find((one) => nameOf(one) === record.folder) ?? roots[0];
  const review = root === undefined ? undefined : placed(root, record.review);
  if (root === undefined || review === undefined) return 'unreadable';
  for (const path of [review.path, review.renamedFrom ?? review.path])
    if (!(await mayBeWritten(parts, path))) return 'refused';
  const { content } = await reviews.files.disk.now(review.path);
  if (record.kind === 'written' && isNearer(review, content))
    return takeInWritten(parts, record, review, content);
  return takeInProposed(parts, record, review, content);
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
  const found = restored(kept === undefined ? review : { ...review, kept }, now);
  if (found.kind === 'gone' || found.kind === 'unrecognizable') return 'gone';
  if (isSettled(found.review)) return 'done';
  if (!(await reviews.agent.takeIn('written', found.review))) return 'others';
  return found.kind === 'merged' ? 'merged' : 'written';
}

/** The file has not got the changes: they are proposed. */
async function takeInProposed(
  { reviews }: Parts,
  { bytes: text }: PendingRecord,
  review: FileReview,
  target: Content,
): Promise<Taken> {
  const place = proposedAt(review);
  const isNamed = place === review.path;
  const now = isNamed ? target : (await reviews.files.disk.now(place)).content;
  if (!isNamed && target.kind !== 'absent') return 'taken';
  const { document } = review;
  const proposedBytes = text === undefined ? undefined : await bytesBeside(document, text);
  const made = proposedBytes === undefined ? review : { ...review, proposedBytes };
  if (document.kind === 'binary' && made.proposedBytes?.hash !== document.hash) return 'unreadable';
  const next = rebased(made, now);
  if (next.fileMissing) return 'gone';
  if (isSettled(next) || (isNamed && sameContent(now, document))) return 'done';
  if (!(await reviews.agent.takeIn('proposed', next))) return 'others';
  return sameContent(now, review.baseline) ? 'proposed' : 'merged';
}

/** The bytes of a file; `undefined`: its lines tell them. */
async function bytesBeside(document: Content, text: string): Promise<ProposedBytes | undefined> {
  const bytes = bytesFromBase64(text);
  if (bytes === undefined) return undefined;
  const plain = new TextEncoder().encode(linesOf(document).join('\n'));
  if (document.kind === 'text' && sameBytes(plain, bytes)) return undefined;
  return { bytes, hash: await hashOf(bytes) };
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
  const { renamedFrom, folder, kept: _, ...rest } = review;
  const at = (path: string | undefined): string | undefined => {
    const absolute = path === undefined ? undefined : resolvePath(root, path);
    const below = absolute === undefined ? undefined : pathBelow(root, absolute);
    return below === undefined || below === '' ? undefined : absolute;
  };
  const [path, from, within] = [at(review.path), at(renamedFrom), at(folder)];
  if (path === undefined || (renamedFrom !== undefined && from === undefined)) return undefined;
  if (folder !== undefined && within === undefined) return undefined;
  return {
    ...rest,
    path,
    ...(from === undefined ? {} : { renamedFrom: from }),
    ...(within === undefined ? {} : { folder: within }),
  };
}

/** Files that other programs obey may be proposed, too: a person decides about them. */
async function mayBeWritten({ guard, roots }: Parts, path: string): Promise<boolean> {
  const { place } = await guard.judge({ path, access: 'write' }, roots);
  return place === 'inside' || place === 'config';
}
