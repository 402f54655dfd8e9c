import { told } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import type { ManageDisplay } from './manage-files-face.ts';
import { ignoredBecause } from '../../core/ports/files/ignored.ts';
import { nameOf, parentOf, pathBelow, resolvePath } from '../../domain/paths.ts';
import { protectionBelow } from '../../core/permissions/protected-paths.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import type { OperationOptions, Removed } from '../../core/ports/files/file-operations.ts';
import { originOf } from '../editing/write-edit.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

/** Files and folders below one that is moved, copied or removed that are looked at beforehand. */
const MOST_BELOW = 20_000;

export interface Operation {
  readonly kind: 'create_folder' | 'rename' | 'copy' | 'delete';
  readonly path: string;
  /** Of `rename` and `copy` only. */
  readonly to?: string | undefined;
}

interface Place {
  /** The name itself in the real folder that it is in: a link is not followed. */
  readonly real: string;
  readonly shown: string;
}

type Card = ManageDisplay['operations'][number];

export async function placeOf(
  parts: ToolParts,
  asked: string,
  context: ToolContext,
): Promise<Place> {
  const path = absolutePath(asked, context.roots);
  const parent = parentOf(path);
  const real = context.judged?.get(parent) ?? (await parts.disk.files.realpath(parent));
  return { real: resolvePath(real, nameOf(path)), shown: shownPath(path, context.roots) };
}

export async function shownTo(
  parts: ToolParts,
  asked: string,
  context: ToolContext,
): Promise<string> {
  return (await placeOf(parts, asked, context)).shown;
}

export async function described(
  parts: ToolParts,
  { kind, path, to }: Operation,
  context: ToolContext,
): Promise<string> {
  const { real, shown } = await placeOf(parts, path, context);
  if (kind === 'create_folder') return `Create the folder ${shown}`;
  const target = to === undefined ? '' : ` → ${await shownTo(parts, to, context)}`;
  const verb = kind === 'rename' ? 'Move' : kind === 'copy' ? 'Copy' : 'Delete';
  const entry = await parts.disk.operations.lookUp(real);
  if (entry?.type !== 'directory')
    return `${verb} ${entry?.type === 'symlink' ? 'the link ' : ''}${shown}${target}`;
  const below = await entriesBelow(parts, real);
  const many = below.complete ? below.paths.length : `more than ${MOST_BELOW}`;
  return `${verb} the folder ${shown} (${many} files and folders)${target}`;
}

/** Does it; gives a sentence for the model and, for the card, what takes it back. */
export async function carryOut(
  parts: ToolParts,
  { kind, path, to }: Operation,
  context: ToolContext,
): Promise<{ readonly said: string; readonly undo: Pick<Card, 'kept' | 'created'> }> {
  const notes: string[] = [];
  const options = { ...originOf(context), note: (text: string) => void notes.push(text) };
  const from = await placeOf(parts, path, context);
  if (kind === 'create_folder') {
    const created = await parts.disk.operations.createFolder(from.real, options);
    return { said: `Created the folder ${from.shown}.`, undo: { created } };
  }
  await mayChange(parts, from, kind, context);
  if (kind === 'delete') {
    const removed = await parts.disk.operations.remove(from.real, options);
    return {
      said: [`Deleted ${from.shown}.`, ...whereIs(removed), ...notes].join(' '),
      undo: { kept: removed.to === 'trash' ? 'trash' : removed.path },
    };
  }
  const target = await placeOf(parts, to ?? '', context);
  const created = await parentFor(parts, target, options);
  if (kind === 'copy')
    await parts.disk.operations.copy(from.real, target.real, context.signal, options);
  else await parts.disk.operations.rename(from.real, target.real, options);
  const did = `${kind === 'copy' ? 'Copied' : 'Moved'} ${from.shown} to ${target.shown}.`;
  return {
    said: [did, ...notes].join(' '),
    undo: created.length === 0 ? {} : { created },
  };
}

function whereIs(removed: Removed): readonly string[] {
  switch (removed.to) {
    case 'trash':
      return ['It is in the trash.'];
    case 'kept':
      return ['Belay keeps it for 30 days.'];
    default:
      return removed satisfies never;
  }
}

/** The folder that something goes to is made when it is missing. */
async function parentFor(
  parts: ToolParts,
  { real, shown }: Place,
  options: OperationOptions,
): Promise<readonly string[]> {
  const taken = await parts.disk.operations.lookUp(real);
  if (taken?.type === 'directory') {
    const message = told`${shown} is a folder that exists already. Nothing was changed. To put something into it, name the whole new path, e.g. ${shown}/name.`;
    throw fault('invalid', message);
  }
  const parent = parentOf(real);
  if ((await parts.disk.operations.lookUp(parent)) !== undefined) return [];
  return parts.disk.operations.createFolder(parent, options);
}

/** Checks what a folder takes along: nothing kept back, or obeyed without being seen. */
async function mayChange(
  parts: ToolParts,
  { real, shown }: Place,
  kind: Operation['kind'],
  context: ToolContext,
): Promise<void> {
  const entry = await parts.disk.operations.lookUp(real);
  if (entry === undefined) {
    const message = told`${shown} does not exist. Nothing was changed. list_files shows what there is.`;
    throw fault('not_found', message);
  }
  if (context.roots.some((root) => pathBelow(real, root) !== undefined)) {
    const message = told`${shown} is a workspace folder, or holds one. It is not moved, copied or deleted.`;
    throw fault('permission', message);
  }
  if (entry.type !== 'directory') return;
  const { paths, complete } = await entriesBelow(parts, real);
  if (!complete) {
    const message = told`${shown} holds more than ${String(MOST_BELOW)} files and folders. Nothing was changed. Take a part of it, or use a command.`;
    throw fault('invalid', message);
  }
  const rule = await parts.disk.ignored.ruleForAny(paths);
  if (rule !== undefined) {
    const message = told`${shown} was left as it is, because of something in it: ${ignoredBecause(rule)}.`;
    throw fault('permission', message);
  }
  for (const inner of paths) {
    const protection = protectionBelow(pathBelow(parentOf(real), inner) ?? inner);
    const isSeen = context.preview !== undefined && protection === 'config';
    if (protection === 'none' || isSeen || (kind === 'copy' && protection === 'config')) continue;
    const message = told`${shown} was left as it is, because it holds ${shownPath(inner, context.roots)}, which other programs run or obey by themselves. Take the rest of it, or ask the person to do it.`;
    throw fault('permission', message);
  }
}

async function entriesBelow(
  parts: ToolParts,
  folder: string,
): Promise<{ readonly paths: readonly string[]; readonly complete: boolean }> {
  const paths: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name, type } of await parts.disk.files.list(next)) {
      const path = resolvePath(next, name);
      paths.push(path);
      if (paths.length > MOST_BELOW) return { paths, complete: false };
      if (type === 'directory') folders.push(path);
    }
  }
  return { paths, complete: true };
}
