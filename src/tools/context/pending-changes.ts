import { type Hunk, hunksOf, linesIn } from '../../core/review/model/hunks.ts';
import type { FileReview } from '../../core/review/model/file-review.ts';
import { countPending } from '../../core/review/model/selected-changes.ts';
import type { Reviews } from '../../core/review/service/reviews.ts';
import type { JudgedPath } from '../../core/permissions/path-guard.ts';
import type { Tool, ToolContext, Touch } from '../../core/tool-call/tool-call.ts';
import { counted } from '../face/words.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

/** The parts of the tool that tells other agents what waits for the person's decision. */
export interface PendingChangesParts {
  readonly reviews: Pick<Reviews, 'pending'>;
  /** Judges each file: those kept from agents are counted only. */
  readonly judge: (touch: Touch, roots: readonly string[]) => Promise<JudgedPath>;
}

/** Lists the changes that Belay made and the user has not decided about; of one file with their lines. */
export function pendingChangesTool({ reviews, judge }: PendingChangesParts): Tool {
  return {
    name: 'pending_changes',
    description:
      'Changes that Belay made to files and the user has not kept or undone yet. Without a path a list; with one their lines.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'a file; default: all, without lines' } },
    },
    sideEffects: false,
    level: 'guest',
    module: 'context',
    permission: 'none',
    check: (input) => {
      const { path } = input;
      if (path === undefined || path === '') return { input: {} };
      return typeof path === 'string' ? { input: { path } } : { problem: 'path is a text.' };
    },
    touches: ({ path }, roots) =>
      typeof path === 'string' ? [{ path: absolutePath(path, roots), access: 'read' }] : [],
    run: async ({ path }, context) => {
      const text =
        typeof path === 'string'
          ? ofFile(reviews.pending, absolutePath(path, context.roots), context)
          : await listed(reviews.pending, judge, context);
      return { content: [{ type: 'text', text }] };
    },
  };
}

async function listed(
  pending: readonly FileReview[],
  judge: PendingChangesParts['judge'],
  { roots }: ToolContext,
): Promise<string> {
  if (pending.length === 0) return 'Nothing waits for a decision.';
  const lines: string[] = [];
  for (const one of pending) {
    const { place } = await judge({ path: one.path, access: 'read' }, roots);
    if (place === 'inside' || place === 'config') lines.push(headOf(one, roots));
  }
  const kept = pending.length - lines.length;
  const { files, hunks } = countPending(pending);
  return [
    `${counted(hunks, 'change')} in ${counted(files, 'file')}, not decided yet:`,
    ...lines,
    ...(kept === 0 ? [] : [`[${kept} more in files that are kept from agents]`]),
  ].join('\n');
}

function ofFile(
  pending: readonly FileReview[],
  path: string,
  { roots }: Pick<ToolContext, 'roots'>,
): string {
  const found = pending.filter((one) => one.path === path || one.renamedFrom === path);
  if (found.length === 0) return `Nothing waits for a decision in ${shownPath(path, roots)}.`;
  return found
    .map((one) => [headOf(one, roots), ...hunksOf(one).map(hunkText)].join('\n'))
    .join('\n\n');
}

function headOf(review: FileReview, roots: readonly string[]): string {
  const { added, removed } = linesIn(review);
  const from =
    review.renamedFrom === undefined
      ? ''
      : `, renamed from ${shownPath(review.renamedFrom, roots)}`;
  return `${shownPath(review.path, roots)}: ${counted(hunksOf(review).length, 'change')}, +${added} −${removed}${from}`;
}

/** As a unified diff has it; what is no change of lines by its kind. */
function hunkText({ kind, by, baselineFrom, documentFrom, removed, added }: Hunk): string {
  const { tool = '', why = '' } = by.at(-1) ?? {};
  const head = `@@ -${baselineFrom + 1},${removed.length} +${documentFrom + 1},${added.length} @@ ${kind} by ${tool}`;
  return [
    why === '' ? head : `${head}: ${why}`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ].join('\n');
}
