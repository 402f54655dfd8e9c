import { inEnglish, joined, told, type Told } from '../../domain/text/told.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { BelayError, fault, sentenceOf } from '../../domain/failure.ts';
import { type EditPlan, type Target, planFileEdit, targetOf } from '../editing/edit-plan.ts';
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
  readonly plan?: EditPlan;
  /** The file's new place. */
  readonly moveTo?: { readonly path: string; readonly real: string; readonly shown: string };
}

/**
 * Plans every file of a patch.
 * @throws BelayError `invalid` naming everything that does not fit; `not_found` when no file is there
 */
export async function planPatch(
  parts: ToolParts,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const problems: { readonly code: string; readonly message: Told }[] = [];
  for (const change of changes) {
    throwIfAborted(context.signal);
    try {
      steps.push(await planStep(parts, change, context));
    } catch (thrown) {
      if (!(thrown instanceof BelayError)) throw thrown;
      const shown = shownPath(absolutePath(change.path, context.roots), context.roots);
      const sentence = sentenceOf(thrown.failure);
      const message = changes.length === 1 ? sentence : told`${shown}: ${sentence}`;
      problems.push({ code: thrown.code, message });
    }
  }
  if (problems.length === 0) return steps;
  const isNotFound = problems.every(({ code }) => code === 'not_found');
  const all = joined(
    problems.map(({ message }) => message),
    '\n',
  );
  throw fault(isNotFound ? 'not_found' : 'invalid', told`Nothing was written. ${all}`);
}

async function planStep(parts: ToolParts, change: FileChange, context: ToolContext): Promise<Step> {
  switch (change.kind) {
    case 'add':
      return addition(parts, change, context);
    case 'delete':
      return deletion(parts, change.path, context);
    case 'update':
      return update(parts, change, context);
    default:
      return change satisfies never;
  }
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
    plan: { after: change.text, notes: [] },
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
  const plan = await planFileEdit(parts, target, context.sessionId, (text) =>
    change.hunks.length === 0 ? { text } : patched(text, change, shown),
  );
  const step = { shown, target, plan };
  if (change.moveTo === undefined) return { ...step, action: 'edit' };
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
): { readonly text: string; readonly notes: readonly string[] } {
  const result = applyHunks(text, hunks);
  if (result.problems.length > 0)
    throw invalid(told`The patch does not fit ${shown}. ${joined(result.problems, '\n')}`);
  if (result.text === text) throw invalid(told`The hunks for ${shown} change nothing.`);
  return { text: result.text, notes: result.notes.map(inEnglish) };
}

function notThere(shown: string): BelayError {
  return fault('not_found', told`${shown} does not exist. find_files looks for it by name.`);
}

function invalid(message: Told): BelayError {
  return fault('invalid', message);
}
