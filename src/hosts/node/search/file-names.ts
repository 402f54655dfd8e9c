import path from 'node:path';
import picomatch from 'picomatch';
import type { FileSearchRequest } from '../../../core/ports.ts';

/** Files looked at by a fuzzy search before it gives what it has. */
const MOST_FILES = 500_000;

/** The files whose names match: by glob, or by the letters of the pattern in their order, best first. */
export async function matchFiles(
  files: AsyncIterable<string>,
  { root, pattern, limit }: FileSearchRequest,
): Promise<{ readonly paths: readonly string[]; readonly complete: boolean }> {
  const glob = /[*?[\]{}]/u.test(pattern) ? globMatcher(pattern) : undefined;
  const found: { readonly file: string; readonly below: string; readonly score: number }[] = [];
  let seen = 0;
  for await (const file of files) {
    const below = path.relative(root, file).split(path.sep).join('/');
    const score = glob === undefined ? fuzzyScore(pattern, below) : glob(below) ? 0 : undefined;
    if (score !== undefined) found.push({ file, below, score });
    seen += 1;
    if (seen >= MOST_FILES) break;
  }
  found.sort(
    (left, right) =>
      right.score - left.score ||
      left.below.length - right.below.length ||
      compare(left.below, right.below),
  );
  if (glob !== undefined) found.sort((left, right) => compare(left.below, right.below));
  return {
    paths: found.slice(0, limit).map(({ file }) => file),
    complete: found.length <= limit && seen < MOST_FILES,
  };
}

/** Like .gitignore and ripgrep: without a slash a pattern means names at any depth, with one it begins at the root. */
export function globMatcher(pattern: string): (below: string) => boolean {
  const anchored = pattern.replace(/^\.?\//u, '');
  const matches = picomatch(anchored, { dot: true, nocase: process.platform === 'win32' });
  if (pattern.includes('/')) return matches;
  return (below) => matches(below.slice(below.lastIndexOf('/') + 1));
}

/**
 * `undefined` when the letters do not occur in their order. Whole words, the file's own name and
 * letters at the beginnings of words count more. Spaces separate parts that may come in any order.
 */
function fuzzyScore(pattern: string, below: string): number | undefined {
  let total = 0;
  for (const part of pattern.toLowerCase().replaceAll('\\', '/').split(/\s+/u)) {
    if (part === '') continue;
    const score = partScore(part, below);
    if (score === undefined) return undefined;
    total += score;
  }
  return total;
}

function partScore(part: string, below: string): number | undefined {
  const text = below.toLowerCase();
  const nameAt = text.lastIndexOf('/') + 1;
  const inName = text.indexOf(part, nameAt);
  if (inName !== -1) {
    const exact = text.length - nameAt === part.length ? 400 : 0;
    return 1000 + exact + (inName === nameAt ? 200 : isBoundary(below, inName) ? 100 : 0);
  }
  const inPath = text.indexOf(part);
  if (inPath !== -1) return 600 + (isBoundary(below, inPath) ? 50 : 0);
  return scattered(part, below, text, nameAt) ?? scattered(part, below, text, 0);
}

function scattered(part: string, below: string, text: string, from: number): number | undefined {
  let score = 0;
  let at = from - 1;
  for (const letter of part) {
    const next = text.indexOf(letter, at + 1);
    if (next === -1) return undefined;
    score += next === at + 1 ? 8 : isBoundary(below, next) ? 6 : -Math.min(3, next - at);
    at = next;
  }
  // Letters strewn over the whole path mean nothing.
  return score >= part.length * 2 ? score + (from > 0 ? 100 : 0) : undefined;
}

function isBoundary(below: string, at: number): boolean {
  const before = below[at - 1];
  const here = below[at] ?? '';
  return (
    before === undefined ||
    /[/._\- ]/u.test(before) ||
    (/[a-z0-9]/u.test(before) && /[A-Z]/u.test(here))
  );
}

export function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
