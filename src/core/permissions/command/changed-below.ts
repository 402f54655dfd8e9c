import { told, type Told } from '../../../domain/text/told.ts';
import { nameOf, pathBelow } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { protectionBelow } from '../protected-paths.ts';
import type { PathUse } from './finding.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import { searchBelow } from './search-below.ts';
import type { ShellWord } from './shell/shell-word.ts';

/** Entries that are looked at before a folder counts as too large to be moved or copied. */
const MOST = 5000;

interface ChangeParts {
  readonly parts: CommandJudgeParts;
  readonly roots: readonly string[];
  /** Absolute paths that a word may stand for, from each of the folders it may run in. */
  readonly pathsOf: (word: ShellWord, folders: ReadonlySet<string>) => Promise<readonly string[]>;
}

/** The reason why a judged file or folder may not be made, moved or copied without a question. */
export async function changedBelow(
  { parts, roots, pathsOf }: ChangeParts,
  { word, below, fresh }: PathUse,
  { judged, folders }: { readonly judged: JudgedPath; readonly folders: ReadonlySet<string> },
): Promise<Told | undefined> {
  const { guard, files } = parts;
  if (below !== undefined) {
    // A moved file is read under another name later on.
    const read = await guard.judge({ path: judged.path, access: 'read' }, roots);
    if (read.place !== 'inside') return told`${word.text}: ${read.why ?? told`it lies elsewhere`}`;
    const reached = await searchBelow(parts, judged.real, below, roots);
    return reached ?? (await protectedIn(parts, judged.real, judged.real, roots));
  }
  if (fresh === undefined) return undefined;
  const stat = await files.stat(judged.real);
  const inFolder = stat?.type === 'directory';
  if (stat !== undefined && !inFolder) return told`${word.text} is replaced`;
  for (const from of await pathsOf(fresh.for, folders)) {
    const source = await files.realpath(from);
    if (source !== from) return told`${fresh.for.text} is a link, or lies behind one`;
    // An earlier command of the line may make it as a folder.
    const within = `${judged.real}/${nameOf(from)}`;
    if (inFolder && (await files.stat(within)) !== undefined) return told`${within} is replaced`;
    for (const target of inFolder ? [within] : [judged.real, within]) {
      const place = await guard.judge({ path: target, access: 'write' }, roots);
      if (place.place !== 'inside') return told`${target}: ${place.why ?? told`it lies elsewhere`}`;
      const reached = await protectedIn(parts, source, target, roots);
      if (reached !== undefined) return reached;
    }
  }
  return undefined;
}

/** The reason why what is below a folder may not be at another place: it is obeyed, or would be something else there. */
async function protectedIn(
  { files }: Pick<CommandJudgeParts, 'files'>,
  from: string,
  to: string,
  roots: readonly string[],
): Promise<Told | undefined> {
  const open = [''];
  let looked = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await files.list(`${from}/${at}`).catch(() => []);
    looked += entries.length;
    if (looked > MOST) return told`${from} holds too many files to look through beforehand`;
    for (const { name, type } of entries) {
      const below = at === '' ? name : `${at}/${name}`;
      if (type === 'directory') open.push(below);
      const target = `${to}/${below}`;
      if (type === 'symlink') return told`${target} would be a link that leads elsewhere`;
      if (name.startsWith('-')) return told`${target} would be taken for an option`;
      const named = roots.map((root) => pathBelow(root, target)).find((one) => one !== undefined);
      if (protectionBelow(named ?? target) !== 'none')
        return told`${target}: other programs run or obey this file by themselves`;
    }
  }
  return undefined;
}
