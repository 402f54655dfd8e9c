import { BelayError } from '../domain/failure.ts';
import { throwIfAborted } from '../core/abort.ts';
import type { EditDisplay } from '../domain/tool-display.ts';
import type { FileStat, ProposedEdit } from '../core/ports.ts';
import type { ToolContext, ToolPreview } from '../core/tool-call/tool-call.ts';
import type { DisplayedOutput } from './define-tool.ts';
import { editDiff } from './edit-diff.ts';
import { decodeText, encodeText, PLAIN_FORMAT } from './text-file.ts';
import type { TextFormat } from './text-file.ts';
import type { ToolParts } from './tool-parts.ts';
import { absolutePath, shownPath } from './workspace-path.ts';

/** Files larger than this are not edited as a whole text. */
const LARGEST = 50 * 1024 * 1024;
/** Characters of a diff that the card shows. */
const LONGEST_DIFF = 20_000;

/** The text that is there. */
interface Present {
  readonly text: string;
  readonly format: TextFormat;
  readonly stat: FileStat;
  readonly bytes: Uint8Array;
}

/** A file as an edit finds it. */
export interface Target {
  /** Absolute, as it was asked for. */
  readonly path: string;
  /** Where it really is. */
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
  const real = context.judged?.get(path) ?? (await parts.files.realpath(path));
  const stat = await parts.files.stat(real);
  if (stat === undefined) return { path, real, shown };
  if (stat.type !== 'file') {
    throw new BelayError({
      code: 'invalid',
      message: `${shown} is ${stat.type === 'directory' ? 'a folder' : 'not a regular file'} and cannot be edited.`,
    });
  }
  if (stat.readOnly) {
    throw new BelayError({
      code: 'permission',
      message: `${shown} is read-only. Nothing was changed. Ask the person to make it writable.`,
    });
  }
  const bytes = await parts.files.read(real, LARGEST);
  const decoded = decodeText(bytes);
  if (decoded === undefined) {
    throw new BelayError({
      code: 'invalid',
      message: `${shown} is a binary file and cannot be edited as text. Nothing was changed.`,
    });
  }
  return { path, real, shown, present: { ...decoded, stat, bytes } };
}

/** The session must have seen the file as it is now. */
export function requireRead(parts: ToolParts, target: Target, sessionId: string): void {
  if (target.present === undefined) return;
  const state = parts.readState.of(sessionId, target.real, {
    stat: target.present.stat,
    content: target.present.bytes,
  });
  if (state === 'current') return;
  const message =
    state === 'unread'
      ? `${target.shown} has not been read in this session. Read it first, then edit it; nothing was changed.`
      : `${target.shown} has changed since you read it. Read it again, then edit it; nothing was changed.`;
  throw new BelayError({ code: 'invalid', message });
}

/** What the person is asked; nothing is written. */
export function previewOf(target: Target, after: string): ToolPreview {
  const creates = target.present === undefined;
  const edit: ProposedEdit = {
    path: target.path,
    before: target.present?.text ?? '',
    after,
    creates,
  };
  const real = target.real === target.path ? '' : `\nReally: ${target.real}`;
  return {
    title: `${creates ? 'Create' : 'Edit'} ${target.shown}`,
    detail: `${target.path}${real}`,
    edit,
  };
}

/**
 * What was proposed, as the person left it, provided that the file is still what they saw.
 * `undefined`: nobody was asked.
 */
export function acceptedText(target: Target, context: ToolContext): string | undefined {
  const edit = context.preview?.edit;
  if (edit === undefined) return undefined;
  if (edit.path !== target.path)
    throw new Error(`The accepted edit is of ${edit.path}, the call of ${target.path}.`);
  if (edit.creates !== (target.present === undefined)) {
    const happened = edit.creates ? 'was created by something else' : 'was deleted or moved';
    throw new BelayError({
      code: 'invalid',
      message: `${target.shown} ${happened} after the edit was proposed, so it was not written. Look at what is there now and propose it again.`,
    });
  }
  if (target.present !== undefined && target.present.text !== edit.before) {
    throw new BelayError({
      code: 'invalid',
      message: `${target.shown} was changed by something else after the edit was proposed, so it was not written. Read it again and propose the edit anew.`,
    });
  }
  return context.acceptedText ?? edit.after;
}

/** Writes the text and says what changed. */
export async function writeEdit(
  parts: ToolParts,
  target: Target,
  after: string,
  context: ToolContext,
): Promise<DisplayedOutput> {
  const before = target.present?.text ?? '';
  const bytes = encodeText(after, target.present?.format ?? PLAIN_FORMAT);
  if (bytes === undefined) {
    throw new BelayError({
      code: 'invalid',
      message: `${target.shown} is in Latin-1, which lacks a character of the new text. Nothing was written. Use only characters that it has, or ask the person to convert the file to UTF-8.`,
    });
  }
  throwIfAborted(context.signal);
  // What the person, or a program, wrote since it was read is never overwritten.
  const replaces = target.present?.bytes ?? 'nothing';
  await parts.files.write(target.real, bytes, { exact: true, replaces });
  const changedByPerson =
    context.acceptedText !== undefined && context.acceptedText !== context.preview?.edit?.after;
  const written = await readBack(parts, target, context);
  const diff = await editDiff(before, after);
  const created = target.present === undefined;
  const card: EditDisplay = {
    kind: 'edit',
    path: target.shown,
    added: diff.added,
    removed: diff.removed,
    created,
    changedByPerson,
    diff: diff.text.slice(0, LONGEST_DIFF),
    diffCut: diff.text.length > LONGEST_DIFF,
  };
  const notes = [
    `${created ? 'Created' : 'Edited'} ${target.shown} (+${diff.added} −${diff.removed} lines).`,
    ...(changedByPerson
      ? [
          await difference(
            'The person changed the proposal before accepting it',
            context.preview?.edit?.after ?? '',
            after,
          ),
        ]
      : []),
    ...(written === undefined || written === after
      ? []
      : [
          await difference(
            'The file was changed further as it was saved, by a formatter or the like',
            after,
            written,
          ),
        ]),
  ];
  return {
    content: [{ type: 'text', text: notes.join('\n') }],
    files: [
      { path: target.path, ...(diff.firstLine === undefined ? {} : { line: diff.firstLine }) },
    ],
    display: card,
  };
}

/** The text as it is after it was written; the session has seen it. `undefined`: it cannot be told. */
async function readBack(
  parts: ToolParts,
  { real }: Target,
  { sessionId }: ToolContext,
): Promise<string | undefined> {
  try {
    const stat = await parts.files.stat(real);
    if (stat === undefined) return undefined;
    const present = await parts.files.read(real, LARGEST * 2);
    parts.readState.note(sessionId, real, { stat, content: present });
    return decodeText(present)?.text;
  } catch (thrown) {
    // It was written; that it cannot be read just now is no reason to say that the edit failed.
    if (!(thrown instanceof BelayError)) throw thrown;
    return undefined;
  }
}

async function difference(what: string, from: string, to: string): Promise<string> {
  const { text, added, removed } = await editDiff(from, to);
  return text === ''
    ? `${what} (+${added} −${removed} lines); read it before you edit it again.`
    : `${what}:\n${text.slice(0, LONGEST_DIFF)}`;
}
