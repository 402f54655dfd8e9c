import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../core/abort.ts';
import type { TextMatch, TextSearchRequest, TextSearchResult } from '../../../core/ports.ts';
import { EXCLUDED_FILES, EXCLUDED_FOLDERS } from './excluded.ts';
import { compare, globMatcher } from './file-names.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { lineMatcher } from './line-matcher.ts';
import type { LineMatcher } from './line-matcher.ts';
import { shownLine } from './matched-line.ts';
import { LARGEST_SEARCHED } from './ripgrep.ts';

const excludedFile = matcherOf(EXCLUDED_FILES);

/** Which files of a walk are wanted; paths are below its root, with `/`. */
interface Filter {
  /** Like ripgrep's: what is included by name is searched although it is ignored. */
  readonly include?: (below: string) => boolean;
  /** Files, and folders with all that is in them. */
  readonly exclude?: (below: string) => boolean;
}

interface Walk extends Filter {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Every file that a search looks at, folder by folder in the order of the names. */
export async function* plainFiles(
  root: string,
  signal: AbortSignal,
  filter: Filter = {},
): AsyncGenerator<string> {
  yield* filesIn(root, await IgnoreRules.atRoot(root), { root, signal, ...filter });
}

async function* filesIn(folder: string, rules: IgnoreRules, walk: Walk): AsyncGenerator<string> {
  throwIfAborted(walk.signal);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => compare(left.name, right.name));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    const below = path.relative(walk.root, file).split(path.sep).join('/');
    if (walk.exclude?.(below) === true) continue;
    if (entry.isDirectory()) {
      if (EXCLUDED_FOLDERS.includes(entry.name) || rules.ignores(file, true)) continue;
      yield* filesIn(file, await rules.below(file), walk);
    } else if (entry.isFile() && !excludedFile(entry.name)) {
      if (walk.include === undefined ? !rules.ignores(file, false) : walk.include(below))
        yield file;
    }
  }
}

/** The scan for machines without ripgrep: the same rules, slower. */
export async function plainText(
  request: TextSearchRequest,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  const matcher = lineMatcher(request);
  const { root, include = [], exclude = [] } = request;
  const filter = {
    ...(include.length === 0 ? {} : { include: matcherOf(include) }),
    exclude: matcherOf(exclude),
  };
  const matches: TextMatch[] = [];
  const info = await stat(root).catch(() => undefined);
  const files = info?.isFile() === true ? [root] : plainFiles(root, signal, filter);
  for await (const file of files) {
    for (const match of await matchesIn(file, matcher, request.context)) {
      if (matches.length >= request.limit) return { matches: sorted(matches), complete: false };
      matches.push(match);
    }
    throwIfAborted(signal);
  }
  return { matches: sorted(matches), complete: true };
}

async function matchesIn(
  file: string,
  matcher: LineMatcher,
  context: number,
): Promise<readonly TextMatch[]> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || info.size > LARGEST_SEARCHED) return [];
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined || content.subarray(0, 65_536).includes(0)) return [];
  const lines = content
    .toString('utf8')
    .replace(/^\ufeff/u, '')
    .split(/\r?\n/u);
  if (lines.at(-1) === '') lines.pop();
  const around = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((text) => shownLine(text));
  return matcher(lines).map(([line, column, length]) => ({
    path: file,
    line: line + 1,
    text: shownLine(lines[line] ?? '', column, column + length),
    before: around(line - context, line),
    after: around(line + 1, line + 1 + context),
  }));
}

function matcherOf(globs: readonly string[]): (below: string) => boolean {
  const matchers = globs.map((glob) => globMatcher(glob.replace(/^!+/u, '')));
  return (below) => matchers.some((matches) => matches(below));
}

function sorted(matches: readonly TextMatch[]): TextMatch[] {
  return matches.toSorted(
    (left, right) => compare(left.path, right.path) || left.line - right.line,
  );
}
