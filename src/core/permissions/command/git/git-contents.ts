import { told, type Told } from '../../../../domain/text/told.ts';
import { wordSet } from '../../../../domain/text/words.ts';
import { pathBelow, resolvePath } from '../../../../domain/paths.ts';
import { isSecretFile } from '../../secret-files.ts';
import type { CommandJudgeParts } from '../judge-parts.ts';
import type { ReadArguments } from '../arguments.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { takeApart } from './tree-path.ts';

export interface GitContents {
  /** Files that git does not know yet, too. */
  readonly untracked: boolean;
  /** Their places, if all that is named is there; empty: anywhere in the repository. */
  readonly paths: readonly ShellWord[];
  /** Behind `--`: names of files and patterns only. */
  readonly onlyPaths: boolean;
}

/** Options that make the text of changes part of what is shown. */
const PATCH = new Set(
  '-p -u -U -W -L -c --cc --patch --unified --patch-with-raw --patch-with-stat --function-context --binary --word-diff --color-words --combined-all-paths --check'.split(
    ' ',
  ),
);
/** Options that put something else in the place of it. */
const NO_PATCH = wordSet(`
  -s --no-patch --stat --numstat --shortstat --dirstat --summary --name-only
  --name-status --raw --compact-summary --quiet --exit-code
`);
/** With one of these `git status` shows the text of changes, too. */
const VERBOSE = new Set(['-v', '--verbose']);
/** Options of `git grep` that show names and numbers only. */
const NAMES_ONLY = wordSet(
  '-l -L -c -q --files-with-matches --files-without-match --name-only --count --quiet',
);

/** `undefined`: it shows no text of files, or only of those that it names one by one. */
export function gitContents(
  subcommand: string,
  { options, operands }: ReadArguments,
  words: readonly ShellWord[],
): GitContents | undefined {
  const has = (names: ReadonlySet<string>): boolean => options.some(({ name }) => names.has(name));
  const end = words.findIndex(({ value }) => value === '--');
  const onlyPaths = end >= 0;
  const paths = onlyPaths ? words.slice(end + 1) : operands;
  const contents = { untracked: false, onlyPaths, paths };
  switch (subcommand) {
    case 'grep': {
      const untracked = options.some(({ name }) => name === '--untracked');
      const given = options.some(({ name }) => name === '-e') || onlyPaths ? paths : paths.slice(1);
      // It looks below the current folder alone.
      const named = given.length === 0 ? [{ text: '.', value: '.' }] : given;
      return has(NAMES_ONLY) ? undefined : { ...contents, untracked, paths: named };
    }
    case 'status':
      return has(VERBOSE) ? { ...contents, paths: [] } : undefined;
    case 'diff':
      return has(NO_PATCH) && !has(PATCH) ? undefined : contents;
    case 'show':
      // `HEAD:path` is judged by its path.
      if (operands.length > 0 && operands.every(({ value }) => takeApart(value).path !== undefined))
        return undefined;
      return has(NO_PATCH) && !has(PATCH) ? undefined : contents;
    case 'stash list':
    case 'stash show':
    case 'log':
    case 'reflog':
    case 'reflog show':
    case 'whatchanged':
    case 'diff-tree':
    case 'rev-list':
    case 'shortlog':
      return has(PATCH) ? contents : undefined;
    default:
      return undefined;
  }
}

/**
 * The reason why what a command of git shows needs a question: the person keeps a file in it from
 * the agent, or one lies outside the workspace. (Names of secrets count only for files that git does not have, or has in a stash
 * or another commit alone: what else it has, everyone has.)
 */
export async function contentsKeptBack(
  { guard, files, repositories }: Parts,
  folder: string,
  contents: GitContents & { readonly commits: readonly string[] },
  roots: readonly string[],
): Promise<Told | undefined> {
  const own = await repositories?.files(folder, contents.untracked);
  if (own === undefined) return told`which files git would show cannot be told`;
  const known = new Set(own);
  const others = new Set<string>();
  for (const commit of new Set(contents.commits))
    for (const file of (await repositories?.filesOf(folder, commit)) ?? [])
      if (!known.has(file)) others.add(file);
  const all = [...own, ...others];
  const places = await placesOf(files, folder, contents);
  const shown =
    places === undefined
      ? all
      : all.filter((file) => places.some((place) => pathBelow(place, file) !== undefined));
  const tops = await Promise.all(roots.map(async (root) => guard.folder(root)));
  const isOutside = (file: string): boolean =>
    tops.every((top) => pathBelow(top, file) === undefined);
  if (shown.some(isOutside)) return told`it would show files outside the workspace`;
  const why = await guard.keptBack(shown);
  if (why !== undefined) return told`it would show a file of the repository: ${why}`;
  const secret = shown.find(
    (file) => (contents.untracked || others.has(file)) && isSecretFile(file),
  );
  return secret === undefined ? undefined : told`it would read ${secret}, too`;
}

type Parts = Pick<CommandJudgeParts, 'guard' | 'files' | 'repositories'>;

/** The files and folders that are named, absolute and real; `undefined`: anything may be meant. */
async function placesOf(
  files: Parts['files'],
  folder: string,
  { paths, onlyPaths }: GitContents,
): Promise<readonly string[] | undefined> {
  const places: string[] = [];
  for (const { value, patterns } of paths) {
    // Patterns, and git's own words among paths.
    if (patterns !== undefined || /^:|[*?[\\]/u.test(value)) return undefined;
    const path = resolvePath(folder, value);
    if ((await files.stat(path)) !== undefined) places.push(await files.realpath(path));
    else if (onlyPaths) return undefined;
  }
  return places.length === 0 ? undefined : places;
}
