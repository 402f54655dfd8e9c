import { inEnglish, joined, told, type Told } from '../../domain/text/told.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { BelayError, fault, sentenceOf } from '../../domain/failure.ts';
import { type Proposal, type Target, proposeEdit, targetOf } from '../editing/propose-edit.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';
import { applyHunks } from './apply-hunks.ts';
import type { FileChange } from './patch.ts';

/** A patch's step for one file; nothing is written yet. */
export interface Step {
  readonly action: 'add' | 'edit' | 'delete' | 'move';
  readonly shown: string;
  readonly target: Target;
  /** The text to write; absent where the content stays. */
  readonly proposal?: Proposal;
  /** The file's new place. */
  readonly moveTo?: { readonly path: string; readonly real: string; readonly shown: string };
  readonly problem?: Told;
  /** The problem is that the file is not there. */
  readonly missing?: boolean;
}

/** Works out every file by itself: one that cannot be done does not keep the others back. */
export async function planPatch(
  parts: ToolParts,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const change of changes) {
    throwIfAborted(context.signal);
    steps.push(await stepOf(parts, change, context));
  }
  return steps;
}

async function stepOf(parts: ToolParts, change: FileChange, context: ToolContext): Promise<Step> {
  const path = absolutePath(change.path, context.roots);
  const shown = shownPath(path, context.roots);
  const action = actionOf(change);
  try {
    switch (change.kind) {
      case 'add':
        return await addition(parts, change, context);
      case 'delete':
        return await deletion(parts, change.path, context);
      case 'update':
        return await update(parts, change, context);
      default:
        return change satisfies never;
    }
  } catch (thrown) {
    if (!(thrown instanceof BelayError)) throw thrown;
    const real = context.judged?.get(path) ?? path;
    const missing = thrown.code === 'not_found';
    return {
      action,
      shown,
      target: { path, real, shown },
      problem: sentenceOf(thrown.failure),
      missing,
    };
  }
}

function actionOf(change: FileChange): Step['action'] {
  if (change.kind !== 'update') return change.kind;
  return change.moveTo === undefined ? 'edit' : 'move';
}

async function addition(
  parts: ToolParts,
  change: FileChange & { readonly kind: 'add' },
  context: ToolContext,
): Promise<Step> {
  const target = await targetOf(parts, change.path, context);
  if (target.present !== undefined)
    throw invalid(told`${target.shown} exists already. Use "*** Update File" to change it.`);
  return {
    action: 'add',
    shown: target.shown,
    target,
    proposal: { after: change.text, notes: [] },
  };
}

/** Only what the session has seen as it is now is deleted. */
async function deletion(parts: ToolParts, asked: string, context: ToolContext): Promise<Step> {
  const target = await targetOf(parts, asked, context);
  const { present, shown, real } = target;
  if (present === undefined) throw notThere(shown);
  if ((await parts.readState.of(context.sessionId, real, present.moment)) !== 'current')
    throw invalid(
      told`${shown} has not been read as it is now. Read it first; it was not deleted.`,
    );
  return { action: 'delete', shown, target };
}

async function update(
  parts: ToolParts,
  change: FileChange & { readonly kind: 'update' },
  context: ToolContext,
): Promise<Step> {
  const target = await targetOf(parts, change.path, context);
  const { present, shown } = target;
  if (present === undefined) throw notThere(shown);
  const proposal = await proposeEdit(parts, target, context.sessionId, (text) =>
    change.hunks.length === 0 ? { text } : patched(text, change, shown),
  );
  const step = { shown, target, proposal };
  if (change.moveTo === undefined) return { ...step, action: 'edit' };
  if ((proposal.left ?? 0) > 0)
    throw invalid(told`It was not moved, because not all of it fits. ${proposal.notes.join('\n')}`);
  const path = absolutePath(change.moveTo, context.roots);
  const moveTo = {
    path,
    real: context.judged?.get(path) ?? (await parts.disk.files.realpath(path)),
    shown: shownPath(path, context.roots),
  };
  if ((await parts.disk.files.stat(moveTo.real)) !== undefined)
    throw invalid(told`${moveTo.shown} exists already; nothing was moved there.`);
  return { ...step, action: 'move', moveTo };
}

function patched(
  text: string,
  { hunks }: FileChange & { readonly kind: 'update' },
  shown: string,
): { readonly text: string; readonly notes: readonly string[]; readonly left: number } {
  const result = applyHunks(text, hunks);
  if (result.left === hunks.length)
    throw invalid(told`No hunk for ${shown} fits. ${joined(result.notes, '\n')}`);
  if (result.text === text) throw invalid(told`The hunks for ${shown} change nothing.`);
  return { ...result, notes: result.notes.map(inEnglish) };
}

function notThere(shown: string): BelayError {
  return fault('not_found', told`${shown} does not exist. find_files looks for it by name.`);
}

function invalid(message: Told): BelayError {
  return fault('invalid', message);
}
