import path from 'node:path';
import * as vscode from 'vscode';
import type { Ids } from '../../core/ports.ts';
import { BelayError } from '../../domain/failure.ts';
import type { Attachment } from '../../domain/session.ts';

/** Bytes of a file that goes along as data: what the API takes of an image. Larger ones are read by their path. */
const DATA_LIMIT = 5 * 1024 * 1024;

/** Files that the model can be shown as they are; all others are read as text by a tool. */
const SHOWN: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** Lets the person choose files for a message (A6). Empty when they give up. */
export async function pickAttachments(ids: Ids): Promise<readonly Attachment[]> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: 'Attach Files',
    openLabel: 'Attach',
  });
  return Promise.all((chosen ?? []).map((uri) => attachmentOf(uri, ids)));
}

async function attachmentOf(uri: vscode.Uri, ids: Ids): Promise<Attachment> {
  const name = path.basename(uri.path);
  const shownAs = SHOWN[path.extname(name).toLowerCase()];
  const { size } = await vscode.workspace.fs.stat(uri).then(undefined, () => {
    throw new BelayError({ code: 'not_found', message: `${name} cannot be read.` });
  });
  if (shownAs !== undefined && size > DATA_LIMIT) {
    throw new BelayError({
      code: 'invalid',
      message: `${name} has ${Math.ceil(size / 1024 / 1024)} MB; images and documents of up to 5 MB can be attached.`,
    });
  }
  const common = {
    id: ids.next('attachment'),
    name,
    mediaType: shownAs ?? 'text/plain',
    size,
    path: uri.fsPath,
  };
  if (shownAs === undefined) return common;
  const data = await vscode.workspace.fs.readFile(uri);
  return { ...common, data: Buffer.from(data).toString('base64') };
}
