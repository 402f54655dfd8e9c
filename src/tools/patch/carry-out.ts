import { told, type Told } from '../../domain/text/told.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { BelayError, sentenceOf } from '../../domain/failure.ts';
import type { FileLink } from '../../domain/message.ts';
import type { EditDisplay } from '../editing/edit-display.ts';
import { originOf, writeEdit } from '../editing/write-edit.ts';
import { bytesOf, PLAIN_FORMAT } from '../../core/files/text-file.ts';
import type { ToolParts } from '../tool-parts.ts';
import type { Step } from './plan-patch.ts';

/** One file's outcome. */
export interface StepResult {
  readonly action: Step['action'];
  readonly shown: string;
  readonly text: string;
  readonly problem?: Told;
  /** Hunks or whole files that were left out. */
  readonly left: number;
  readonly link?: FileLink;
  readonly display: Pick<EditDisplay, 'path' | 'added' | 'removed' | 'diff'>;
}

/** Does one file after the other; a failure or a stop does not hide what was done before. */
export async function carryOut(
  parts: ToolParts,
  steps: readonly Step[],
  context: ToolContext,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    if (step.problem !== undefined) {
      results.push(leftOut(step, step.problem));
      continue;
    }
    const begun = results.some(({ problem }) => problem === undefined);
    if (begun && context.signal.aborted) {
      results.push(leftOut(step, told`the run was stopped before.`));
      continue;
    }
    try {
      results.push(await carryOutStep(parts, step, context));
    } catch (thrown) {
      if (!(thrown instanceof BelayError)) throw thrown;
      results.push(leftOut(step, sentenceOf(thrown.failure)));
    }
  }
  return results;
}

function leftOut({ action, shown }: Step, problem: Told): StepResult {
  const display = { path: shown, added: 0, removed: 0, diff: '' };
  return { action, shown, text: '', problem, left: 1, display };
}

async function carryOutStep(
  parts: ToolParts,
  step: Step,
  context: ToolContext,
): Promise<StepResult> {
  const { action, shown, target, proposal, moveTo } = step;
  if (action === 'delete') {
    throwIfAborted(context.signal);
    await parts.disk.files.delete(target.real, originOf(context));
    const removed = lineCount(target.present?.text ?? '');
    const display = { path: shown, added: 0, removed, diff: '' };
    const text = `${verbs(context).deleted} ${shown}.`;
    return { action, shown, text, left: 0, display };
  }
  const changes = proposal !== undefined && proposal.after !== target.present?.text;
  const edited = changes ? await writeEdit(parts, target, proposal, context) : undefined;
  const texts = (edited?.content ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));
  const card = edited?.display?.kind === 'edit' ? edited.display : undefined;
  const display = card ?? { path: shown, added: 0, removed: 0, diff: '' };
  const left = card?.left ?? 0;
  if (moveTo === undefined) {
    const [link] = edited?.files ?? [];
    return {
      action,
      shown,
      text: texts.join('\n'),
      left,
      display,
      ...(link === undefined ? {} : { link }),
    };
  }
  await move(parts, step, moveTo.real, context);
  const text = [`${verbs(context).moved} ${shown} to ${moveTo.shown}.`, ...texts].join('\n');
  return { action, shown: moveTo.shown, text, left, display, link: { path: moveTo.path } };
}

function verbs({ origin }: ToolContext): { readonly deleted: string; readonly moved: string } {
  return origin?.how === 'propose'
    ? { deleted: 'Proposed to delete', moved: 'Proposed to move' }
    : { deleted: 'Deleted', moved: 'Moved' };
}

async function move(
  parts: ToolParts,
  { target, proposal }: Step,
  to: string,
  context: ToolContext,
): Promise<void> {
  const { sessionId, signal } = context;
  throwIfAborted(signal);
  try {
    await parts.disk.files.rename(target.real, to, originOf(context));
  } catch (thrown) {
    if (!(thrown instanceof BelayError) || thrown.code !== 'not_found') throw thrown;
    // Its folder is not there yet: writing makes it.
    const content = await parts.disk.files.read(target.real);
    const origin = originOf(context);
    await parts.disk.files.write(to, content, { exact: true, replaces: 'nothing', ...origin });
    await parts.disk.files.delete(target.real, origin);
  }
  const stat = await parts.disk.files.stat(to);
  const known = await bytesOf(
    parts.disk,
    proposal?.believed ?? proposal?.after ?? '',
    target.present?.format ?? PLAIN_FORMAT,
  );
  if (stat !== undefined && known !== undefined)
    parts.readState.note(sessionId, to, { stat, content: known });
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
