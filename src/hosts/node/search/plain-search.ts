import { readFileSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../core/abort.ts';
import type {
  LineCounts,
  TextMatch,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports.ts';
import { EXCLUDED_FOLDERS, isExcludedName } from './excluded.ts';
import { belowRoot, compare } from './file-names.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { lineMatcher } from './line-matcher.ts';
import { matchesIn, matcherOf, searchedLines } from './searched-lines.ts';
import { LARGEST_SEARCHED } from './search-rules.ts';
import type { SearchRules } from './search-rules.ts';
import { Turn } from './turn.ts';

/** Which files of a walk are wanted; paths are below its root, with `/`. */
interface Filter {
  /** Like ripgrep's: what is included by name is searched although it is ignored. */
  readonly include?: (below: string) => boolean;
  /** Files, and folders with all that is in them. */
  readonly exclude?: (below: string) => boolean;
}

interface Walk extends Filter {
  readonly root: string;
  readonly rules: SearchRules;
  readonly signal: AbortSignal;
}

/** Files of one folder that follow one another, before a folder in it comes. */
const BATCH = 500;

/** Every file that a search looks at, folder by folder in the order of the names, in batches. */
export async function* plainFiles(
  root: string,
  rules: SearchRules,
  signal: AbortSignal,
  filter: Filter = {},
): AsyncGenerator<readonly string[]> {
  const ofGit = await IgnoreRules.atRoot(root, rules.environment);
  yield* filesIn(root, ofGit, { root, rules, signal, ...filter });
}

async function* filesIn(
  folder: string,
  rules: IgnoreRules,
  walk: Walk,
): AsyncGenerator<readonly string[]> {
  throwIfAborted(walk.signal);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => compare(left.name, right.name));
  let batch: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (!isWanted(walk, rules, file, entry)) continue;
    if (!isFolder) batch.push(file);
    if (!isFolder && batch.length < BATCH) continue;
    if (batch.length > 0) yield batch;
    batch = [];
    throwIfAborted(walk.signal);
    if (isFolder) yield* filesIn(file, await rules.below(file), walk);
  }
  if (batch.length > 0) yield batch;
}

function isWanted(walk: Walk, rules: IgnoreRules, file: string, entry: Dirent): boolean {
  const isFolder = entry.isDirectory();
  if (isFolder ? EXCLUDED_FOLDERS.includes(entry.name) : !entry.isFile()) return false;
  if (!isFolder && (isExcludedName(entry.name) || walk.rules.hidden?.has(file) === true))
    return false;
  const below = belowRoot(walk.root, file);
  if (walk.exclude?.(below) === true) return false;
  const byName = isFolder ? undefined : walk.include;
  if (byName === undefined ? rules.ignores(file, isFolder) : !byName(below)) return false;
  return walk.rules.ignored.ruleFor(file, isFolder) === undefined;
}

/** The scan for machines without ripgrep: the same rules, slower. */
export async function plainText(
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  const matcher = lineMatcher(request);
  const matches: TextMatch[] = [];
  for await (const file of searchedFiles(request, rules, signal)) {
    for (const match of matchesIn(file, await linesOf(file), matcher, request.context)) {
      if (matches.length >= request.limit) return { matches: sorted(matches), complete: false };
      matches.push(match);
    }
  }
  return { matches: sorted(matches), complete: true };
}

export async function plainCounts(
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<LineCounts> {
  const matcher = lineMatcher(request);
  const files: { readonly path: string; readonly lines: number }[] = [];
  for await (const file of searchedFiles(request, rules, signal)) {
    const lines = matcher(await linesOf(file)).length;
    if (lines > 0) files.push({ path: file, lines });
  }
  files.sort((left, right) => compare(left.path, right.path));
  return {
    files: files.slice(0, request.limit),
    complete: files.length <= request.limit,
  };
}

async function* searchedFiles(
  { root, include = [], exclude = [] }: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const info = await stat(root).catch(() => undefined);
  if (info?.isFile() === true) {
    const isHidden = rules.hidden?.has(root) === true;
    if (!isHidden && rules.ignored.ruleFor(root, false) === undefined) yield root;
    return;
  }
  const filter = {
    ...(include.length === 0 ? {} : { include: matcherOf(include) }),
    exclude: matcherOf(exclude),
  };
  const turn = new Turn();
  for await (const batch of plainFiles(root, rules, signal, filter)) {
    for (const file of batch) {
      yield file;
      await turn.pass();
      throwIfAborted(signal);
    }
  }
}

/** Bytes of a file that is read without waiting: that is several times faster for the many small ones. */
const SMALL = 256 * 1024;

/** None of what is binary, too large or not to be read. */
async function linesOf(file: string): Promise<readonly string[]> {
  const content = await contentOf(file).catch(() => undefined);
  if (content === undefined || content.subarray(0, 65_536).includes(0)) return [];
  return searchedLines(content.toString('utf8'));
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined || size > LARGEST_SEARCHED) return undefined;
  return size <= SMALL ? readFileSync(file) : readFile(file);
}

function sorted(matches: readonly TextMatch[]): TextMatch[] {
  return matches.toSorted(
    (left, right) => compare(left.path, right.path) || left.line - right.line,
  );
}
