import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../../core/abort.ts';
import type { TextMatch, TextSearchRequest, TextSearchResult } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { EXCLUDED_FILES, EXCLUDED_FOLDERS } from './excluded.ts';
import { compare, globMatcher } from './file-names.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { shownLine } from './matched-line.ts';
import { LARGEST_SEARCHED } from './ripgrep.ts';

const excludedFile = matcherOf(EXCLUDED_FILES);

/** Every file that a search looks at, folder by folder in the order of the names. */
export async function* plainFiles(
  root: string,
  signal: AbortSignal,
  include?: (below: string) => boolean,
): AsyncGenerator<string> {
  yield* filesIn(root, await IgnoreRules.atRoot(root), { root, signal, include });
}

interface Walk {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Like ripgrep's: what is included by name is searched although it is ignored. */
  readonly include: ((below: string) => boolean) | undefined;
}

async function* filesIn(folder: string, rules: IgnoreRules, walk: Walk): AsyncGenerator<string> {
  throwIfAborted(walk.signal);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((left, right) => compare(left.name, right.name));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (EXCLUDED_FOLDERS.includes(entry.name) || rules.ignores(file, true)) continue;
      yield* filesIn(file, await rules.below(file), walk);
    } else if (entry.isFile()) {
      if (excludedFile(entry.name)) continue;
      const below = path.relative(walk.root, file).split(path.sep).join('/');
      const wanted = walk.include === undefined ? !rules.ignores(file, false) : walk.include(below);
      if (wanted) yield file;
    }
  }
}

/** The scan for machines without ripgrep: the same rules, slower. */
export async function plainText(
  request: TextSearchRequest,
  signal: AbortSignal,
): Promise<TextSearchResult> {
  const pattern = patternOf(request);
  const include =
    request.include === undefined || request.include.length === 0
      ? undefined
      : matcherOf(request.include);
  const excluded = matcherOf(request.exclude ?? []);
  const matches: TextMatch[] = [];
  const info = await stat(request.root).catch(() => undefined);
  const files =
    info?.isFile() === true ? [request.root] : plainFiles(request.root, signal, include);
  for await (const file of files) {
    const below = path.relative(request.root, file).split(path.sep).join('/');
    if (excluded(below)) continue;
    for (const match of await matchesIn(file, pattern, request.context)) {
      if (matches.length >= request.limit) return { matches: sorted(matches), complete: false };
      matches.push(match);
    }
    throwIfAborted(signal);
  }
  return { matches: sorted(matches), complete: true };
}

async function matchesIn(
  file: string,
  pattern: RegExp,
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
  const matches: TextMatch[] = [];
  for (const [index, line] of lines.entries()) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const around = (from: number, to: number): string[] =>
      lines.slice(Math.max(0, from), to).map((text) => shownLine(text));
    matches.push({
      path: file,
      line: index + 1,
      text: shownLine(line, found.index, found.index + found[0].length),
      before: around(index - context, index),
      after: around(index + 1, index + 1 + context),
    });
  }
  return matches;
}

function patternOf({ pattern, regex, caseSensitive }: TextSearchRequest): RegExp {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  const flags = caseSensitive ? 'u' : 'ui';
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const message = `${JSON.stringify(pattern)} is not a regular expression that the search understands: ${reason}. Escape special characters, or search with "regex": false.`;
    throw new BelayError({ code: 'invalid', message }, { cause: thrown });
  }
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
