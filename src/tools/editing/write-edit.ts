import { told } from '../../domain/text/told.ts';
import { fault, BelayError } from '../../domain/failure.ts';
import { throwIfAborted } from '../../domain/lifetime/abort.ts';
import { isChangedMeanwhile } from '../../core/files/changed-meanwhile.ts';
import type { ChangeOptions } from '../../core/ports/files/change-origin.ts';
import type { ToolContext } from '../../core/tool-call/tool-call.ts';
import { bytesOf, PLAIN_FORMAT, requireKnownEncoding, textIn } from '../../core/files/text-file.ts';
import { LARGEST_TEXT } from '../../core/files/text-limits.ts';
import type { DisplayedOutput } from '../define-tool.ts';
import type { EditDisplay } from './edit-display.ts';
import { betweenPasses, Turn } from '../../domain/lifetime/steps.ts';
import { editDiff, LONGEST_DIFF } from './edit-diff.ts';
import { type ToldDifference, toldDifference } from './merge-edit.ts';
import { type EditPlan, type Target, mergePlan, targetOf } from './edit-plan.ts';
import type { ToolDisk, ToolParts } from '../tool-parts.ts';

/** Times that a write is tried when the file changes in the very moment. */
const ATTEMPTS = 3;

export async function writeEdit(
  parts: ToolParts,
  asked: Target,
  plan: EditPlan,
  context: ToolContext,
): Promise<DisplayedOutput<EditDisplay>> {
  const turn = new Turn();
  const { target, done } = await write(parts, asked, plan, context);
  await turn.pass();
  const { after } = done;
  const before = target.present?.text ?? '';
  const planned = context.preview?.edits?.find(({ path }) => path === target.path)?.after;
  const edited = context.edited?.get(target.path);
  const changedByPerson = edited !== undefined && edited !== planned;
  const saved = await readBack(parts, target, done, context);
  // Each reads the whole text once or twice.
  await turn.pass();
  const diff = await editDiff(before, after);
  const created = target.present === undefined;
  const card: EditDisplay = {
    kind: 'edit',
    path: target.shown,
    added: diff.added,
    removed: diff.removed,
    created,
    changedByPerson,
    ...(done.left === undefined ? {} : { left: done.left }),
    ...(done.merged === true ? { merged: true } : {}),
    diff: diff.text.slice(0, LONGEST_DIFF),
    diffCut: diff.text.length > LONGEST_DIFF,
  };
  const byPerson = changedByPerson
    ? await toldDifference('The user changed the edit before allowing it', planned ?? '', edited)
    : undefined;
  const did = created ? 'Created' : 'Edited';
  const notes = [
    `${did} ${target.shown} (+${diff.added} −${diff.removed} lines).`,
    ...(await unsavedNote(parts.disk, target)),
    ...done.notes,
    ...[byPerson, saved].flatMap((told) => (told === undefined ? [] : [told.text])),
  ];
  return {
    content: [{ type: 'text', text: notes.join('\n') }],
    files: [
      { path: target.path, ...(diff.firstLine === undefined ? {} : { line: diff.firstLine }) },
    ],
    display: card,
  };
}

/** The note on unsaved text in an editor, which commands do not see. */
async function unsavedNote(
  { files }: Pick<ToolDisk, 'files'>,
  { real, shown }: Target,
): Promise<readonly string[]> {
  if ((await files.stat(real))?.unsaved !== true) return [];
  return [
    `${shown} has unsaved text of the person in an editor, so your edit is in the editor too and not saved: commands, tests and other programs see the file without it until the person saves.`,
  ];
}

/** For the review of what an agent changes. */
export function originOf({ origin, changed }: ToolContext): ChangeOptions {
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** Writes over exactly what was seen; what has come meanwhile is merged in first. */
async function write(
  parts: ToolParts,
  asked: Target,
  plan: EditPlan,
  context: ToolContext,
): Promise<{ readonly target: Target; readonly done: EditPlan }> {
  let target = asked;
  let done = plan;
  for (let attempt = 1; ; attempt += 1) {
    const { present } = target;
    if (present !== undefined) requireKnownEncoding(present, target.shown);
    const content = await bytesOf(parts.disk, done.after, present?.format ?? PLAIN_FORMAT);
    if (content === undefined) throw notInEncoding(target.shown);
    await betweenPasses(content);
    throwIfAborted(context.signal);
    try {
      const replaces = present?.bytes ?? 'nothing';
      await parts.disk.files.write(target.real, content, {
        exact: true,
        replaces,
        ...originOf(context),
      });
      return { target, done };
    } catch (thrown) {
      if (!isChangedMeanwhile(thrown) || present === undefined || attempt === ATTEMPTS)
        throw thrown;
      const fresh = await targetOf(parts, target.path, context);
      if (fresh.present === undefined) throw thrown;
      const texts = { base: present.text, ours: done.after, theirs: fresh.present.text };
      const since = told`at this very moment`;
      done = { ...done, ...(await mergePlan(texts, { target, notes: done.notes, since })) };
      target = fresh;
    }
  }
}

function notInEncoding(shown: string): BelayError {
  const message = told`${shown} is in an encoding that lacks a character of the new text. Nothing was written. Use only characters that it has, or ask the person to convert the file to UTF-8.`;
  return fault('invalid', message);
}

/** The text as it was saved, where it differs; the session has seen what it was told of it. */
async function readBack(
  parts: ToolParts,
  { path, real, present }: Target,
  { after, believed }: EditPlan,
  { sessionId }: ToolContext,
): Promise<ToldDifference | undefined> {
  try {
    const stat = await parts.disk.files.stat(real);
    if (stat === undefined) return undefined;
    const bytes = await parts.disk.files.read(real, LARGEST_TEXT * 4);
    await betweenPasses(bytes);
    const text = (await textIn(parts.disk, path, bytes))?.text;
    await betweenPasses(bytes);
    const told =
      text === undefined || linesIn(text) === linesIn(after)
        ? undefined
        : await toldDifference(
            'The file was changed further as it was saved, by a formatter or the like',
            after,
            text,
          );
    const known = believed ?? (told?.whole === false ? after : undefined);
    const content =
      known === undefined
        ? bytes
        : await bytesOf(parts.disk, known, present?.format ?? PLAIN_FORMAT);
    await betweenPasses(bytes);
    parts.readState.note(sessionId, real, { stat, content: content ?? bytes });
    return told;
  } catch (thrown) {
    // It was written; that it cannot be read just now is no reason to say that the edit failed.
    if (!(thrown instanceof BelayError)) throw thrown;
    return undefined;
  }
}

/** Without what ends its lines: the model is shown none of it. */
function linesIn(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/gu, '\n') : text;
}
