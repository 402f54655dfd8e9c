import { inEnglish, joined, told } from '../../domain/text/told.ts';
import * as z from 'zod/mini';
import type { Tool, ToolContext, ToolPreview, Touch } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { type DisplayedOutput, defineTool } from '../define-tool.ts';
import { applyPatchFace } from './apply-patch-face.ts';
import type { PatchDisplay } from './patch-display.ts';
import { renamed } from '../other-spellings.ts';
import { type StepResult, carryOut } from './carry-out.ts';
import { type FileChange, PatchProblem } from './patch.ts';
import { type Step, planPatch } from './plan-patch.ts';
import { previewOfPatch } from './preview-patch.ts';
import { readPatch } from './read-patch.ts';
import { acceptedProposal } from '../editing/propose-edit.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath } from '../workspace-path.ts';

/** Characters of the diffs that the card shows. */
const LONGEST_DIFF = 20_000;

const schema = z.strictObject({
  patch: z.string().check(
    z.minLength(1),
    z.check((context) => {
      const problem = problemOf(context.value);
      if (problem !== undefined)
        context.issues.push({ code: 'custom', message: problem, input: context.value });
    }),
    z.describe(
      'e.g. "*** Begin Patch\\n*** Update File: src/a.ts\\n@@ class A\\n context\\n-old\\n+new\\n*** Add File: b.md\\n+text\\n*** Delete File: c.ts\\n*** End Patch"; "*** Move to: d.ts" after an Update line renames. Or a unified diff.',
    ),
  ),
});

export function applyPatchTool(parts: ToolParts): Tool {
  return defineTool(applyPatchFace, {
    description:
      'Changes, adds, deletes and renames several files by one patch. Files that it changes must have been read. Each hunk must fit exactly one place; what does not fit is left out and named.',
    schema,
    accept: (input) => renamed(input, { input: 'patch', diff: 'patch', patch_text: 'patch' }),
    sideEffects: true,
    rare: true,
    level: 'user',
    module: 'edit',
    permission: 'edit',
    proposes: true,
    touches: ({ patch }, roots) => readPatch(patch).flatMap((change) => touchesOf(change, roots)),
    preview: async ({ patch }, context) => {
      const steps = await planPatch(parts, readPatch(patch), context);
      refuseIfNothing(steps);
      return previewOfPatch(steps);
    },
    run: async ({ patch }, context) => {
      const steps = await planPatch(parts, readPatch(patch), context);
      const results = await carryOut(parts, await accepted(steps, context), context);
      return resultOf(results, context.origin?.how === 'propose');
    },
  });
}

/** The problem of a text that is no patch; follows the argument's name. */
function problemOf(text: string): string | undefined {
  try {
    readPatch(text);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof PatchProblem)) throw thrown;
    return `${thrown.message}.`;
  }
}

function touchesOf(change: FileChange, roots: readonly string[]): readonly Touch[] {
  const text =
    change.kind === 'add'
      ? change.text
      : change.kind === 'update'
        ? change.hunks
            .flatMap(({ lines }) => lines.filter(({ mark }) => mark === '+'))
            .map((line) => line.text)
            .join('\n')
        : undefined;
  const paths =
    change.kind === 'update' && change.moveTo !== undefined
      ? [change.path, change.moveTo]
      : [change.path];
  return paths.map((path) => ({
    path: absolutePath(path, roots),
    access: 'write',
    ...(text === undefined ? {} : { text }),
  }));
}

/** Exactly what the person said yes to, or nothing. */
async function accepted(steps: readonly Step[], context: ToolContext): Promise<readonly Step[]> {
  const { preview } = context;
  if (preview === undefined) {
    refuseIfNothing(steps);
    return steps;
  }
  if (preview.edit === undefined) {
    await requireSame(steps, preview);
    return steps;
  }
  return Promise.all(
    steps.map(async (step) => {
      if (step.target.path !== preview.edit?.path) return step;
      const proposal = await acceptedProposal(step.target, context);
      if (proposal === undefined) return step;
      const { problem: _, ...rest } = step;
      return { ...rest, proposal };
    }),
  );
}

async function requireSame(steps: readonly Step[], preview: ToolPreview): Promise<void> {
  const now = await previewOfPatch(steps);
  if (now.detail === preview.detail && now.title === preview.title) return;
  throw fault(
    'invalid',
    told`One of the files was changed by something else after the patch was proposed, so nothing was written. Read them again and propose the patch anew.`,
  );
}

function refuseIfNothing(steps: readonly Step[]): void {
  if (steps.some(({ problem }) => problem === undefined)) return;
  const [only] = steps;
  const notFound = steps.every(({ missing }) => missing === true);
  const all = steps.map(({ shown, problem = '' }) => told`${shown}: ${problem}`);
  throw fault(
    notFound ? 'not_found' : 'invalid',
    told`Nothing was written. ${steps.length === 1 ? (only?.problem ?? '') : joined(all, '\n')}`,
  );
}

function resultOf(
  results: readonly StepResult[],
  isProposed: boolean,
): DisplayedOutput<PatchDisplay> {
  const done = results.filter(({ problem }) => problem === undefined);
  const lines = results.map(({ shown, text, problem }) =>
    problem === undefined ? text : `${shown} was left out: ${inEnglish(problem)}`,
  );
  const head =
    results.length === 1
      ? []
      : [
          `The patch ${isProposed ? 'is proposed for' : 'was applied to'} ${done.length} of ${results.length} files.`,
        ];
  const diff = done
    .flatMap(({ display }) => (display.diff === '' ? [] : [`${display.path}\n${display.diff}`]))
    .join('\n');
  const display: PatchDisplay = {
    kind: 'patch',
    ...(isProposed ? { proposed: true } : {}),
    files: results.map((result) => ({
      path: result.shown,
      action: result.action,
      added: result.display.added,
      removed: result.display.removed,
      ...(result.problem === undefined ? {} : { problem: result.problem }),
    })),
    left: results.reduce((sum, { left }) => sum + left, 0),
    diff: diff.slice(0, LONGEST_DIFF),
    diffCut: diff.length > LONGEST_DIFF,
  };
  return {
    content: [{ type: 'text', text: [...head, ...lines].join('\n') }],
    files: done.flatMap(({ link }) => link ?? []),
    display,
    ...(done.length === 0 ? { isError: true } : {}),
  };
}
