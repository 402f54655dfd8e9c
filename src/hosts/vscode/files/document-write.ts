import * as vscode from 'vscode';
import type { FileSystem, WriteOptions } from '../../../core/ports/files/file-system.ts';
import { changedMeanwhile } from '../../../core/files/changed-meanwhile.ts';
import { sameBytes } from '../../../domain/data/same-bytes.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { documentEdits } from './document-edits.ts';
import { openDocument } from './open-document.ts';

export interface DocumentWrite {
  /** As it was asked for; the document may have been opened through a link. */
  readonly file: string;
  readonly document: vscode.TextDocument;
  readonly content: Uint8Array;
  /** The file as it must still be: its text in the editor where that is unsaved, else the file on disk. */
  readonly base: Uint8Array;
  readonly options: WriteOptions;
  /** Nothing that needs an editor to agree: the file on disk is written and the editor reads it anew. */
  readonly onDisk: boolean;
}

/**
 * How it went. `moved`: the editor was closed, was changed, or shows an older text than the disk; nothing
 * was written, and what the file is now must be looked at again.
 */
export type DocumentOutcome = 'written' | 'moved';

/**
 * Turns an open document into `content` by one edit that can be undone, and saves it. One that has unsaved
 * text stays unsaved: whether that text goes to the disk is the person's to decide.
 *
 * The edit is computed and handed to VS Code in one go, so that it carries the version of the very text it
 * was computed for, and VS Code refuses it when the person has typed since. A document whose last editor
 * was closed is loaded from disk by VS Code and then has another version, or, if it had never been changed,
 * the same: hence the document must have become what was wanted, or it is taken back unsaved. After
 * it was saved the disk is asked.
 */
export async function writeDocument(
  disk: FileSystem,
  { file, document, content, base, options, onDisk }: DocumentWrite,
): Promise<DocumentOutcome> {
  const { version, isDirty } = document;
  const before = await disk.read(file);
  const now = isDirty ? await encoded(document, document.getText()) : before;
  if (document.version !== version || document.isClosed) return 'moved';
  // The new text is made from the one that was read; anything else would be lost.
  if (!sameBytes(now, base)) throw changedMeanwhile(file, base, true);
  const [text, seen] = await Promise.all([decoded(document, content), decoded(document, base)]);
  const kept = sameBytes(await encoded(document, text), content);
  if (document.version !== version || document.isClosed) return 'moved';
  const shown = document.getText();
  const exact = documentEdits(document, text);
  // Mixed line ends or another byte order mark: an editor cannot hold them, but reads them anew.
  if (!isDirty && (onDisk || !kept || exact === undefined)) {
    await disk.write(file, content, { ...options, replaces: base });
    return 'written';
  }
  // Clean, and yet not what is on disk: VS Code is about to read the file, or to say that it is dirty.
  if (unified(shown) !== unified(seen)) return 'moved';
  const edits = exact ?? documentEdits(document, withLineEndsOf(document, text)) ?? [];
  const undoing = undoOf(document);
  try {
    if (!(await applied(disk, document, edits, text))) return 'moved';
    // The person saves their own text, and what came into it with it.
    if (isDirty) return 'written';
    return await saved(disk, document, { file, before, content, undoing });
  } finally {
    undoing.dispose();
  }
}

/** Notices when the person undoes or redoes something in a document. */
interface Undoing {
  readonly happened: boolean;
  dispose(): void;
}

function undoOf(document: vscode.TextDocument): Undoing {
  let happened = false;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && event.reason !== undefined) happened = true;
  });
  return {
    get happened() {
      return happened;
    },
    dispose: () => void listening.dispose(),
  };
}

/**
 * Saves again after an undo: VS Code may take the editor for saved, because its text is the one that was saved before,
 * and would not save it. The file becomes what the editor shows.
 */
async function saveUndone(
  disk: FileSystem,
  edited: vscode.TextDocument,
  file: string,
  content: Uint8Array,
): Promise<void> {
  if (edited.isClosed || edited.isDirty) return;
  const shown = await encoded(edited, edited.getText());
  if (!sameBytes(shown, content)) await disk.write(file, shown, { replaces: content });
}

/** Attempts to save while the person types; then the edit is in the editor, among what is unsaved there. */
const SAVES = 5;

