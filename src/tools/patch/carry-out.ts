import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { BelayError } from '../../domain/failure.ts';
import type { FileLink } from '../../domain/message.ts';
import type { EditDisplay } from '../editing/edit-display.ts';
import { runAllOrNothing } from '../editing/all-or-nothing.ts';
import { originOf, writeEdit } from '../editing/write-edit.ts';
import { bytesOf, PLAIN_FORMAT } from '../../core/files/text-file.ts';
import type { ToolParts } from '../tool-parts.ts';
import type { Step } from './plan-patch.ts';

/** One file's outcome. */
export interface StepResult {
  readonly action: Step['action'];
  readonly shown: string;
  readonly text: string;
  readonly link?: FileLink;
  readonly display: Pick<EditDisplay, 'path' | 'added' | 'removed' | 'diff'>;
}

/** Changes all files, or none. */
export function carryOut(
  parts: ToolParts,
  steps: readonly Step[],
  context: ToolContext,
): Promise<readonly StepResult[]> {
  return runAllOrNothing(
    parts.disk,
    steps.map((step) => ({
      paths: [step.target.real, ...(step.moveTo === undefined ? [] : [step.moveTo.real])],
      run: () => carryOutStep(parts, step, context),
    })),
    context,
  );
}

async function carryOutStep(
  parts: ToolParts,
  step: Step,
  context: ToolContext,
): Promise<StepResult> {
  const { action, shown, target, plan, moveTo } = step;
  if (action === 'delete') {
    throwIfAborted(context.signal);
    await parts.disk.files.delete(target.real, originOf(context));
    const removed = lineCount(target.present?.text ?? '');
    const display = { path: shown, added: 0, removed, diff: '' };
    const text = `Deleted ${shown}.`;
    return { action, shown, text, display };
  }
  const changes = plan !== undefined && plan.after !== target.present?.text;
  const edited = changes ? await writeEdit(parts, target, plan, context) : undefined;
  const texts = (edited?.content ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));
  const card = edited?.display?.kind === 'edit' ? edited.display : undefined;
  const display = card ?? { path: shown, added: 0, removed: 0, diff: '' };
  if (moveTo === undefined) {
    const [link] = edited?.files ?? [];
    return {
      action,
      shown,
      text: texts.join('\n'),
      display,
      ...(link === undefined ? {} : { link }),
    };
  }
  await move(parts, step, moveTo.real, context);
  const text = [`Moved ${shown} to ${moveTo.shown}.`, ...texts].join('\n');
  return { action, shown: moveTo.shown, text, display, link: { path: moveTo.path } };
}

async function move(
  parts: ToolParts,
  { target, plan }: Step,
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
    plan?.believed ?? plan?.after ?? '',
    target.present?.format ?? PLAIN_FORMAT,
  );
  if (stat !== undefined && known !== undefined)
    parts.readState.note(sessionId, to, { stat, content: known });
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
