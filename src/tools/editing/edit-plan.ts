import { inEnglish, told, type Told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type BelayError, fault } from '../../domain/failure.ts';
import type { FileStat } from '../../core/ports/files/file-system.ts';
import type { PlannedEdit } from '../../core/ports/person/approval.ts';
import type { ToolContext, ToolPreview } from '../../core/tool-call/tool-call.ts';
import { type ThreeTexts, mergedEdit, toldDifference } from './merge-edit.ts';
import type { FileMoment } from './read-state.ts';
import {
  PLAIN_FORMAT,
  type TextFile,
  requireKnownEncoding,
  textIn,
} from '../../core/files/text-file.ts';
import { LARGEST_TEXT, MOST_LINES, tooLarge } from '../../core/files/text-limits.ts';
import { betweenPasses } from '../../domain/lifetime/steps.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

interface Present extends TextFile {
  readonly stat: FileStat;
  readonly bytes: Uint8Array;
  readonly moment: FileMoment;
}

export interface Target {
  /** Absolute, as it was asked for. */
  readonly path: string;
  /** Absolute, without links. */
  readonly real: string;
  readonly shown: string;
  /** Absent: the file does not exist yet. */
  readonly present?: Present;
  /** The text is that after calls which are planned before this one. */
  readonly isPlanned?: boolean;
}

/** Reads what an edit is about. Fails for what cannot be edited as text. */
export async function targetOf(
  parts: ToolParts,
  asked: string,
  context: ToolContext,
): Promise<Target> {
  const path = absolutePath(asked, context.roots);
  const shown = shownPath(path, context.roots);
  const real = context.judged?.get(path) ?? (await parts.disk.files.realpath(path));
  const planned = context.planned?.has(real) === true;
  if (planned) return plannedTarget(parts, { path, real, shown }, context.planned?.get(real));
  const stat = await parts.disk.files.stat(real);
  if (stat === undefined) return { path, real, shown };
  if (stat.type !== 'file') {
    const message = told`${shown} is ${stat.type === 'directory' ? told`a folder` : told`not a regular file`} and cannot be edited.`;
    throw fault('invalid', message);
  }
  if (stat.readOnly) {
    const message = told`${shown} is read-only. Nothing was changed. Ask the person to make it writable.`;
    throw fault('permission', message);
  }
  if (stat.size > LARGEST_TEXT * 2) throw notEdited(shown, told`has ${String(stat.size)} bytes`);
  const bytes = await parts.disk.files.read(real, LARGEST_TEXT * 2);
  await betweenPasses(bytes);
  const decoded = await textIn(parts.disk, path, bytes);
  if (decoded === undefined) {
    const message = told`${shown} is a binary file and cannot be edited as text. Nothing was changed.`;
    throw fault('invalid', message);
  }
  await betweenPasses(bytes);
  checkSize(shown, 'is', decoded.text);
  await betweenPasses(bytes);
  return {
    path,
    real,
    shown,
    present: { ...decoded, stat, bytes, moment: { stat, content: bytes } },
  };
}

/** A file as the calls planned before this one leave it. */
async function plannedTarget(
  parts: ToolParts,
  target: Omit<Target, 'present'>,
  text: string | undefined,
): Promise<Target> {
  if (text === undefined) return { ...target, isPlanned: true };
  const { real } = target;
  const stat = (await parts.disk.files.stat(real)) ?? NEW_FILE;
  const bytes =
    stat === NEW_FILE ? new Uint8Array() : await parts.disk.files.read(real, LARGEST_TEXT * 2);
  const decoded = stat === NEW_FILE ? undefined : await textIn(parts.disk, target.path, bytes);
  const format = decoded?.format ?? PLAIN_FORMAT;
  return {
    ...target,
    isPlanned: true,
    present: { text, format, stat, bytes, moment: { stat, content: bytes } },
  };
}

/** Stands for a file that a call before this one creates. */
const NEW_FILE: FileStat = { type: 'file', size: 0, modifiedAt: 0, readOnly: false };

/** @throws BelayError `invalid` for a text that is too large to be edited by its lines */
export function checkSize(shown: string, when: 'is' | 'would be', text: string): void {
  const why = tooLarge(text, when);
  if (why !== undefined) throw notEdited(shown, why);
}

function notEdited(shown: string, why: Told): BelayError {
  const message = told`${shown} ${why}: texts of more than ${String(MOST_LINES)} lines or ${String(LARGEST_TEXT)} characters are not edited. Nothing was changed. Change it with a command or a script.`;
  return fault('invalid', message);
}

/** A text after the edits, or hunks, of one call. */
export interface EditedText {
  readonly text: string;
  /** Sentences for the model on edits made in another way than it thinks, or not at all. */
  readonly notes?: readonly string[];
  /** Edits of the call that were left out. */
  readonly left?: number;
}

