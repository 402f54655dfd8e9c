import { saidBy } from '../../domain/failure.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { sameBytes } from '../../domain/data/same-bytes.ts';
import type { PathGuard } from '../permissions/path-guard.ts';
import { mergeTexts } from '../merge/merge-texts.ts';
import type { SkippedFile, WorktreeChange } from '../ports/commands/worktrees.ts';
import type { ToolContext } from '../tool-call/tool-call.ts';
import type { FileSystem } from '../ports/files/file-system.ts';

export interface DeliveryPorts {
  /** The files of the workspace as agents have them: what is written with an origin is a pending change. */
  readonly files: Pick<FileSystem, 'read' | 'stat' | 'write' | 'delete'>;
  readonly guard: Pick<PathGuard, 'judge'>;
  /** A person reviews what is changed. */
  readonly reviewed: boolean;
}

export interface Delivered {
  /** Relative paths that are pending changes, or written, now. */
  readonly arrived: readonly string[];
  /** Work that did not arrive. */
  readonly left: readonly SkippedFile[];
}

/** The workspace as the call has it, and its folder that takes the changes. */
export type DeliveryPlace = Pick<ToolContext, 'roots' | 'origin' | 'changed' | 'changing'> & {
  readonly root: string;
};

/** Bytes of a file that are taken over. */
const MOST_BYTES = 8 * 2 ** 20;

/**
 * Brings what a sub-agent changed in its working copy into the workspace, in the name of the call that delegated. What
 * changed there meanwhile stays: texts are merged, and what cannot be is left out.
 */
export async function deliverChanges(
  changes: readonly WorktreeChange[],
  to: DeliveryPlace,
  ports: DeliveryPorts,
  delivered: (path: string) => Promise<void>,
): Promise<Delivered> {
  const arrived: string[] = [];
  const left: SkippedFile[] = [];
  for (const change of changes) {
    // A file that cannot be read or written does not keep the others from arriving.
    const why = await deliver(change, to, ports).catch(saidBy);
    if (why === undefined) arrived.push(change.path);
    else left.push({ path: change.path, why });
    await delivered(change.path);
  }
  return { arrived, left };
}

/** `undefined`: it arrived, or is there already. */
async function deliver(
  { path: name, before, after }: WorktreeChange,
  { root, roots, origin, changed, changing }: DeliveryPlace,
  { files, guard, reviewed }: DeliveryPorts,
): Promise<Told | undefined> {
  const path = `${root}/${name}`;
  const {
    place,
    real,
    why = told`it is protected`,
  } = await guard.judge({ path, access: 'write' }, roots);
  if (place === 'forbidden' || place === 'outside') return why;
  // Files that act on their own, or open doors, are for the person to decide.
  if (place !== 'inside' && !reviewed) return why;
  const how = place === 'inside' ? origin?.how : 'propose';
  const options = {
    ...(origin === undefined ? {} : { origin: { ...origin, how: how ?? origin.how } }),
    ...(changed === undefined ? {} : { changed }),
  };
  await changing?.([real]);
  const present =
    (await files.stat(path)) === undefined ? undefined : await files.read(path, MOST_BYTES);
  if (isSame(present, after)) return undefined;
  if (after === undefined) {
    if (!isSame(present, before)) return told`it was changed meanwhile, so it was not removed`;
    await files.delete(path, options);
    return undefined;
  }
  if (isSame(present, before)) {
    await files.write(path, after, { ...options, replaces: present ?? 'nothing' });
    return undefined;
  }
  const merged = mergedWith(present, before, after);
  if ('why' in merged) return merged.why;
  await files.write(path, merged.content, { ...options, replaces: merged.present });
  return undefined;
}

/** Both changed it: the text with what both did, or why there is none. */
function mergedWith(
  present: Uint8Array | undefined,
  before: Uint8Array | undefined,
  after: Uint8Array,
): { readonly content: Uint8Array; readonly present: Uint8Array } | { readonly why: Told } {
  if (present === undefined) return { why: told`it was removed meanwhile` };
  if (before === undefined) return { why: told`another file has this name now` };
  const [base, ours, theirs] = [textOf(before), textOf(after), textOf(present)];
  if (base === undefined || ours === undefined || theirs === undefined)
    return { why: told`it was changed meanwhile, and is no text that could be merged` };
  const merged = mergeTexts(base, ours, theirs);
  if (merged.kind === 'merged') return { content: new TextEncoder().encode(merged.text), present };
  const [conflict] = merged.conflicts;
  return {
    why: told`it was changed meanwhile at the same place (line ${String(conflict?.line ?? 1)})`,
  };
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one === undefined || other === undefined ? one === other : sameBytes(one, other);

/** `undefined`: it is no text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
