import path from 'node:path';
import * as vscode from 'vscode';
import type { RestorePoint, RestorePreview } from '../../../core/agent-changes.ts';
import type { Leaf } from '../../../core/restore/turned-back.ts';
import { BelayError } from '../../../domain/failure.ts';
import { textOf } from '../../../domain/message.ts';
import { RESTORED_SCHEME } from '../manifest/context-key-names.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices, FileRestore } from './services.ts';
import { shownSession } from './sessions.ts';

const RESTORE = 'Restore';

/** Files as they were before a message: chosen, looked at as a diff, and then all or nothing. */
export function restoreCommands(
  services: CommandServices,
): Pick<CommandHandlers, 'belay.restoreFiles'> {
  return {
    'belay.restoreFiles': async () => {
      const { changes } = services;
      if (changes === undefined) return;
      const sessionId = shownSession(services);
      const point = await choosePoint(await changes.points(sessionId));
      if (point === undefined) return;
      const previews = await changes.preview(point.records);
      const chosen = await confirmed(previews, point);
      if (chosen === undefined || chosen.length === 0) return;
      refuseUnsaved(chosen);
      const record = await changes.restore(sessionId, chosen);
      const undo = await vscode.window.showInformationMessage(
        `${files(chosen.length)} restored. The conversation is as it was.`,
        'Undo',
      );
      if (undo === 'Undo') await takeBack(changes, sessionId, record);
    },
  };
}

async function takeBack(
  changes: FileRestore,
  sessionId: string,
  record: Awaited<ReturnType<FileRestore['restore']>>,
): Promise<void> {
  const previews = await changes.preview([record]);
  const safe = previews.filter(({ outcome }) => outcome !== 'conflict');
  refuseUnsaved(safe);
  await changes.restore(sessionId, safe);
  const kept = previews.length - safe.length;
  void vscode.window.showInformationMessage(
    kept === 0
      ? `${files(safe.length)} as before the restore.`
      : `${files(safe.length)} as before the restore; ${files(kept)} changed since and stayed.`,
  );
}

async function choosePoint(points: readonly RestorePoint[]): Promise<RestorePoint | undefined> {
  if (points.length === 0) {
    void vscode.window.showInformationMessage(
      'In this session the agent has changed no file of the workspace that is on record.',
    );
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    points.map((point) => ({
      label: textOf(point.message).split('\n', 1)[0]?.slice(0, 100) ?? '',
      description: `${files(point.files)} changed since`,
      detail: new Date(point.message.createdAt).toLocaleString(),
      point,
    })),
    {
      title: 'Belay: Restore Files',
      placeHolder: 'Files become as they were before this message; your own edits stay',
    },
  );
  return chosen?.point;
}

/** Shows what would change and asks; gives what is to be restored. */
async function confirmed(
  previews: readonly RestorePreview[],
  { message, records }: RestorePoint,
): Promise<readonly RestorePreview[] | undefined> {
  if (previews.length === 0) {
    void vscode.window.showInformationMessage('All files are as they were before that message.');
    return undefined;
  }
  const texts = new Texts();
  try {
    await vscode.commands.executeCommand(
      'vscode.changes',
      'Restore Files',
      previews.map((preview) => {
        const uri = vscode.Uri.file(path.join(preview.root, preview.path));
        return [uri, texts.add(uri, 'now', preview.now), texts.add(uri, 'then', preview.to)];
      }),
    );
    return await ask(previews, message, records);
  } finally {
    texts.dispose();
  }
}

async function ask(
  previews: readonly RestorePreview[],
  message: RestorePoint['message'],
  records: RestorePoint['records'],
): Promise<readonly RestorePreview[] | undefined> {
  const conflicts = previews.filter(({ outcome }) => outcome === 'conflict');
  const merged = previews.filter(({ outcome }) => outcome === 'merged').length;
  const safe = previews.filter(({ outcome }) => outcome !== 'conflict');
  const replace = `Restore All, Replacing My Edits in ${files(conflicts.length)}`;
  const lines = [
    ...previews.slice(0, 12).map((one) => `${WORDS[one.outcome]} ${one.path}`),
    ...(previews.length > 12
      ? [`… and ${previews.length - 12} more, in the diff behind this`]
      : []),
    ...(merged > 0 ? [`Your own edits in ${files(merged)} stay.`] : []),
    ...conflicts.slice(0, 5).map((one) => `${one.path}: ${one.why ?? ''}`),
    ...(records.some(({ uncertain }) => uncertain)
      ? ['A command began before its snapshot was whole: look closely at what it changed.']
      : []),
  ];
  const title = textOf(message).split('\n', 1)[0]?.slice(0, 60) ?? '';
  const chosen = await vscode.window.showWarningMessage(
    `Restore ${files(previews.length)} to before “${title}”?`,
    { modal: true, detail: lines.join('\n') },
    ...(safe.length > 0 ? [RESTORE] : []),
    ...(conflicts.length > 0 ? [replace] : []),
  );
  if (chosen === undefined) return undefined;
  return chosen === RESTORE ? safe : previews;
}

const WORDS = { restored: '✓', merged: '✓ (merged)', conflict: '✗ (your edits)' } as const;

const files = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

/** What is typed and not saved would be lost or mixed: it is never written over. */
function refuseUnsaved(previews: readonly RestorePreview[]): void {
  const restored = new Set(
    previews.map(({ root, path: name }) => vscode.Uri.file(path.join(root, name)).fsPath),
  );
  const unsaved = vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && restored.has(uri.fsPath))
    .map(({ uri }) => vscode.workspace.asRelativePath(uri));
  if (unsaved.length === 0) return;
  throw new BelayError({
    code: 'invalid',
    message: `${unsaved.join(', ')}: not saved. Nothing was restored; save or revert first, then try again.`,
  });
}

/** Both sides of the preview, as read-only documents for as long as it is asked. */
class Texts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(
    RESTORED_SCHEME,
    this,
  );

  add(uri: vscode.Uri, side: 'now' | 'then', leaf: Leaf): vscode.Uri {
    const own = uri.with({ scheme: RESTORED_SCHEME, query: side });
    this.#texts.set(own.toString(), shown(leaf));
    return own;
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

function shown(leaf: Leaf): string {
  if (leaf.kind === 'absent') return '';
  if (leaf.kind === 'link') return `link to ${leaf.target}\n`;
  if (leaf.kind === 'other')
    return leaf.what === 'large' ? 'a file that is too large to be kept\n' : 'no regular file\n';
  const text = new TextDecoder().decode(leaf.bytes);
  return text.includes('\0') ? `${leaf.bytes.length} bytes that are no text\n` : text;
}
