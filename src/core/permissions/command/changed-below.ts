import { nameOf, pathBelow } from '../../../domain/paths.ts';
import type { JudgedPath } from '../path-guard.ts';
import { protectionBelow } from '../protected-paths.ts';
import { type Risk, createRisk } from '../risks.ts';
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
): Promise<Risk | undefined> {
  const { guard, files } = parts;
  if (below !== undefined) {
    // A moved file can be read under its new name.
    const read = await guard.judge({ path: judged.path, access: 'read' }, roots);
    if (read.place !== 'inside') return read.risk ?? createRisk('protected', word.text);
    const reached = await scan.findProblem(judged.real, below);
    return reached ?? (await findProtected(parts, judged.real, judged.real, roots));
  }
  if (fresh === undefined) return undefined;
  const stat = await files.stat(judged.real);
  const inFolder = stat?.type === 'directory';
  if (stat !== undefined && !inFolder) return createRisk('replaces', word.text);
  for (const from of await findPaths(fresh.for)) {
    const source = await files.realpath(from);
    if (source !== from) return createRisk('link', fresh.for.text);
    // An earlier command of the line may create it as a folder.
    const within = `${judged.real}/${nameOf(from)}`;
    if (inFolder && (await files.stat(within)) !== undefined) return createRisk('replaces', within);
    for (const target of inFolder ? [within] : [judged.real, within]) {
      const place = await guard.judge({ path: target, access: 'write' }, roots);
      if (place.place !== 'inside') return place.risk ?? createRisk('protected', target);
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
): Promise<Risk | undefined> {
  const open = [''];
  let count = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await files.list(`${from}/${at}`).catch(() => []);
    count += entries.length;
    if (count > MAX_ENTRIES) return createRisk('too-many-files', from);
    for (const { name, type } of entries) {
      const below = at === '' ? name : `${at}/${name}`;
      if (type === 'directory') open.push(below);
      const target = `${to}/${below}`;
      if (type === 'symlink') return createRisk('link', target);
      if (name.startsWith('-')) return createRisk('option-name', target);
      const named = roots.map((root) => pathBelow(root, target)).find((one) => one !== undefined);
      if (protectionBelow(named ?? target) !== 'none') return createRisk('obeyed', target);
    }
  }
  return undefined;
}
