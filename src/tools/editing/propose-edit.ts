import { inEnglish, told, type Told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type BelayError, fault } from '../../domain/failure.ts';
import type { FileStat } from '../../core/ports/files/file-system.ts';
import type { ProposedEdit } from '../../core/ports/person/approval.ts';
import type { ToolContext, ToolPreview } from '../../core/tool-call/tool-call.ts';
import { type ThreeTexts, mergedEdit, toldDifference } from './merge-edit.ts';
import type { FileMoment } from './read-state.ts';
import { type TextFile, requireKnownEncoding, textIn } from '../../core/files/text-file.ts';
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

export interface Proposal {
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
export async function proposeEdit(
  parts: ToolParts,
  target: Target,
  sessionId: string,
  edit: (text: string) => EditedText | Promise<EditedText>,
  otherwise?: string,
): Promise<Proposal> {
  const { present, shown, real } = target;
  if (present === undefined) {
    if (otherwise !== undefined)
      throw fault('not_found', told`${shown} does not exist. ${otherwise}`);
    return proposalOf(await edit(''));
  }
  const editKnown = async (text: string): Promise<EditedText> => {
    const edited = await edit(text);
    if (edited.text !== text) requireKnownEncoding(present, shown);
    return edited;
  };
  const state = await parts.readState.of(sessionId, real, present.moment);
  if (state === 'current') return proposalOf(await editKnown(present.text));
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
  const proposal = proposalOf(edited);
  // The person's decision is told as that.
  if (parts.readState.isTold(sessionId, target.path, base, present.text))
    return { ...proposal, after, merged: true };
  return {
    ...proposal,
    after,
    merged: true,
    notes: [...proposal.notes, difference.text],
    ...(difference.whole ? {} : { believed: ours }),
  };
}

function proposalOf({ text, notes = [], left }: EditedText): Proposal {
  return { after: text, notes, ...(left === undefined || left === 0 ? {} : { left }) };
}

export function previewOf(target: Target, { after, notes }: Proposal): ToolPreview {
  const creates = target.present === undefined;
  const edit: ProposedEdit = {
    path: target.path,
    before: target.present?.text ?? '',
    after,
    creates,
  };
  const real = target.real === target.path ? '' : `\nReally: ${target.real}`;
  return {
    title: creates ? l10n.t('Create {0}', target.shown) : l10n.t('Edit {0}', target.shown),
    detail: `${target.path}${real}`,
    edit,
    notes,
  };
}

/** The proposal as the person left it, merged if changed; `undefined`: nobody was asked. */
export async function acceptedProposal(
  target: Target,
  context: ToolContext,
): Promise<Proposal | undefined> {
  const { edit, notes = [] } = context.preview ?? {};
  if (edit === undefined) return undefined;
  const { present, shown } = target;
  if (edit.path !== target.path)
    throw new Error(`The accepted edit is of ${edit.path}, the call of ${target.path}.`);
  if (edit.creates !== (present === undefined)) {
    const happened = edit.creates
      ? told`was created by something else`
      : told`was deleted or moved`;
    const message = told`${shown} ${happened} after the edit was proposed, so it was not written. Look at what is there now and propose it again.`;
    throw fault('invalid', message);
  }
  const accepted = context.acceptedText ?? edit.after;
  if (present === undefined || present.text === edit.before) return { after: accepted, notes };
  return mergedProposal(
    { base: edit.before, ours: accepted, theirs: present.text },
    { target, notes, since: told`after the edit was proposed` },
  );
}

/** @throws BelayError `invalid` when both changed the same lines */
export async function mergedProposal(
  texts: ThreeTexts,
  { target, notes, since }: { target: Target; notes: readonly string[]; since: Told },
): Promise<Proposal> {
  const after = mergedEdit(texts, target.shown, since);
  const difference = await toldDifference(
    `${target.shown} was changed by something else ${inEnglish(since)}, and your edit was merged with it. What had changed`,
    texts.base,
    texts.theirs,
  );
  const believed = difference.whole ? {} : { believed: texts.ours };
  return { after, merged: true, notes: [...notes, difference.text], ...believed };
}
