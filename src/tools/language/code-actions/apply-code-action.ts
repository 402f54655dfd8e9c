import { told, type Told } from '../../../domain/text/told.ts';
import * as z from 'zod/mini';
import { type BelayError, fault } from '../../../domain/failure.ts';
import type { CodeAction } from '../../../core/ports/editor/language.ts';
import type { Tool, ToolContext } from '../../../core/tool-call/tool-call.ts';
import { defineTool } from '../../define-tool.ts';
import { applyCodeActionFace } from './apply-code-action-face.ts';
import { PATH_NAMES, renamed } from '../../other-spellings.ts';
import { type ChangePlan, planChanges } from '../apply-changes.ts';
import { ACTION_PLACE, actionsAt } from './code-actions.ts';
import type { LanguageParts } from '../language-parts.ts';
import { plannedEdit } from '../planned-edit.ts';

const schema = z.strictObject({
  ...ACTION_PLACE,
  title: z.string().check(z.minLength(1), z.describe('as list_code_actions shows it')),
});

type Input = z.output<typeof schema>;

export function applyCodeActionTool(parts: LanguageParts): Tool {
  return defineTool(applyCodeActionFace, {
    description:
      'Applies one quick fix, refactoring or source action as an edit. Commands that belong to it are not run.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, action: 'title', apply: 'title' }),
    ...plannedEdit(parts, planOf),
  });
}

async function planOf(
  parts: LanguageParts,
  input: Input,
  context: ToolContext,
): Promise<ChangePlan> {
  const { title, disabled, changes, command } = chosen(
    await actionsAt(parts, input, context),
    input,
  );
  if (disabled !== undefined)
    throw refused(
      told`${JSON.stringify(title)} cannot be applied now: ${disabled}. Nothing was changed.`,
    );
  if (changes === undefined) {
    const by =
      command === undefined
        ? told`asks the person in between`
        : told`runs the editor’s command ${command}`;
    throw refused(
      told`${JSON.stringify(title)} is no plain edit: it ${by}. Nothing was changed. Make the change with edit_file, or ask the person to do it in the editor.`,
    );
  }
  return planChanges(parts, { title: `“${title}”`, changes }, context);
}

/** By its exact title, else the only one that contains it, whatever the case. */
function chosen(actions: readonly CodeAction[], { title, path }: Input): CodeAction {
  const wanted = title.trim().toLowerCase();
  const exact = actions.filter((action) => action.title.toLowerCase() === wanted);
  const alike = actions.filter((action) => action.title.toLowerCase().includes(wanted));
  const found = exact[0] ?? (alike.length === 1 ? alike[0] : undefined);
  if (found !== undefined) return found;
  const names = (alike.length > 0 ? alike : actions)
    .slice(0, 20)
    .map((action) => `- ${action.title}`);
  if (names.length === 0) {
    const message = told`The editor offers no action for that place in ${path}. Nothing was changed; see list_code_actions for another line or kind.`;
    throw fault('not_found', message);
  }
  const named = JSON.stringify(title);
  const message =
    alike.length > 0
      ? told`Several actions are called ${named} there. Nothing was changed. There are:`
      : told`No action is called ${named} there. Nothing was changed. There are:`;
  throw fault('not_found', message, { lines: names.join('\n') });
}

function refused(message: Told): BelayError {
  return fault('invalid', message);
}
