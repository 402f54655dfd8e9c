import type { FileSystem } from '../../ports/files/file-system.ts';
import type { PathGuard } from '../path-guard.ts';
import { type Risk, createRisk } from '../risks.ts';
import { normalizePath, resolvePath } from '../../../domain/paths.ts';
import { isCheck } from '../rules/checks.ts';
import { isStandardStream } from './standard-streams.ts';

/** Words of one command that are looked at; with more it is asked about. */
const MOST_WORDS = 400;
/** Options of checkers and builders with a file that is read. */
const READ_BY_CHECKERS = /^-{1,2}(?:p|c|f|project|config|file|build|manifest-path)$/u;

/** Names of files that matter only in a repository's own folder, and words such as `HEAD~1`. */
const ORDINARY_WORD = /^(?:head(?:[~^]\d*)*|config|packed-refs)$/iu;
/** Longer than any system's name of a file, or path. */
const NO_PATH = /[^/]{256}|^.{4097}/su;
/** A word that may be a subcommand or a target; it counts where there is a file of that name. */
const PLAIN_WORD = /^-{0,2}(?![a-z]*file$)[a-z][a-z0-9_:-]*$/u;

interface ProtectedParts {
  readonly guard: Pick<PathGuard, 'judge'>;
  readonly files: Pick<FileSystem, 'stat'>;
  readonly home?: string;
}

interface Place {
  readonly folder: string;
  readonly roots: readonly string[];
}

/** Finds why an unknown command requires approval each time: a word may be a protected file. */
export async function findProtectedWord(
  { guard, files, home }: ProtectedParts,
  words: readonly string[],
  { folder, roots }: Place,
): Promise<Risk | undefined> {
  const pieces = [...new Set(withoutConfiguration(words).flatMap(piecesOf))];
  if (pieces.length > MOST_WORDS) return createRisk('unclear');
  for (const piece of pieces) {
    const path = piece.startsWith('~/') ? `${home ?? ''}${piece.slice(1)}` : piece;
    const absolute = normalizePath(resolvePath(folder, path));
    if (NO_PATH.test(absolute)) continue;
    if (isStandardStream(absolute, 'read') || isStandardStream(absolute, 'write')) continue;
    const isFile = async (): Promise<boolean> =>
      (await files.stat(absolute).catch(() => undefined))?.type === 'file';
    if (PLAIN_WORD.test(piece) && !(await isFile())) continue;
    for (const access of ['write', 'read'] as const) {
      const { place } = await guard.judge({ path: absolute, access }, roots);
      // The program itself is started, not written; a remembered approval keeps its hash.
      if (place === 'config' && piece === words[0]) continue;
      if (place === 'config' || place === 'forbidden' || place === 'secret')
        return createRisk('protected', piece);
    }
  }
  return undefined;
}

/** The words without a checker's configuration, which says nothing about what it writes. */
function withoutConfiguration(words: readonly string[]): readonly string[] {
  if (!isCheck(words)) return words;
  return words.filter((_, at) => !READ_BY_CHECKERS.test(words[at - 1] ?? ''));
}

/** Pieces of a word that may be paths: behind `=`, `:`, `,` or `-x`, parts of a script. */
function piecesOf(word: string): readonly string[] {
  const pieces = [word, word.replace(/^-{1,2}[^=]*=/u, ''), word.replace(/^-[A-Za-z]/u, '')];
  const parts = word.split(/[\s;|&<>()'"`${}=:,@]+/u);
  // Joined again: a quotation may stand within a name.
  const joined = word.replaceAll(/["'\\]/gu, '').split(/[\s;|&<>(){}$`]+/u);
  return [...pieces, ...parts, ...joined].filter((one) => !ORDINARY_WORD.test(one));
}
