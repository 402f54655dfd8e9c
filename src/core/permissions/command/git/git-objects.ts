import { told, type Told } from '../../../../domain/text/told.ts';
import type { RepositoryInspector } from '../../../ports/commands/repository-inspector.ts';
import type { ReadArguments } from '../arguments.ts';
import type { GitUse, InTree } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { takeApart } from './tree-path.ts';

/** Subcommands that print the text of an object that is named by its hash. */
const PRINTS = new Set(['show', 'cat-file', 'diff', 'grep', 'diff-tree', 'blame']);

/** Operands that may be a revision, and paths in one (`HEAD:path`); an object has lost its path. `commits`: those that a walk begins at, too. */
export function objectWords(
  subcommand: string,
  { operands, options }: ReadArguments,
  words: readonly ShellWord[],
  begin: number,
): Pick<GitUse, 'revisions' | 'inTree' | 'commits'> {
  const named = namedBefore(operands, words, begin);
  const ends = named.flatMap((word) => endsOf(takeApart(word.value).revision));
  const commits = [...ends, ...stashesOf(subcommand, options, ends)];
  const shows = !options.some(({ name }) => ['-t', '-s', '-e'].includes(name));
  if (!PRINTS.has(subcommand) || (subcommand === 'cat-file' && !shows)) return { commits };
  const revisions: ShellWord[] = [];
  const inTree: InTree[] = [];
  for (const word of named) {
    const { revision, path } = takeApart(word.value);
    if (path !== undefined) inTree.push({ path, names: endsOf(word.value) });
    for (const one of endsOf(revision)) revisions.push({ text: word.text, value: one });
  }
  return { revisions, inTree, commits };
}

/** The operands before `--`. */
function namedBefore(
  operands: readonly ShellWord[],
  words: readonly ShellWord[],
  begin: number,
): readonly ShellWord[] {
  const end = words.findIndex(({ value }) => value === '--');
  const behind = end < 0 ? 0 : words.length - end - 1;
  return operands.slice(begin, operands.length - behind);
}

/** Stashes that a command shows without their full name: the last one, or one by its number. */
function stashesOf(
  subcommand: string,
  options: ReadArguments['options'],
  ends: readonly string[],
): readonly string[] {
  const isOfStash = subcommand.startsWith('stash');
  const isOfAll = options.some(({ name }) => name === '--all' || name === '--glob');
  const numbered = ends.flatMap((one) => (/^\d+$/u.test(one) ? [`stash@{${one}}`] : []));
  return [...(isOfStash || isOfAll ? ['refs/stash'] : []), ...(isOfStash ? numbered : [])];
}

function endsOf(revision: string): readonly string[] {
  return revision
    .replace(/^\^/u, '')
    .replace(/\^(?:!|@|-\d*)$/u, '')
    .split(/\.{2,3}/u)
    .filter((one) => one !== '');
}

/**
 * The reason why a word is no path in a revision: git looks first whether all of it is a commit, by the name of one at
 * its end (`HEAD:a-g1234567`) or a time (`HEAD@{1 day ago}:a}`).
 */
export async function isCommit(
  repositories: Pick<RepositoryInspector, 'kindOf'>,
  folder: string,
  { names }: InTree,
): Promise<Told | undefined> {
  for (const name of names)
    if ((await repositories.kindOf(folder, name)) === 'commit')
      return told`git takes ${name} for a commit and not for a file in one`;
  return undefined;
}

/** The reason why revisions (`names`, no ranges) need a question: one is not of a commit. */
export async function notOfCommits(
  repositories: Pick<RepositoryInspector, 'kindOf'>,
  folder: string,
  names: readonly string[],
): Promise<Told | undefined> {
  for (const name of names) {
    const kind = await repositories.kindOf(folder, name);
    if (kind === 'blob')
      return told`${name} is a file of the repository without its path: it could be any, also one that is kept from you`;
    if (kind === 'tree')
      return told`${name} is a folder of the repository without its path: it could be any, also one that is kept from you`;
  }
  return undefined;
}
