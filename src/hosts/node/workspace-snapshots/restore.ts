import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import path from 'node:path';
import { sameLeaf } from '../../../core/restore/turned-back.ts';
import type { RestoreStep } from '../../../core/ports/workspace-snapshots.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { BelayError } from '../../../domain/failure.ts';
import { systemCode } from '../system-failure.ts';

/** Names that a restore never writes to, as in every other guard. */
const FORBIDDEN = new Set(['.git', '.hg', '.svn', '.jj']);

/**
 * Puts paths of a folder back, all of them or none. Everything is checked and laid ready beside its place
 * first; what fails afterwards is undone. No link is followed: when a folder on the way has become one,
 * nothing is changed.
 * @param root absolute and real
 * @throws BelayError `permission` when a path leads elsewhere, `invalid` when one is not as it was expected
 *   to be, `tool` when the disk refuses
 */
export async function restorePaths(root: string, steps: readonly RestoreStep[]): Promise<void> {
  for (const { path: name, from } of steps) {
    const at = await placeOf(root, name);
    if (!sameLeaf(await leafAt(at), from)) {
      throw new BelayError({
        code: 'invalid',
        message: `${name} has changed since the preview. Nothing was restored; look at the preview again.`,
      });
    }
  }
  const ready: Ready[] = [];
  const done: (() => Promise<void>)[] = [];
  try {
    // Deletions first: a folder may take the place of a file, and a name that of another case of it.
    for (const step of steps.filter(({ to }) => to.kind === 'absent')) await take(root, step, done);
    for (const step of steps.filter(({ to }) => to.kind !== 'absent'))
      ready.push(await lay(root, step, done));
    for (const one of ready) await put(root, one, done);
  } catch (thrown) {
    for (const undo of done.toReversed()) await undo();
    throw restoreFailure(thrown);
  } finally {
    for (const { laid } of ready) await rm(laid, { force: true });
  }
}

interface Ready {
  readonly step: RestoreStep;
  readonly at: string;
  /** The new content, beside its place. */
  readonly laid: string;
}

async function take(
  root: string,
  { path: name, from }: RestoreStep,
  done: (() => Promise<void>)[],
): Promise<void> {
  const at = await placeOf(root, name);
  if (from.kind === 'absent') return;
  await unlink(at);
  done.push(() => write(at, from));
  await removeEmptyFolders(root, path.dirname(name), done);
}

async function lay(root: string, step: RestoreStep, done: (() => Promise<void>)[]): Promise<Ready> {
  const at = await placeOf(root, step.path);
  for (const made of await makeFolders(root, path.dirname(step.path)))
    done.push(async () => {
      await rmdir(made).catch(() => undefined);
    });
  const laid = path.join(path.dirname(at), `.belay-${randomUUID()}`);
  await write(laid, step.to);
  return { step, at, laid };
}

async function put(
  root: string,
  { step, laid }: Ready,
  done: (() => Promise<void>)[],
): Promise<void> {
  const { path: name, from } = step;
  // Judged again, now that everything is ready.
  const at = await placeOf(root, name);
  await rename(laid, at);
  done.push(async () => {
    if (from.kind === 'absent') await unlink(at);
    else {
      const back = path.join(path.dirname(at), `.belay-${randomUUID()}`);
      await write(back, from);
      await rename(back, at);
    }
  });
}

async function write(at: string, leaf: Leaf): Promise<void> {
  if (leaf.kind === 'link') await symlink(leaf.target, at);
  if (leaf.kind !== 'file') return;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(at, flags, leaf.mode);
  try {
    await file.writeFile(leaf.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(at, leaf.mode);
}

/** Where a path lies, when every folder on the way is one and lies where its name says. */
async function placeOf(root: string, name: string): Promise<string> {
  const parts = name.split('/');
  const wrong = parts.find(
    (part) => part === '' || part === '.' || part === '..' || part.includes(path.sep),
  );
  if (wrong !== undefined || parts.some((part) => FORBIDDEN.has(part.toLowerCase())))
    throw leadsElsewhere(name);
  let at = root;
  for (const part of parts.slice(0, -1)) {
    at = path.join(at, part);
    const stat = await lstat(at).catch(() => undefined);
    // What is not there yet will be made; a file in the way is one of the paths that are taken away.
    if (stat === undefined) break;
    if (stat.isSymbolicLink() || (stat.isDirectory() && (await realpath(at)) !== at))
      throw leadsElsewhere(name);
  }
  return path.join(root, ...parts);
}

const leadsElsewhere = (name: string): BelayError =>
  new BelayError({
    code: 'permission',
    message: `${name} leads to another place than it did: a folder on the way has become a link, or it is not to be touched. Nothing was restored.`,
  });

export async function leafAt(at: string): Promise<Leaf> {
  const stat = await lstat(at).catch(() => undefined);
  if (stat === undefined || stat.isDirectory()) return { kind: 'absent' };
  if (stat.isSymbolicLink()) return { kind: 'link', target: await readlink(at) };
  return { kind: 'file', bytes: await readFile(at), mode: stat.mode & 0o777 };
}

/** Makes the folders that are missing on the way; gives back those, the outermost first. */
async function makeFolders(root: string, folder: string): Promise<string[]> {
  const made: string[] = [];
  let at = root;
  for (const part of folder === '.' ? [] : folder.split('/')) {
    at = path.join(at, part);
    try {
      await mkdir(at);
      made.push(at);
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown;
    }
  }
  return made;
}

async function removeEmptyFolders(
  root: string,
  folder: string,
  done: (() => Promise<void>)[],
): Promise<void> {
  if (folder === '.' || folder === '') return;
  const at = path.join(root, ...folder.split('/'));
  const entries = await readdir(at).catch(() => undefined);
  if (entries?.length !== 0) return;
  const { mode } = await lstat(at);
  await rmdir(at);
  done.push(() => mkdir(at, mode));
  await removeEmptyFolders(root, path.dirname(folder), done);
}

function restoreFailure(thrown: unknown): BelayError {
  if (thrown instanceof BelayError) return thrown;
  return new BelayError({
    code: 'tool',
    message: `The files could not be restored (${systemCode(thrown) ?? String(thrown)}). Everything is as it was before.`,
  });
}
