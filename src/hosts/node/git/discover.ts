import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../../../core/ports/commands/git.ts';

/** Bytes of a `.git` file; git's own are one line. */
const LONGEST_POINTER = 8192;

/** The nearest folder upwards with a `.git`; no bare one: it may hide among files. */
export async function discoverRepository(folder: string): Promise<GitRepository | undefined> {
  let at: string;
  try {
    at = await realpath(folder);
  } catch {
    return undefined;
  }
  for (;;) {
    const gitDir = await gitDirIn(at);
    if (gitDir !== undefined) return { top: at, gitDir };
    const parent = path.dirname(at);
    if (parent === at) return undefined;
    at = parent;
  }
}

/** True when git, asked in this folder, would take a folder on the way for a bare repository. */
export async function isInBareRepository(folder: string): Promise<boolean> {
  let at = await realpath(folder);
  for (;;) {
    if ((await gitDirIn(at)) !== undefined) return false;
    if (await isRepository(at)) return true;
    const parent = path.dirname(at);
    if (parent === at) return false;
    at = parent;
  }
}

async function gitDirIn(folder: string): Promise<string | undefined> {
  const entry = path.join(folder, '.git');
  const found = await lstat(entry).catch(() => undefined);
  if (found === undefined) return undefined;
  const candidate =
    found.isFile() && found.size <= LONGEST_POINTER ? await pointedTo(entry) : entry;
  const real = await realpath(candidate).catch(() => undefined);
  return real !== undefined && (await isRepository(real)) ? real : undefined;
}

/** The folder of a worktree or submodule that a `.git` file names. */
async function pointedTo(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const target = /^gitdir: (.+?)\r?\n?$/su.exec(text)?.[1];
  return target === undefined ? file : path.resolve(path.dirname(file), target);
}

/** True with HEAD, objects and refs, as git wants them; a worktree has the last two elsewhere. */
async function isRepository(folder: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> =>
    lstat(path.join(folder, name)).then(
      () => true,
      () => false,
    );
  if (!(await has('HEAD'))) return false;
  return (await has('commondir')) || ((await has('objects')) && (await has('refs')));
}
