import * as l10n from '@vscode/l10n';
import type { ToolPreview } from '../../core/tool-call/tool-call.ts';
import { editDiff } from '../editing/edit-diff.ts';
import { previewOf } from '../editing/propose-edit.ts';
import type { Step } from './plan-patch.ts';
import { count } from '../../domain/text/language.ts';

/** The question: an edit in the diff editor when it is one, else all of it as text. */
export async function previewOfPatch(steps: readonly Step[]): Promise<ToolPreview> {
  const doable = steps.filter(({ problem }) => problem === undefined);
  const notes = steps.flatMap(({ proposal }) => proposal?.notes ?? []);
  const [only] = doable;
  if (doable.length === 1 && only?.proposal !== undefined && only.moveTo === undefined)
    return previewOf(only.target, only.proposal);
  const parts = await Promise.all(doable.map(detailOf));
  return {
    title: l10n.t('Apply a patch to {0}', count(doable.length, 'file')),
    detail: parts.join('\n\n'),
    notes,
  };
}

async function detailOf({ action, target, proposal, moveTo }: Step): Promise<string> {
  const real = target.real === target.path ? '' : ` (really ${target.real})`;
  const head = `${HEADS[action]} ${target.path}${real}${moveTo === undefined ? '' : ` to ${moveTo.path}`}`;
  if (proposal === undefined) return head;
  const { text, added, removed } = await editDiff(target.present?.text ?? '', proposal.after);
  if (added + removed === 0) return head;
  return `${head}\n${text === '' ? `+${added} −${removed} lines` : text}`;
}

const HEADS: Readonly<Record<Step['action'], string>> = {
  add: 'Create',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
};
