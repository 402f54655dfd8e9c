import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalQuestion, PlannedEdit } from '../../../core/ports/person/approval.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { APPROVAL_SCHEME } from '../../../manifest/context-key-names.ts';
import type { ApprovalQueue } from '../../../window/approvals/approval-queue.ts';
import { applyUserEdit } from '../../../window/approvals/edited-text.ts';
import { openDocument } from '../files/open-document.ts';

interface Parts {
  readonly approvals: Pick<ApprovalQueue, 'approvals' | 'onChange' | 'readEditsFrom'>;
  readonly onError: (error: unknown) => void;
}

/** One side of a diff: of which approval, of which file. */
interface Place {
  readonly questionId: string;
  readonly edit: PlannedEdit;
  readonly side: 'before' | 'after';
}

/**
 * Diffs of edits that wait for approval. The right side can be edited before the edit is allowed; nothing of it is
 * stored, and the editors close with the approval.
 */
export class ApprovalDiffs implements vscode.FileSystemProvider, Disposable {
  readonly #parts: Parts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  /** Saved texts of right sides, by address. */
  readonly #saved = new Map<string, Uint8Array>();
  readonly #openedAt = Date.now();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lifetime.add(
      vscode.workspace.registerFileSystemProvider(APPROVAL_SCHEME, this, { isCaseSensitive: true }),
    );
    parts.approvals.readEditsFrom((questionId) => this.#findEdits(questionId));
    this.#lifetime.add(
      parts.approvals.onChange(({ kind }) => {
        if (kind !== 'asked') this.#closeEnded().catch(parts.onError);
      }),
    );
    // A window that was reloaded has diffs of approvals that are asked again under other names.
    this.#closeEnded().catch(parts.onError);
  }

  /** Opens the diff of one file, or of all files of the approval together. */
  async open({ id, title, edits = [] }: ApprovalQuestion): Promise<void> {
    const sides = edits.map((edit) => ({
      edit,
      before: addressOf(id, edit, 'before'),
      after: addressOf(id, edit, 'after'),
    }));
    const [only] = sides;
    if (sides.length === 1 && only !== undefined) {
      const name = l10n.t('{0} (Belay: Waits for Approval)', path.basename(only.edit.path));
      const options = { preview: false };
      await vscode.commands.executeCommand('vscode.diff', only.before, only.after, name, options);
      return;
    }
    const resources = sides.map(({ edit, before, after }) => [
      vscode.Uri.file(edit.path),
      edit.creates ? undefined : before,
      edit.deletes === true ? undefined : after,
    ]);
    await vscode.commands.executeCommand('vscode.changes', `Belay: ${title}`, resources);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    // An approval that has ended still takes the save that lets its editor close without a question.
    const size = this.#find(uri)?.length ?? 0;
    const isReadOnly = sideOf(uri) !== 'after';
    return {
      type: vscode.FileType.File,
      ctime: this.#openedAt,
      mtime: this.#openedAt,
      size,
      ...(isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.#find(uri);
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#saved.set(uri.toString(), content);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  watch(): Disposable {
    return { dispose: () => {} };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Texts that the user changed, saved or not, by path. */
  #findEdits(questionId: string): ReadonlyMap<string, string> {
    const edited = new Map<string, string>();
    const question = this.#parts.approvals.approvals().find(({ id }) => id === questionId);
    for (const edit of question?.edits ?? []) {
      const uri = addressOf(questionId, edit, 'after');
      const saved = this.#saved.get(uri.toString());
      const shown = openDocument(uri)?.getText() ?? (saved && Buffer.from(saved).toString('utf8'));
      const text = shown === undefined ? edit.after : applyUserEdit(edit.after, shown);
      if (text !== edit.after) edited.set(edit.path, text);
    }
    return edited;
  }

  #find(uri: vscode.Uri): Uint8Array | undefined {
    const place = this.#read(uri);
    return this.#saved.get(uri.toString()) ?? (place && Buffer.from(place.edit[place.side]));
  }

  /** `undefined`: the approval has ended. */
  #read(uri: vscode.Uri): Place | undefined {
    const query = new URLSearchParams(uri.query);
    const questionId = query.get('approval') ?? '';
    const side = sideOf(uri);
    const question = this.#parts.approvals.approvals().find(({ id }) => id === questionId);
    const { fsPath } = uri.with({ scheme: 'file', query: '' });
    const edit = question?.edits?.find((one) => vscode.Uri.file(one.path).fsPath === fsPath);
    return edit === undefined ? undefined : { questionId, edit, side };
  }

  /** Closes diffs whose approval has ended; they are saved first, so that VS Code does not ask. */
  async #closeEnded(): Promise<void> {
    const isEnded = (uri: vscode.Uri): boolean =>
      uri.scheme === APPROVAL_SCHEME && this.#read(uri) === undefined;
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && isEnded(document.uri)) await document.save();
    for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
      const { input } = tab;
      const isOurs =
        input instanceof vscode.TabInputTextDiff
          ? isEnded(input.modified) || isEnded(input.original)
          : isMultiDiff(input) && input.textDiffs.some(({ modified }) => isEnded(modified));
      if (isOurs) await vscode.window.tabGroups.close(tab, true);
    }
    for (const name of this.#saved.keys())
      if (isEnded(vscode.Uri.parse(name))) this.#saved.delete(name);
  }
}

/** The input of a tab with several diffs, which VS Code's stable API does not name. */
function isMultiDiff(
  input: unknown,
): input is { readonly textDiffs: readonly { readonly modified: vscode.Uri }[] } {
  return (
    typeof input === 'object' &&
    input !== null &&
    'textDiffs' in input &&
    Array.isArray(input.textDiffs)
  );
}

function sideOf(uri: vscode.Uri): Place['side'] {
  return new URLSearchParams(uri.query).get('side') === 'after' ? 'after' : 'before';
}

function addressOf(
  questionId: string,
  { path: file }: PlannedEdit,
  side: Place['side'],
): vscode.Uri {
  const query = new URLSearchParams({ approval: questionId, side }).toString();
  return vscode.Uri.file(file).with({ scheme: APPROVAL_SCHEME, query });
}
