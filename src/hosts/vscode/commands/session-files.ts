import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { failureOf, fault, wordsOf } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { ImportApproval, TakenIn } from '../../../core/review/transfer/taken-in.ts';
import { takenInWords } from '../../../core/review/transfer/taken-in-words.ts';
import { withoutEnds } from '../../../domain/text/text-end.ts';
import { plural } from '../../../domain/text/language.ts';
import { writeExport } from '../files/write-export.ts';

/** Sessions as JSON Lines (D8); the host only chooses the files. */
export interface SessionTransfer {
  /** Lossless, secrets masked. */
  exportSession(sessionId: string): Promise<string>;
  /**
   * Rejects with `invalid`, naming line and reason, when the file is damaged; with `partial` what is good
   * in it is taken.
   */
  importSession(
    text: string,
    options: { readonly partial?: boolean; readonly approval: ImportApproval },
  ): Promise<{
    /** Its id here. */
    readonly sessionId: string;
    readonly skipped: number;
    /** Its pending changes, with what became of each. */
    readonly taken: readonly TakenIn[];
  }>;
}

/** Bytes of a file that is taken for a session at most. */
const LIMIT = 512 * 1024 * 1024;

const FILTERS = { 'Belay sessions': ['jsonl'], 'All files': ['*'] };

/** Paths that a question names at most. */
const MOST_NAMED = 20;

/** Asks what an import may write into files that do not have the session's pending changes. */
const APPROVAL: ImportApproval = {
  async allowAll(paths) {
    const more = paths.length - MOST_NAMED;
    const names = [
      ...paths.slice(0, MOST_NAMED),
      ...(more > 0 ? [l10n.t('And {0} more.', more)] : []),
    ];
    return isConfirmed(
      plural(
        paths.length,
        'The session has pending changes in one file. Write them where the file does not have them?',
        'The session has pending changes in {0} files. Write them where files do not have them?',
      ),
      names.join('\n'),
    );
  },
  allowProtected: (path, why) => isConfirmed(l10n.t('Write {0}?', path), why),
};

async function isConfirmed(question: string, detail: string): Promise<boolean> {
  const write = l10n.t('Write');
  return (
    (await vscode.window.showWarningMessage(question, { modal: true, detail }, write)) === write
  );
}

/** Asks where to, and writes the session there. `false` when the person gave up. */
export async function exportToFile(
  transfer: SessionTransfer,
  session: { readonly id: string; readonly title: string },
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileName(session.title)}.belay.jsonl`;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Export Session'),
    filters: FILTERS,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return false;
  const text = await transfer.exportSession(session.id);
  await writeExport(target, text);
  void vscode.window
    .showInformationMessage(
      l10n.t('The session was exported to {0}.', target.fsPath),
      l10n.t('Open'),
    )
    .then((chosen) =>
      chosen === undefined ? undefined : vscode.commands.executeCommand('vscode.open', target),
    );
  return true;
}

/** Asks which file, and imports it. The new session's id; `undefined` when the person gave up. */
export async function importFromFile(transfer: SessionTransfer): Promise<string | undefined> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Import Session'),
      openLabel: l10n.t('Import'),
      filters: FILTERS,
    })) ?? [];
  if (source === undefined) return undefined;
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > LIMIT) {
    throw fault(
      'invalid',
      told`${source.fsPath} is too large for a session. Nothing was imported.`,
    );
  }
  const text = Buffer.from(await vscode.workspace.fs.readFile(source)).toString('utf8');
  try {
    const { sessionId, taken } = await transfer.importSession(text, { approval: APPROVAL });
    tellTakenIn(taken);
    return sessionId;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== 'invalid' || !(await wantsTheRest(wordsOf(failure)))) throw error;
    return importPart(transfer, text);
  }
}

/** A damaged file: nothing was taken yet, and the person decides. */
async function wantsTheRest(reason: string): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('The file is damaged.'),
    {
      modal: true,
      detail: l10n.t('{0}\n\nWhat is readable can be imported without the rest.', reason),
    },
    l10n.t('Import the Rest'),
  );
  return chosen !== undefined;
}

async function importPart(transfer: SessionTransfer, text: string): Promise<string> {
  const { sessionId, skipped, taken } = await transfer.importSession(text, {
    partial: true,
    approval: APPROVAL,
  });
  tellTakenIn(taken);
  void vscode.window.showWarningMessage(
    plural(
      skipped,
      'The session was imported without one line that could not be read. Messages that are missing are marked in the conversation.',
      'The session was imported without {0} lines that could not be read. Messages that are missing are marked in the conversation.',
    ),
  );
  return sessionId;
}

/** Says which pending changes of an imported session are here, and which not, and why. */
function tellTakenIn(taken: readonly TakenIn[]): void {
  if (taken.length === 0) return;
  const words = takenInWords(taken);
  const pending = taken.filter(({ outcome }) => outcome !== 'left').length;
  const said = plural(
    pending,
    'The session has pending changes in one file: look at them and decide.',
    'The session has pending changes in {0} files: look at them and decide.',
  );
  if (words.length === 0) void vscode.window.showInformationMessage(said);
  else void vscode.window.showWarningMessage([...(pending > 0 ? [said] : []), ...words].join(' '));
}

/** A title as a file name on every system. */
function fileName(title: string): string {
  const plain = withoutEnds(title.replaceAll(/[^\p{L}\p{N}]+/gu, '-'), '-').slice(0, 60);
  return plain === '' ? 'session' : plain;
}
