import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inWords } from '../../../domain/text/told.ts';
import { judgeLink } from '../../../core/permissions/network/link-guard.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { fault } from '../../../domain/failure.ts';
import type { FileLink } from '../../../domain/message.ts';
import { type LinkParts, resolveLink } from '../../../panel/file-target.ts';

/** Opens a file at a line; folders are shown in the explorer. */
export async function openLink(link: FileLink, parts: LinkParts): Promise<void> {
  const file = await resolveLink(link, parts);
  const uri = vscode.Uri.file(file);
  if ((await parts.files.stat(file))?.type === 'directory') {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const line = Math.max(0, (link.line ?? 1) - 1);
  const selection = new vscode.Range(line, 0, line, 0);
  // Whatever VS Code has for this kind of file: an image, a notebook, a text.
  await vscode.commands.executeCommand('vscode.open', uri, {
    preview: true,
    ...(link.line === undefined ? {} : { selection }),
  });
}

/** Opens a page that a stranger's program wants opened, always with a yes to its whole address. `false`: the person said no. */
export async function openAsked(address: string, who: string): Promise<boolean> {
  const judged = judgeLink(address, '');
  if (judged.verdict === 'refuse') throw fault('invalid', judged.reason);
  const reasons = judged.verdict === 'ask' ? judged.reasons : [];
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('{0} wants to open a page of {1}.', who, new URL(judged.url).host),
    { modal: true, detail: [makeVisible(judged.url), ...reasons.map(inWords)].join('\n\n') },
    l10n.t('Open'),
  );
  return chosen === l10n.t('Open') && vscode.env.openExternal(vscode.Uri.parse(judged.url, true));
}

/**
 * Opens a web address outside of VS Code. What is not what it seems is asked about with its real host;
 * about the others VS Code itself asks, unless the person trusts their host.
 */
export async function openExternal(address: string, shown: string): Promise<void> {
  const judged = judgeLink(address, shown);
  if (judged.verdict === 'refuse') throw fault('invalid', judged.reason);
  if (judged.verdict === 'ask') {
    const chosen = await vscode.window.showWarningMessage(
      l10n.t('Open a page of {0}?', judged.host),
      {
        modal: true,
        detail: [makeVisible(judged.url), ...judged.reasons.map(inWords)].join('\n\n'),
      },
      l10n.t('Open'),
    );
    if (chosen !== l10n.t('Open')) return;
  }
  await vscode.env.openExternal(vscode.Uri.parse(judged.url, true));
}