export interface EditPlan {
  readonly after: string;
  readonly notes: readonly string[];
  readonly left?: number;
  readonly merged?: boolean;
  /** The model's own idea of the file afterwards, where it does not know all of it. */
  readonly believed?: string;
}

/**
 * Requires that the session has read the file; a changed one is merged with the edit.
 * @param edit fails for what cannot be done
 * @param otherwise a sentence for a file that is not there; absent: it is made
 */
export async function planFileEdit(
  parts: ToolParts,
  target: Target,
  sessionId: string,
  edit: (text: string) => EditedText | Promise<EditedText>,
  otherwise?: string,
): Promise<EditPlan> {
  const { present, shown, real } = target;
  if (present === undefined) {
    if (otherwise !== undefined)
      throw fault('not_found', told`${shown} does not exist. ${otherwise}`);
    return toPlan(await edit(''));
  }
  const editKnown = async (text: string): Promise<EditedText> => {
    const edited = await edit(text);
    if (edited.text !== text) requireKnownEncoding(present, shown);
    return edited;
  };
  const state =
    target.isPlanned === true
      ? 'current'
      : await parts.readState.of(sessionId, real, present.moment);
  if (state === 'current') return toPlan(await editKnown(present.text));
  if (state === 'unread') {
    const message = told`${shown} has not been read in this session. Read it first, then edit it; nothing was changed.`;
    throw fault('invalid', message);
  }
  const known = await parts.readState.contentOf(sessionId, real);
  const base =
    known === undefined ? undefined : (await textIn(parts.disk, target.path, known))?.text;
  if (base === undefined) {
    const message = told`${shown} has changed since you read it. Read it again, then edit it; nothing was changed.`;
    throw fault('invalid', message);
  }
  const edited = await editKnown(base);
  const ours = edited.text;
  const after = mergedEdit({ base, ours, theirs: present.text }, shown, told`since you read it`);
  const difference = await toldDifference(
    `${shown} had changed since you read it, and your edit was merged with what is there now. What had changed`,
    base,
    present.text,
  );
  const plan = toPlan(edited);
  // The person's decision is told as that.
  if (parts.readState.isTold(sessionId, target.path, base, present.text))
    return { ...plan, after, merged: true };
  return {
    ...plan,
    after,
    merged: true,
    notes: [...plan.notes, difference.text],
    ...(difference.whole ? {} : { believed: ours }),
  };
}

function toPlan({ text, notes = [], left }: EditedText): EditPlan {
  return { after: text, notes, ...(left === undefined || left === 0 ? {} : { left }) };
}

export function previewOf(target: Target, { after, notes }: EditPlan): ToolPreview {
  const creates = target.present === undefined;
  const edit: PlannedEdit = {
    path: target.path,
    name: target.shown,
    before: target.present?.text ?? '',
    after,
    creates,
  };
  const real = target.real === target.path ? '' : `\nReally: ${target.real}`;
  return {
    title: creates ? l10n.t('Create {0}', target.shown) : l10n.t('Edit {0}', target.shown),
    detail: `${target.path}${real}`,
    edits: [edit],
    notes,
  };
}

/** The edit that the user allowed, with their own changes of it; `undefined`: nobody was asked. */
export async function findAllowedPlan(
  target: Target,
  context: ToolContext,
): Promise<EditPlan | undefined> {
  const { edits = [], notes = [] } = context.preview ?? {};
  const { present, shown } = target;
  const edit = edits.find(({ path }) => path === target.path);
  if (edit === undefined) return undefined;
  if (edit.creates !== (present === undefined)) {
    const happened = edit.creates
      ? told`was created by something else`
      : told`was deleted or moved`;
    const message = told`${shown} ${happened} after the edit was planned, so it was not written. Read what is there now and edit it again.`;
    throw fault('invalid', message);
  }
  const accepted = context.edited?.get(target.path) ?? edit.after;
  if (present === undefined || present.text === edit.before) return { after: accepted, notes };
  return mergePlan(
    { base: edit.before, ours: accepted, theirs: present.text },
    { target, notes, since: told`after the edit was planned` },
  );
}

/** @throws BelayError `invalid` when both changed the same lines */
export async function mergePlan(
  texts: ThreeTexts,
  { target, notes, since }: { target: Target; notes: readonly string[]; since: Told },
): Promise<EditPlan> {
  const after = mergedEdit(texts, target.shown, since);
  const difference = await toldDifference(
    `${target.shown} was changed by something else ${inEnglish(since)}, and your edit was merged with it. What had changed`,
    texts.base,
    texts.theirs,
  );
  const believed = difference.whole ? {} : { believed: texts.ours };
  return { after, merged: true, notes: [...notes, difference.text], ...believed };
}
