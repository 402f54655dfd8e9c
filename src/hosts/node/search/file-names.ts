import path from 'node:path';
import type { FileSearchRequest, FileSearchResult } from '../../../core/ports/files/search.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { getBracketReadings } from '../../../domain/glob/bracket-names.ts';
import { glob, LONGEST_PATTERN } from '../../../domain/glob/glob.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';

/** Files looked at by a search by name before it gives what it has. */
const MOST_FILES = 500_000;

interface Candidate {
  readonly file: string;
  readonly below: string;
  readonly score: number;
}

/** Files by name, by glob or letters, in bounded memory; `batches` small enough for no pause. */
export async function matchFiles(
  batches: AsyncIterable<readonly string[]>,
  { root, pattern, limit, ordered = true }: FileSearchRequest,
): Promise<FileSearchResult> {
  const isGlob = /[*?[\]{}]/u.test(pattern);
  const matches = isGlob ? globMatcher(pattern) : undefined;
  const better = isGlob ? byPath : byScore;
  let found: Candidate[] = [];
  let count = 0;
  let seen = 0;
  for await (const batch of batches) {
    for (const file of batch) {
      const below = belowRoot(root, file);
      const score =
        matches === undefined ? fuzzyScore(pattern, below) : matches(below) ? 0 : undefined;
      if (score === undefined) continue;
      count += 1;
      found.push({ file, below, score });
    }
    if (!ordered && count > limit) break;
    if (ordered && found.length > limit * 2 + 1000) found = found.toSorted(better).slice(0, limit);
    seen += batch.length;
    if (seen >= MOST_FILES) break;
  }
  return {
    paths: (ordered ? found.toSorted(better) : found).slice(0, limit).map(({ file }) => file),
    complete: count <= limit && seen < MOST_FILES,
  };
}

/** A path below the root of a search with `/` between its parts; faster than `path.relative`. */
export function belowRoot(root: string, file: string): string {
  const cut =
    file.startsWith(root) && file[root.length] === path.sep
      ? file.slice(root.length + 1)
      : path.relative(root, file);
  return path.sep === '/' ? cut : cut.split(path.sep).join('/');
}

function byPath(left: Candidate, right: Candidate): number {
  return compare(left.below, right.below);
}

function byScore(left: Candidate, right: Candidate): number {
  return (
    right.score - left.score ||
    left.below.length - right.below.length ||
    compare(left.below, right.below)
  );
}

/** As .gitignore: without a slash names at any depth. Fails with `invalid` if too long. */
export function globMatcher(pattern: string): (below: string) => boolean {
  const anchored = pattern.replace(/^\.?\//u, '');
  if (anchored === '**/*' || anchored === '**') return () => true;
  if (anchored.length > LONGEST_PATTERN) {
    const message = told`The pattern ${JSON.stringify(`${pattern.slice(0, 60)}…`)} has ${pattern.length} characters: at most ${LONGEST_PATTERN} are matched. Write a shorter one.`;
    throw fault('invalid', message);
  }
  const globs = getBracketReadings(anchored).map((one) =>
    glob(one, { anyCase: process.platform === 'win32' }),
  );
  const matches = (text: string): boolean => globs.some((one) => one.matches(text));
  if (pattern.includes('/')) return matches;
  return (below) => matches(below.slice(below.lastIndexOf('/') + 1));
}

export function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
