import * as l10n from '@vscode/l10n';
import type { PlannedEdit } from '../../core/ports/person/approval.ts';
import type { ToolPreview } from '../../core/tool-call/tool-call.ts';
import { previewOf } from '../editing/edit-plan.ts';
import type { Step } from './plan-patch.ts';
import { count } from '../../domain/text/language.ts';

/** The question about a patch: the change of each file. */
export function previewOfPatch(steps: readonly Step[]): ToolPreview {
  const [only] = steps;
  if (steps.length === 1 && only?.plan !== undefined && only.moveTo === undefined)
    return previewOf(only.target, only.plan);
  return {
    title: l10n.t('Apply a patch to {0}', count(steps.length, 'file')),
    detail: steps.map(({ target }) => target.path).join('\n'),
    edits: steps.map(editOf),
    notes: steps.flatMap(({ plan }) => plan?.notes ?? []),
  };
}

function editOf({ action, target, plan, moveTo }: Step): PlannedEdit {
  const before = target.present?.text ?? '';
  return {
    path: target.path,
    name: target.shown,
    before,
    after: action === 'delete' ? '' : (plan?.after ?? before),
    creates: action === 'add',
    ...(action === 'delete' ? { deletes: true } : {}),
    ...(moveTo === undefined ? {} : { movesTo: { path: moveTo.path, name: moveTo.shown } }),
  };
}
