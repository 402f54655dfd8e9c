import { betweenPasses } from '../../domain/lifetime/steps.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { acceptedProposal, checkSize, previewOf, proposeEdit, targetOf } from './propose-edit.ts';
import type { EditedText, Proposal, Target } from './propose-edit.ts';
import type { ToolParts } from '../tool-parts.ts';
import { writeEdit } from './write-edit.ts';

/** One tool's change of a file; fails for what cannot be done, and writes nothing. */
export type Propose<Input> = (
  parts: ToolParts,
  target: Target,
  input: Input,
  context: ToolContext,
) => Promise<Proposal>;

/**
 * The change of a tool that edits the text that is there.
 * @param otherwise sentence on ways to go where there is no file
 */
export function editing<Input>(
  edit: (text: string, input: Input, shown: string) => EditedText | Promise<EditedText>,
  otherwise: string,
): Propose<Input> {
  return (parts, target, input, { sessionId }) => {
    const edited = (text: string) => edit(text, input, target.shown);
    return proposeEdit(parts, target, sessionId, edited, otherwise);
  };
}

/**
 * The common part of tools that edit one file: the text is what the person saw and perhaps changed,
 * or what is proposed now.
 * @param check fails for what must never be written, whoever made it
 */
export function fileEdit<Input extends { readonly path: string }>(
  parts: ToolParts,
  propose: Propose<Input>,
  check: (proposal: Proposal, shown: string) => void = () => {},
) {
  const proposed = async (
    target: Target,
    input: Input,
    context: ToolContext,
  ): Promise<Proposal> => {
    const proposal =
      (await acceptedProposal(target, context)) ?? (await propose(parts, target, input, context));
    await betweenPasses(proposal.after);
    checkSize(target.shown, 'would be', proposal.after);
    await betweenPasses(proposal.after);
    check(proposal, target.shown);
    return proposal;
  };
  return {
    sideEffects: true,
    level: 'user',
    permission: 'edit',
    proposes: true,
    preview: async (input: Input, context: ToolContext) => {
      const target = await targetOf(parts, input.path, context);
      return previewOf(target, await proposed(target, input, context));
    },
    run: async (input: Input, context: ToolContext) => {
      const target = await targetOf(parts, input.path, context);
      return writeEdit(parts, target, await proposed(target, input, context), context);
    },
  } as const;
}
