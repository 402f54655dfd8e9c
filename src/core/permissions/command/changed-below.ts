import { told, type Told } from '../../../domain/text/told.ts';
import { nameOf, pathBelow } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { protectionBelow } from '../protected-paths.ts';
import type { PathUse } from './finding.ts';
import type { CommandJudgeParts } from './judge-parts.ts';
import type { SecretScan } from './secret-scan.ts';
import type { ShellWord } from './shell/shell-word.ts';

/** Entries that are scanned before a folder is treated as too large to be moved or copied. */
const MAX_ENTRIES = 5000;

interface ChangeParts {
  readonly parts: CommandJudgeParts;
  readonly roots: readonly string[];
  readonly scan: SecretScan;
  /** Returns the absolute paths that a word may mean. */
  readonly findPaths: (word: ShellWord) => Promise<readonly string[]>;
}

/** Returns why creating, moving or copying a judged file or folder requires approval. */
export async function findChangeProblem(
  { parts, roots, scan, findPaths }: ChangeParts,
  { word, below, fresh }: PathUse,
  judged: JudgedPath,
): Promise<Told | undefined> {
  const { guard, files } = parts;
  if (below !== undefined) {
    // A moved file can be read under its new name.
    const read = await guard.judge({ path: judged.path, access: 'read' }, roots);
    if (read.place !== 'inside') return told`${word.text}: ${read.why ?? told`it lies elsewhere`}`;
    const reached = await scan.findProblem(judged.real, below);
    return reached ?? (await findProtected(parts, judged.real, judged.real, roots));
  }
  if (fresh === undefined) return undefined;
  const stat = await files.stat(judged.real);
  const inFolder = stat?.type === 'directory';
  if (stat !== undefined && !inFolder) return told`${word.text} is replaced`;
  for (const from of await findPaths(fresh.for)) {
    const source = await files.realpath(from);
    if (source !== from) return told`${fresh.for.text} is a link, or lies behind one`;
    // An earlier command of the line may create it as a folder.
    const within = `${judged.real}/${nameOf(from)}`;
    if (inFolder && (await files.stat(within)) !== undefined) return told`${within} is replaced`;
    for (const target of inFolder ? [within] : [judged.real, within]) {
      const place = await guard.judge({ path: target, access: 'write' }, roots);
      if (place.place !== 'inside') return told`${target}: ${place.why ?? told`it lies elsewhere`}`;
      const reached = await findProtected(parts, source, target, roots);
      if (reached !== undefined) return reached;
    }
  }
  return undefined;
}

/** Returns why files below a folder may not be at another place: programs obey them, or they mean something else there. */
async function findProtected(
  { files }: Pick<CommandJudgeParts, 'files'>,
  from: string,
  to: string,
  roots: readonly string[],
): Promise<Told | undefined> {
  const open = [''];
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await files.list(`${from}/${at}`).catch(() => []);
    count += entries.length;
    if (count > MAX_ENTRIES) return told`${from} holds too many files to look through beforehand`;
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