/** Nothing awaits between the caller's look at the document and VS Code's taking the edit with its version. */
async function applied(
  disk: FileSystem,
  document: vscode.TextDocument,
  edits: readonly vscode.TextEdit[],
  text: string,
): Promise<boolean> {
  if (edits.length === 0) return true;
  const uri = document.uri.toString();
  let reached = false;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document.uri.toString() !== uri) return;
    reached ||= unified(event.document.getText()) === unified(text);
  });
  try {
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, [...edits]);
    if (!(await vscode.workspace.applyEdit(edit))) return false;
  } finally {
    listening.dispose();
  }
  if (!reached) await takeBack(disk, document);
  return reached;
}

/** An edit of another text than it was made for: of one that VS Code loaded when the editor had been closed. */
async function takeBack(disk: FileSystem, edited: vscode.TextDocument): Promise<void> {
  const file = edited.uri.fsPath;
  const document = openDocument(edited.uri);
  if (document === undefined) return;
  const onDisk = await decoded(document, await disk.read(file));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), onDisk);
  // A document that never was closed holds what the person typed: it is theirs.
  const taken = document !== edited && (await vscode.workspace.applyEdit(edit));
  if (taken && (await document.save())) return;
  const message = told`${file} was changed by something else in the moment in which it was edited. Its editor may show a mixed text, which was not saved; the file on disk is as it was. Undo the last change in its editor, then try again.`;
  throw fault('tool', message);
}

async function saved(
  disk: FileSystem,
  edited: vscode.TextDocument,
  {
    file,
    before,
    content,
    undoing,
  }: {
    readonly file: string;
    readonly before: Uint8Array;
    readonly content: Uint8Array;
    readonly undoing: Undoing;
  },
): Promise<DocumentOutcome> {
  let [done, waited] = [false, false];
  for (let attempt = 1; !done; attempt += 1) {
    const { version } = edited;
    // VS Code tells a moment after the edit that the document is dirty: that is not asked here.
    done = await edited.save().then(
      (value) => value,
      () => false,
    );
    const onDisk = await disk.read(file);
    if (sameBytes(onDisk, content)) {
      if (undoing.happened) await saveUndone(disk, edited, file, content);
      return 'written';
    }
    // It was written, and the person undid it: it is not written again.
    if (sameBytes(onDisk, before) && undoing.happened && openDocument(edited.uri) === edited)
      return 'written';
    // Reverted, as editors are that are closed without saving; the next look says by whom.
    if (sameBytes(onDisk, before) && (done || openDocument(edited.uri) !== edited)) return 'moved';
    if (edited.isClosed) return 'moved';
    // A document that is typed in while it is saved stays dirty, and VS Code says that it was not saved.
    if (!done && edited.version === version) {
      if (waited || !(await savedSoon(edited))) break;
      waited = true;
    }
    if (attempt === SAVES) return 'written';
  }
  // Saved with more: a formatter's work, or what the person typed since.
  if (done) return 'written';
  const message = told`${file} was changed in its editor but could not be saved. Save it there, or undo the change.`;
  throw fault('permission', message);
}

/** Milliseconds in which a save that VS Code began by itself, after a delay, is over on a busy machine. */
const SAVE_PATIENCE = 5000;

/**
 * Waits after a save that was not carried out: it may have met another one of the same text, which VS Code began by
 * itself, or an undo, of which the window reports late. Resolves with whether to try again.
 */
async function savedSoon(document: vscode.TextDocument): Promise<boolean> {
  const uri = document.uri.toString();
  const over = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => over.resolve(false), SAVE_PATIENCE);
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument((saved) => {
      if (saved.uri.toString() === uri) over.resolve(true);
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) over.resolve(true);
    }),
  );
  try {
    return !document.isDirty || (await over.promise);
  } finally {
    clearTimeout(timer);
    listening.dispose();
  }
}

/** The text of a document as the bytes of its file. */
export function encoded(document: vscode.TextDocument, text: string): Thenable<Uint8Array> {
  return vscode.workspace.encode(text, { encoding: document.encoding });
}

function decoded(document: vscode.TextDocument, bytes: Uint8Array): Thenable<string> {
  return vscode.workspace.decode(bytes, { encoding: document.encoding });
}

function withLineEndsOf(document: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r\n|\r|\n/gu, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}

/** For comparing: a document has one kind of line end, whatever the file has. */
function unified(text: string): string {
  return text.replaceAll(/\r\n|\r/gu, '\n');
}
