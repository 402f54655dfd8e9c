import { told, type Told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type BelayError, fault } from '../../domain/failure.ts';
import { describePath } from '../../core/permissions/risks.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import type { FileChange } from '../../core/ports/editor/language.ts';
import type { ToolContext, ToolPreview } from '../../core/tool-call/tool-call.ts';
import type { DisplayedOutput } from '../define-tool.ts';
import type { EditDisplay } from '../editing/edit-display.ts';
import type { PatchDisplay } from '../patch/patch-display.ts';
import { runAllOrNothing } from '../editing/all-or-nothing.ts';
import { findAllowedPlan, previewOf, targetOf } from '../editing/edit-plan.ts';
import type { EditPlan } from '../editing/edit-plan.ts';
import { shownPath } from '../workspace-path.ts';
import { writeEdit } from '../editing/write-edit.ts';
import { changedText } from './changed-text.ts';
import type { LanguageParts } from './language-parts.ts';
import { count } from '../../domain/text/language.ts';

/** Files that one call may change; more is a migration, not an edit that a person can judge. */
const MOST_FILES = 200;
/** Characters of diff in a result. */
const LONGEST_DIFF = 12_000;

export interface ChangePlan {
  /** "Rename total to sum". */
  readonly title: string;
  readonly files: readonly PlannedFile[];
}

interface PlannedFile {
  readonly path: string;
  /** `undefined`: it is created. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The person's yes by its preview: exactly this is done, whatever the language server says now. */
const accepted = new WeakMap<ToolPreview, ChangePlan>();

/** @throws BelayError when the changes leave the workspace, touch a protected file, or cannot be made */
export async function planChanges(
  parts: LanguageParts,
  { title, changes }: { readonly title: string; readonly changes: readonly FileChange[] },
  context: ToolContext,
): Promise<ChangePlan> {
  if (changes.length > MOST_FILES)
    throw refusal(
      told`${title} would change ${String(changes.length)} files; at most ${String(MOST_FILES)} are changed at once. Nothing was changed.`,
    );
  const files: PlannedFile[] = [];
  for (const { path, edits } of changes) {
    throwIfAborted(context.signal);
    const shown = shownPath(path, context.roots);
    const judged = await parts.language.judge(
      { path, access: 'write', text: edits.map(({ text }) => text).join('\n') },
      context.roots,
    );
    if (judged.place !== 'inside')
      throw refusal(
        told`${title} would also change ${shown}. ${describePath(judged)} Nothing was changed. Make the edits that you need with edit_file.`,
      );
    const target = await targetOf(parts, path, context);
    const before = target.present?.text;
    const after = changedText(before ?? '', edits);
    if (after === undefined)
      throw refusal(
        told`The language server planned changes of ${shown} that overlap. Nothing was changed. Make them with edit_file.`,
      );
    if (after !== before) files.push({ path, before, after });
  }
  if (files.length === 0) throw refusal(told`${title} would change nothing.`);
  return { title, files };
}

function refusal(message: Told): BelayError {
  return fault('invalid', message);
}

/** The question to the person: one file as the edit that it is, several with all their diffs. */
export async function previewOfPlan(
  parts: LanguageParts,
  plan: ChangePlan,
  context: ToolContext,
): Promise<ToolPreview> {
  const [only] = plan.files;
  const preview: ToolPreview =
    plan.files.length === 1 && only !== undefined
      ? {
          ...previewOf(await targetOf(parts, only.path, context), { after: only.after, notes: [] }),
          title: l10n.t('{0} in {1}', plan.title, shownPath(only.path, context.roots)),
        }
      : {
          title: l10n.t('{0} in {1}', plan.title, count(plan.files.length, 'file')),
          detail: plan.files.map(({ path }) => path).join('\n'),
          edits: plan.files.map(({ path, before, after }) => ({
            path,
            name: shownPath(path, context.roots),
            before: before ?? '',
            after,
            creates: before === undefined,
          })),
        };
  accepted.set(preview, plan);
  return preview;
}

/** The plan that the person saw, or a new one where nobody was asked. */
export function acceptedPlan(context: ToolContext): ChangePlan | undefined {
  return context.preview === undefined ? undefined : accepted.get(context.preview);
}

/** Writes the files, each through the file system as any edit. All are as they were planned, or none is written. */
export async function applyPlan(
  parts: LanguageParts,
  plan: ChangePlan,
  context: ToolContext,
): Promise<DisplayedOutput<EditDisplay | PatchDisplay>> {
  const targets = await Promise.all(
    plan.files.map(async (file) => ({ file, target: await targetOf(parts, file.path, context) })),
  );
  for (const { file, target } of targets) {
    if (target.present?.text === file.before) continue;
    throw refusal(
      told`${target.shown} was changed by something else in the meantime, so nothing was written. Look at what is there now and try again.`,
    );
  }
  await context.changing?.(targets.map(({ target }) => target.real));
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) {
    const edit = (await findAllowedPlan(only.target, context)) ?? planned(only.file);
    const output = await writeEdit(parts, only.target, edit, context);
    return withDiff(plan.title, [output]);
  }
  const outputs = await runAllOrNothing(
    parts.disk,
    targets.map(({ file, target }) => ({
      paths: [target.real],
      run: async () =>
        writeEdit(
          parts,
          target,
          (await findAllowedPlan(target, context)) ?? planned(file),
          context,
        ),
    })),
    context,
  );
  return withDiff(plan.title, outputs);
}

function planned({ after }: PlannedFile): EditPlan {
  return { after, notes: [] };
}

function withDiff(
  title: string,
  outputs: readonly DisplayedOutput<EditDisplay | PatchDisplay>[],
): DisplayedOutput<EditDisplay | PatchDisplay> {
  const edits = outputs.flatMap(({ display }) => (display?.kind === 'edit' ? [display] : []));
  const notes = outputs.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
  const diffs = edits.map(({ path, diff }) => `${path}\n${diff}`).join('\n\n');
  const cut = diffs.length > LONGEST_DIFF ? '\n[the rest of the changes is not shown]' : '';
  const [first] = outputs;
  return {
    content: [
      {
        type: 'text',
        text: `${title}: done.\n${notes.join('\n')}\n\n${diffs.slice(0, LONGEST_DIFF)}${cut}`,
      },
    ],
    files: outputs.flatMap(({ files = [] }) => files),
    ...(outputs.length === 1 && first?.display !== undefined
      ? { display: first.display }
      : { display: patchDisplay(edits, diffs) }),
  };
}

function patchDisplay(edits: readonly EditDisplay[], diffs: string): PatchDisplay {
  return {
    kind: 'patch',
    files: edits.map(({ path, created, added, removed }) => ({
      path,
      action: created ? 'add' : 'edit',
      added,
      removed,
    })),
    diff: diffs.slice(0, LONGEST_DIFF),
    diffCut: diffs.length > LONGEST_DIFF,
  };
}
