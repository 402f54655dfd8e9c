import { type Dirent, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import type {
  LineCounts,
  TextMatch,
  TextSearchRequest,
  TextSearchResult,
} from '../../../core/ports/files/search.ts';
import { EXCLUDED_FOLDERS, isExcludedName } from './ignore/excluded.ts';
import { belowRoot, compare } from './file-names.ts';
import { IgnoreRules } from './ignore/ignore-rules.ts';
import { LineThread } from './line-thread.ts';
import type { SearchedFile } from './line-worker.ts';
import { matcherOf } from './searched-lines.ts';
import type { SearchRules } from './search-rules.ts';
import { Turn } from '../../../domain/lifetime/steps.ts';

/** The wanted files of a walk; paths are below its root, with `/`. */
interface Filter {
  /** Like ripgrep's: what is included by name is searched although it is ignored. */
  readonly include?: (below: string) => boolean;
  /** Files, and folders with all that is in them. */
  readonly exclude?: (below: string) => boolean;
}

/** Is told of what a walk leaves out: folders that cannot be listed, and what git ignores. */
type TellLeftOut = (kind: 'folders' | 'ignored' | 'ignoredFolders', path: string) => void;

interface Walk extends Filter {
  readonly tellLeftOut?: TellLeftOut | undefined;
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
  filter: Filter & Pick<Walk, 'tellLeftOut'> = {},
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
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    walk.tellLeftOut?.('folders', folder);
    return [];
  });
  const turn = new Turn();
  entries.sort((left, right) => compare(left.name, right.name));
  let batch: string[] = [];
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const isFolder = entry.isDirectory();
    await turn.pass();
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
  if (!isFolder && walk.include?.(below) === false) return false;
  return !isIgnored(walk, rules, file, isFolder);
}

/** Tells of what git ignores, and of nothing that the user keeps from the agent. */
function isIgnored(walk: Walk, rules: IgnoreRules, file: string, isFolder: boolean): boolean {
  const isIncluded = !isFolder && walk.include !== undefined;
  const byGit = !isIncluded && walk.rules.searchesIgnored !== true && rules.ignores(file, isFolder);
  if (byGit && walk.tellLeftOut === undefined) return true;
  if (walk.rules.ignored.ruleFor(file, isFolder) !== undefined) return true;
  if (byGit) walk.tellLeftOut?.(isFolder ? 'ignoredFolders' : 'ignored', file);
  return byGit;
}

/**
 * True when git ignores a folder or everything in it: who names such a folder wants it to be searched, so that the
 * rules of git do not apply there.
 */
export async function isIgnoredByGit(
  root: string,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<boolean> {
  let hasIgnored = false;
  const tellLeftOut: TellLeftOut = (kind) => {
    hasIgnored ||= kind !== 'folders';
  };
  for await (const batch of plainFiles(root, rules, signal, { tellLeftOut }))
    if (batch.length > 0) return false;
  return hasIgnored;
}

/** The scan for machines without ripgrep: the same rules, slower. */
export async function plainText(
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  const thread = new LineThread(request, request.context, signal);
  const matches: TextMatch[] = [];
  try {
    for await (const files of searchedFiles(request, rules, signal)) {
      for (const found of await thread.find(files)) matches.push(...found.matches);
      if (matches.length > request.limit)
        return { matches: sorted(matches.slice(0, request.limit)), complete: false };
    }
    return { matches: sorted(matches), complete: true };
  } finally {
    await thread.close();
  }
}

export async function plainCounts(
  request: TextSearchRequest,
  rules: SearchRules,
  signal: AbortSignal,
): Promise<LineCounts> {
  const thread = new LineThread(request, undefined, signal);
  const found: { readonly path: string; readonly lines: number }[] = [];
  try {
    for await (const batch of searchedFiles(request, rules, signal))
      for (const { path: file, lines } of await thread.find(batch))
        found.push({ path: file, lines });
  } finally {
    await thread.close();
  }
  found.sort((left, right) => compare(left.path, right.path));
  return { files: found.slice(0, request.limit), complete: found.length <= request.limit };
}

/** Files that are looked into at once, when they are small. */
const AT_ONCE = 50;
/** Bytes of a file that is looked into alone. */
const LARGE = 256 * 1024;

/** The files that a search looks into, in batches. */
export async function* searchedFiles(
  { root, include = [], exclude = [] }: Pick<TextSearchRequest, 'root' | 'include' | 'exclude'>,
  rules: SearchRules,
  signal: AbortSignal,
  tellLeftOut?: TellLeftOut,
): AsyncGenerator<readonly SearchedFile[]> {
  const info = await stat(root).catch(() => undefined);
  if (info?.isFile() === true) {
    const isHidden = rules.hidden?.has(root) === true;
    if (!isHidden && rules.ignored.ruleFor(root, false) === undefined) yield [{ path: root }];
    return;
  }
  const filter = {
    ...(include.length === 0 ? {} : { include: matcherOf(include) }),
    exclude: matcherOf(exclude),
    tellLeftOut,
  };
  let waiting: SearchedFile[] = [];
  for await (const batch of plainFiles(root, rules, signal, filter)) {
    for (const file of batch) {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > LARGE) yield [{ path: file }];
      else waiting.push({ path: file });
      if (waiting.length < AT_ONCE) continue;
      yield waiting;
      waiting = [];
      throwIfAborted(signal);
    }
  }
  yield waiting;
}

function sorted(matches: readonly TextMatch[]): TextMatch[] {
  return matches.toSorted(
    (left, right) => compare(left.path, right.path) || left.line - right.line,
  );
}
