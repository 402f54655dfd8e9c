import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { absolutePath } from '../workspace-path.ts';
import { type ChangePlan, acceptedPlan, applyPlan, previewOfPlan } from './apply-changes.ts';
import type { LanguageParts } from './language-parts.ts';

/**
 * The common part of tools whose edit a language server plans: runs the plan that the person saw,
 * or a new one where nobody was asked.
 */
export function plannedEdit<Input extends { readonly path: string }>(
  parts: LanguageParts,
  planOf: (parts: LanguageParts, input: Input, context: ToolContext) => Promise<ChangePlan>,
) {
  return {
    sideEffects: true,
    level: 'user',
    module: 'language',
    permission: 'edit',
    rare: true,
    touches: ({ path }: Input, roots: readonly string[]) => [
      { path: absolutePath(path, roots), access: 'write' as const },
    ],
    preview: async (input: Input, context: ToolContext) =>
      previewOfPlan(parts, await planOf(parts, input, context), context),
    run: async (input: Input, context: ToolContext) =>
      applyPlan(parts, acceptedPlan(context) ?? (await planOf(parts, input, context)), context),
  } as const;
}
