import * as l10n from '@vscode/l10n';
import { saidBy } from '../../domain/failure.ts';
import { type Told, told } from '../../domain/text/told.ts';
import { count } from '../../domain/text/language.ts';
import { sameBytes } from '../../domain/data/same-bytes.ts';
import type { PathGuard } from '../permissions/path-guard.ts';
import { describePath } from '../permissions/risks.ts';
import { mergeTexts } from '../merge/merge-texts.ts';
import type { PlannedEdit } from '../ports/person/approval.ts';
import type { SkippedFile, WorktreeChange } from '../ports/commands/worktrees.ts';
import type { ToolContext } from '../tool-call/tool-call.ts';
import type { FileSystem } from '../ports/files/file-system.ts';

export interface DeliveryPorts {
  /** The files of the workspace as agents have them: what is written with an origin is a pending change. */
  readonly files: Pick<FileSystem, 'read' | 'stat' | 'write' | 'delete'>;
  readonly guard: Pick<PathGuard, 'judge'>;
}

export interface Delivered {
  /** Relative paths that are changed in the workspace. */
  readonly arrived: readonly string[];
  /** Work that did not arrive. */
  readonly left: readonly SkippedFile[];
  /** The folder of the working copy, which stays because it holds work that did not arrive. */
  readonly copy?: string;
}

/** The workspace as the call has it, and its folder that takes the changes. */
export type DeliveryPlace = Pick<
  ToolContext,
  'roots' | 'origin' | 'changed' | 'changing' | 'confirm' | 'asksForEdits'
> & {
  readonly root: string;
};

/** A change as it would be written. */
interface PlannedChange {
  readonly name: string;
  readonly path: string;
  readonly real: string;
  readonly present: Uint8Array | undefined;
  /** `undefined`: the file is deleted. */
  readonly content: Uint8Array | undefined;
  /** Why the file requires approval in every mode. */
  readonly why: Told | undefined;
}

/** Bytes of a file that are taken over. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * Brings what a sub-agent changed in its working copy into the workspace, in the name of the call that delegated.
 * Texts are merged with what changed there in the meantime; conflicts are left out. One card asks about all files in
 * mode Ask, and about protected files in every mode.
 */
export async function deliverChanges(
  changes: readonly WorktreeChange[],
  to: DeliveryPlace,
  ports: DeliveryPorts,
  delivered: (path: string) => Promise<void>,
): Promise<Delivered> {
  const arrived: string[] = [];
  const left: SkippedFile[] = [];
  const planned: PlannedChange[] = [];
  for (const change of changes) {
    const plan = await planChange(change, to, ports).catch(saidBy);
    if (plan === undefined) arrived.push(change.path);
    else if ('text' in plan) left.push({ path: change.path, why: plan });
    else planned.push(plan);
  }
  const asked = planned.filter(({ why }) => to.asksForEdits === true || why !== undefined);
  const refused = await askAbout(asked, to);
  for (const plan of planned) {
    const { name } = plan;
    const isAsked = asked.includes(plan);
    // A file that cannot be written does not keep the others from arriving.
    const why = refused.get(plan) ?? (await write(plan, to, ports, isAsked).catch(saidBy));
    if (why === undefined) arrived.push(name);
    else left.push({ path: name, why });
  }
  for (const name of arrived) await delivered(name);
  return { arrived, left };
}

/** Shows one card; gives the files that are not to be written, and why. */
async function askAbout(
  asked: readonly PlannedChange[],
  { confirm }: DeliveryPlace,
): Promise<ReadonlyMap<PlannedChange, Told>> {
  if (asked.length === 0) return new Map();
  const edits = asked.map(editOf);
  const answer = await confirm?.(
    {
      title: l10n.t('Take over {0} from a sub-agent', count(asked.length, 'file')),
      detail: edits.map(({ path }) => path).join('\n'),
      edits,
      isSelectable: true,
    },
    asked.flatMap(({ why }) => why ?? []),
  );
  if (answer?.allowed !== true) {
    const denied = told`the user did not allow it`;
    return new Map(asked.map((one) => [one, one.why ?? denied]));
  }
  const without = new Set(answer.without);
  const leftOut = told`the user left it out`;
  return new Map(asked.filter(({ path }) => without.has(path)).map((one) => [one, leftOut]));
}

function editOf({ path, name, present, content }: PlannedChange): PlannedEdit {
  return {
    path,
    name,
    before: shownText(present),
    after: shownText(content),
    creates: present === undefined,
    ...(content === undefined ? { deletes: true } : {}),
  };
}

/** A sentence where the content is not a text. */
function shownText(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  return textOf(bytes) ?? l10n.t('Binary file ({0} bytes)', bytes.length);
}

/** Returns `undefined` when the workspace has the change already, or the reason why it cannot be taken over. */
async function planChange(
  { path: name, before, after }: WorktreeChange,
  { root, roots }: DeliveryPlace,
  { files, guard }: DeliveryPorts,
): Promise<PlannedChange | Told | undefined> {
  const path = `${root}/${name}`;
  const judged = await guard.judge({ path, access: 'write' }, roots);
  const { place, real } = judged;
  const why = describePath(judged);
  if (place === 'forbidden' || place === 'outside') return why;
  const present =
    (await files.stat(path)) === undefined ? undefined : await files.read(path, MAX_BYTES);
  const plan = { name, path, real, present, why: place === 'inside' ? undefined : why };
  if (isSame(present, after)) return undefined;
  if (isSame(present, before)) return { ...plan, content: after };
  if (after === undefined) return told`it was changed in the meantime, so it was not deleted`;
  const merged = mergeContents(present, before, after);
  return merged instanceof Uint8Array ? { ...plan, content: merged } : merged;
}

/** Returns the reason where it could not be written. */
async function write(
  { path, real, present, content }: PlannedChange,
  { origin, changed, changing }: DeliveryPlace,
  { files }: DeliveryPorts,
  isApproved: boolean,
): Promise<Told | undefined> {
  const how = isApproved ? ('accepted' as const) : origin?.how;
  const options = {
    ...(origin === undefined ? {} : { origin: { ...origin, how: how ?? origin.how } }),
    ...(changed === undefined ? {} : { changed }),
  };
  await changing?.([real]);
  const now =
    (await files.stat(path)) === undefined ? undefined : await files.read(path, MAX_BYTES);
  if (!isSame(now, present)) return told`it was changed while the approval was open`;
  if (content === undefined) await files.delete(path, options);
  else await files.write(path, content, { ...options, replaces: present ?? 'nothing' });
  return undefined;
}

/** Both changed it: the text with what both did, or why there is none. */
function mergeContents(
  present: Uint8Array | undefined,
  before: Uint8Array | undefined,
  after: Uint8Array,
): Uint8Array | Told {
  if (present === undefined) return told`it was deleted in the meantime`;
  if (before === undefined) return told`another file has this name now`;
  const [base, ours, theirs] = [textOf(before), textOf(after), textOf(present)];
  if (base === undefined || ours === undefined || theirs === undefined)
    return told`it was changed in the meantime, and is no text that could be merged`;
  const merged = mergeTexts(base, ours, theirs);
  if (merged.kind === 'merged') return new TextEncoder().encode(merged.text);
  const [conflict] = merged.conflicts;
  return told`it was changed in the meantime at the same place (line ${String(conflict?.line ?? 1)})`;
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
