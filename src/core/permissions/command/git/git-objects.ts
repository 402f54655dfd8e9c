import type { RepositoryInspector } from '../../../ports/commands/repository-inspector.ts';
import type { ReadArguments } from '../arguments.ts';
import type { GitUse } from '../finding.ts';
import type { ShellWord } from '../shell/shell-word.ts';

/** Subcommands that print the text of an object that is named by its hash. */
const PRINTS = new Set(['show', 'cat-file', 'diff', 'grep', 'diff-tree', 'blame']);
/** `:path`, `:2:path`: of the index. */
const INDEX = /^:(?:[0-3]:)?(?!\/|[(!^])(?<path>.+)$/su;

/** Operands that may be a revision, and paths in one (`HEAD:path`); an object has lost its path. */
export function objectWords(
  subcommand: string,
  { operands, options }: ReadArguments,
  words: readonly ShellWord[],
  begin: number,
): Pick<GitUse, 'revisions' | 'inTree'> {
  const shows = !options.some(({ name }) => ['-t', '-s', '-e'].includes(name));
  if (!PRINTS.has(subcommand) || (subcommand === 'cat-file' && !shows)) return {};
  const end = words.findIndex(({ value }) => value === '--');
  const behind = end < 0 ? 0 : words.length - end - 1;
  const named = operands.slice(begin, operands.length - behind);
  const revisions: ShellWord[] = [];
  const inTree: string[] = [];
  for (const word of named) {
    const { revision, path } = takeApart(word.value);
    if (path !== undefined) inTree.push(path);
    for (const one of endsOf(revision)) revisions.push({ text: word.text, value: one });
  }
  return { revisions, inTree };
}

/** `main:src/a.ts` is a revision and a path in it; a colon in braces belongs to the revision. */
function takeApart(word: string): {
  readonly revision: string;
  readonly path?: string;
} {
  const index = INDEX.exec(word)?.groups?.['path'];
  if (index !== undefined) return { revision: '', path: index };
  let depth = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (word[at] === '{') depth += 1;
    else if (word[at] === '}') depth -= 1;
    else if (word[at] === ':' && depth === 0 && at > 0)
      return { revision: word.slice(0, at), path: word.slice(at + 1) };
  }
  return { revision: word };
}

function endsOf(revision: string): readonly string[] {
  return revision
    .replace(/^\^/u, '')
    .replace(/\^(?:!|@|-\d*)$/u, '')
    .split(/\.{2,3}/u)
    .filter((one) => one !== '');
}

/** The reason why revisions (`names`, no ranges) need a question: one is not of a commit. */
export async function notOfCommits(
  repositories: Pick<RepositoryInspector, 'kindOf'>,
  folder: string,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const kind = await repositories.kindOf(folder, name);
    if (kind === 'blob' || kind === 'tree')
      return `${name} is a ${kind === 'blob' ? 'file' : 'folder'} of the repository without its path: it could be any, also one that is kept from you`;
  }
  return undefined;
}
