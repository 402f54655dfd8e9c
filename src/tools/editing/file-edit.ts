import { betweenPasses } from '../../domain/lifetime/steps.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { findAllowedPlan, checkSize, previewOf, planFileEdit, targetOf } from './edit-plan.ts';
import type { EditedText, EditPlan, Target } from './edit-plan.ts';
import type { ToolParts } from '../tool-parts.ts';
import { writeEdit } from './write-edit.ts';

/** One tool's change of a file; fails for what cannot be done, and writes nothing. */
export type PlanFor<Input> = (
  parts: ToolParts,
  target: Target,
  input: Input,
  context: ToolContext,
) => Promise<EditPlan>;

/**
 * The change of a tool that edits the text that is there.
 * @param otherwise sentence on ways to go where there is no file
 */
export function editing<Input>(
  edit: (text: string, input: Input, shown: string) => EditedText | Promise<EditedText>,
  otherwise: string,
): PlanFor<Input> {
  return (parts, target, input, { sessionId }) => {
    const edited = (text: string) => edit(text, input, target.shown);
    return planFileEdit(parts, target, sessionId, edited, otherwise);
  };
}

/**
 * The common part of tools that edit one file: the text is what the user allowed and
 * perhaps changed, or what is planned now.
 * @param check fails for what must never be written, whoever made it
 */
export function fileEdit<Input extends { readonly path: string }>(
  parts: ToolParts,
  planEdit: PlanFor<Input>,
  check: (plan: EditPlan, shown: string) => void = () => {},
) {
  const findPlan = async (
    target: Target,
    input: Input,
    context: ToolContext,
  ): Promise<EditPlan> => {
    const plan =
      (await findAllowedPlan(target, context)) ?? (await planEdit(parts, target, input, context));
    await betweenPasses(plan.after);
    checkSize(target.shown, 'would be', plan.after);
    await betweenPasses(plan.after);
    check(plan, target.shown);
    return plan;
  };
  return {
    sideEffects: true,
    level: 'user',
    permission: 'edit',
    plansEdits: true,
    preview: async (input: Input, context: ToolContext) => {
      const target = await targetOf(parts, input.path, context);
      return previewOf(target, await findPlan(target, input, context));
    },
    run: async (input: Input, context: ToolContext) => {
      const target = await targetOf(parts, input.path, context);
      return writeEdit(parts, target, await findPlan(target, input, context), context);
    },
  } as const;
}
