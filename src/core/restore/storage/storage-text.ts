import { leftOutLines } from '../left-out.ts';
import type { CleanedUp, StorageFacts } from './checkpoint-storage.ts';

export function storageTitle({ bytes, limits }: StorageFacts): string {
  if (limits.bytes === 0)
    return `Checkpoints are switched off; ${megabytes(bytes)} are still stored.`;
  return `Checkpoints of this workspace take ${megabytes(bytes)} of at most ${megabytes(limits.bytes)}.`;
}

/** The kept and the left out, line by line; `date` writes a moment for the person. */
export function storageLines(
  { requests, calls, oldest, limits, leftOut }: StorageFacts,
  date: (at: number) => string,
): readonly string[] {
  const left = leftOut === undefined ? [] : leftOutLines(leftOut);
  return [
    oldest === undefined
      ? 'Nothing is kept yet.'
      : `${requests} before requests and ${calls} of calls that changed files; the oldest is of ${date(oldest)}.`,
    `Each is kept for ${limits.days} days at most; when there is too little room the oldest go first.`,
    ...(left.length === 0 ? [] : ['', 'Not in checkpoints:', ...left]),
  ];
}

export function cleanedUpText({ deleted, left }: CleanedUp): string {
  const checkpoints = `${deleted} ${deleted === 1 ? 'checkpoint' : 'checkpoints'} deleted`;
  return left === undefined
    ? `${checkpoints}. Another window works in this workspace: the space is given back when it is closed.`
    : `${checkpoints}; ${megabytes(left)} are stored. What was stored in the last minutes stays.`;
}

const megabytes = (bytes: number): string =>
  `${(bytes / 2 ** 20).toLocaleString('en', { maximumFractionDigits: bytes < 2 ** 20 * 100 ? 1 : 0 })} MB`;
