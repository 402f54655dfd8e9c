import { inWords, told } from '../../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { isWhatItSays } from '../../../core/context/attached-bytes.ts';
import type { PathGuard } from '../../../core/permissions/path-guard.ts';
import { describePath } from '../../../core/permissions/risks.ts';
import { pathBelow } from '../../../domain/paths.ts';
import type { Ids } from '../../../core/ports/ids.ts';
import { fault, saidBy } from '../../../domain/failure.ts';
import { LARGEST_PICTURE } from '../../../domain/models/largest-picture.ts';
import type { Attachment } from '../../../domain/session/session.ts';
import { ATTACHMENTS } from '../../../protocol/limits.ts';

/** Files that the model can be shown as they are; all others are read as text by a tool. */
const SHOWN: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** Types of other files, where their names tell them. */
const KINDS: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.csv': 'text/csv',
  '.ipynb': 'application/x-ipynb+json',
};

/** Lets the person choose files for a message (A6). Empty when they give up. */
export async function pickAttachments(
  ids: Ids,
  guard: Pick<PathGuard, 'judge'>,
): Promise<readonly Attachment[]> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: l10n.t('Attach Files'),
    openLabel: l10n.t('Attach'),
  });
  if (chosen !== undefined && chosen.length > ATTACHMENTS)
    throw fault('invalid', told`Only ${ATTACHMENTS} files can be attached to a message.`);
  const read = await Promise.allSettled((chosen ?? []).map((uri) => attachmentOf(uri, ids, guard)));
  const attached = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const problems = read.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  // One that cannot be taken does not keep the others back.
  const [first] = problems;
  if (first !== undefined && attached.length === 0) throw first;
  if (problems.length > 0)
    void vscode.window.showWarningMessage(problems.map((one) => inWords(saidBy(one))).join(' '));
  return attached;
}

async function attachmentOf(
  uri: vscode.Uri,
  ids: Ids,
  guard: Pick<PathGuard, 'judge'>,
): Promise<Attachment> {
  const name = path.basename(uri.path);
  const shownAs = SHOWN[path.extname(name).toLowerCase()];
  const { size } = await vscode.workspace.fs.stat(uri).then(undefined, () => {
    throw fault('not_found', told`${name} cannot be read.`);
  });
  const common = {
    id: ids.next('attachment'),
    name,
    mediaType: shownAs ?? KINDS[path.extname(name).toLowerCase()] ?? 'text/plain',
    size,
    path: await mayGoAlong(uri, guard),
  };
  // Only named: a tool reads it when the model wants it.
  if (shownAs === undefined || size > LARGEST_PICTURE) return common;
  const data = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
  if (!isWhatItSays(shownAs, data)) {
    throw fault('invalid', told`${name} was not attached: its content is no ${shownAs}.`);
  }
  return { ...common, data };
}

/** The person chose the file by its name; what another hides behind that name does not go along. Gives its real path. */
async function mayGoAlong(
  { fsPath: file }: vscode.Uri,
  guard: Pick<PathGuard, 'judge'>,
): Promise<string> {
  const judged = await guard.judge({ path: file, access: 'read' }, workspaceRoots());
  const { place, real } = judged;
  const isLink = place === 'outside' && real !== file && isInWorkspace(file);
  if (place === 'inside' || place === 'config' || (place === 'outside' && !isLink)) return real;
  const message = told`${path.basename(file)} was not attached. ${describePath(judged)}`;
  throw fault('permission', message);
}

function workspaceRoots(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}

function isInWorkspace(file: string): boolean {
  return workspaceRoots().some((root) => pathBelow(root, file) !== undefined);
}
