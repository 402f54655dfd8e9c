import { told } from '../../domain/text/told.ts';
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
import { findAllowedPlan } from '../editing/edit-plan.ts';
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
      'Changes, adds, deletes and renames several files by one patch. Files that it changes must have been read. Each hunk must fit exactly one place; if anything does not fit, nothing is written.',
    schema,
    accept: (input) => renamed(input, { input: 'patch', diff: 'patch', patch_text: 'patch' }),
    sideEffects: true,
    rare: true,
    level: 'user',
    module: 'edit',
    permission: 'edit',
    plansEdits: true,
    touches: ({ patch }, roots) => readPatch(patch).flatMap((change) => touchesOf(change, roots)),
    preview: async ({ patch }, context) => {
      return previewOfPatch(await planPatch(parts, readPatch(patch), context));
    },
    run: async ({ patch }, context) => {
      const steps = await planPatch(parts, readPatch(patch), context);
      return resultOf(await carryOut(parts, await findAllowed(steps, context), context));
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

/** The steps as the user allowed them, with their changes. */
async function findAllowed(steps: readonly Step[], context: ToolContext): Promise<readonly Step[]> {
  const { preview } = context;
  if (preview === undefined) return steps;
  return Promise.all(
    steps.map(async (step) => {
      if (step.action === 'delete') {
        requireSame(step, preview);
        return step;
      }
      const plan = await findAllowedPlan(step.target, context);
      return plan === undefined ? step : { ...step, plan };
    }),
  );
}

/** @throws BelayError `invalid` when a file to delete is not the one that was shown */
function requireSame({ target, shown }: Step, { edits = [] }: ToolPreview): void {
  const seen = edits.find(({ path }) => path === target.path);
  if (seen === undefined || seen.before === target.present?.text) return;
  throw fault(
    'invalid',
    told`${shown} was changed by something else after the patch was planned, so nothing was written. Read it again and send the patch anew.`,
  );
}

function resultOf(results: readonly StepResult[]): DisplayedOutput<PatchDisplay> {
  const head = results.length === 1 ? [] : [`The patch was applied to ${results.length} files.`];
  const diff = results
    .flatMap(({ display }) => (display.diff === '' ? [] : [`${display.path}\n${display.diff}`]))
    .join('\n');
  const display: PatchDisplay = {
    kind: 'patch',
    files: results.map((result) => ({
      path: result.shown,
      action: result.action,
      added: result.display.added,
      removed: result.display.removed,
    })),
    diff: diff.slice(0, LONGEST_DIFF),
    diffCut: diff.length > LONGEST_DIFF,
  };
  return {
    content: [{ type: 'text', text: [...head, ...results.map(({ text }) => text)].join('\n') }],
    files: results.flatMap(({ link }) => link ?? []),
    display,
  };
}
