import { resolvePath } from '../../../domain/paths.ts';
import type { JudgedLine } from './call-parts.ts';

/** Commands that change the folder of the programs behind them. */
const MOVES = new Set(['cd', 'pushd', 'popd', 'chdir']);
/** A folder entered at the beginning, and programs that run only when that worked. */
const ENTERS_FIRST = /^\s*cd\s+(?:--\s+)?(?:[^\s;|&(){}<>]+|"[^"$`\\]*"|'[^']*')\s*&&/u;

/** The one folder in which a line's programs run, also behind its first `cd`. */
export function folderOfPrograms({ text, cwd, programs }: JudgedLine): string | undefined {
  if (programs === undefined) return /\b(?:cd|pushd|popd|chdir)\b/u.test(text) ? undefined : cwd;
  const moves = programs.filter(([program = '']) => MOVES.has(program));
  if (moves.length === 0) return cwd;
  const [first] = programs;
  const target = first?.[0] === 'cd' ? first.filter((word) => word !== '--')[1] : undefined;
  // Behind `;`, `||` and groups it may be this folder or the other one.
  const rest = text.replaceAll(/&&|&>|>&/gu, '');
  const isPlain = ENTERS_FIRST.test(text) && !/[;&(){}\n]|\|\|/u.test(rest);
  return moves.length === 1 && target !== undefined && isPlain
    ? resolvePath(cwd, target)
    : undefined;
}
