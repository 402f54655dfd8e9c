import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandGroups } from '../../../core/review/commands/command-groups.ts';
import type { RestorePreview } from '../../../core/restore/agent-changes.ts';
import { fault } from '../../../domain/failure.ts';
import { resolvePath } from '../../../domain/paths.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { plural } from '../../../domain/text/language.ts';
import { told } from '../../../domain/text/told.ts';
import { confirmedFiles, files } from '../commands/review/restore-files.ts';

/** Files that are named with the reason why they stay. */
const MAX_NAMED = 12;

/**
 * Shows what undoing the changes during a command would do to each file, asks, and undoes them.
 * @param only absolute; default: all files of the group
 * @throws BelayError `not_found` when the group is no longer listed, `invalid` when none of the files can be undone
 */
export async function undoCommandChanges(
  groups: CommandGroups,
  id: string,
  only?: readonly string[],
): Promise<void> {
  const line = makeVisible(groups.stored.all.find((one) => one.id === id)?.line ?? '');
  const previews = await groups.preview(id, only);
  if (previews.length === 0) {
    const nothing = l10n.t(
      'There is nothing to undo: the files are as before the command, or their earlier content is no longer kept.',
    );
    void vscode.window.showInformationMessage(nothing);
    return;
  }
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.fsPath),
  );
  const reasons = previews.map((one) => reasonToStay(one, unsaved));
  const able = previews.filter((_, index) => reasons[index] === undefined);
  const lines = previews.flatMap(({ path }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [`${makeVisible(path)}: ${reason}`];
  });
  if (able.length === 0) {
    const why = lines.slice(0, MAX_NAMED).join(' ');
    throw fault('invalid', told`None of these changes can be undone. ${why}`);
  }
  const confirmed = await confirmedFiles(able, {
    title: l10n.t('Undo Changes During “{0}”', line),
    question: l10n.t('Undo the changes of {0} during “{1}”?', files(able.length), line),
    lines: stayingLines(lines),
    yes: l10n.t('Undo'),
    notCovered: [],
  });
  if (confirmed === undefined) return;
  const failed = await groups.undo(id, confirmed);
  const [first] = failed;
  if (first === undefined) return;
  const name = vscode.workspace.asRelativePath(first.path);
  const others = failed.length - 1;
  const message =
    others === 0
      ? told`${name} was not undone: ${first.reason}`
      : told`${name} and ${others} more were not undone: ${first.reason}`;
  throw fault('tool', message);
}

/** Why a file stays as it is; `undefined`: it can be undone. */
function reasonToStay(
  { root, path, outcome, why }: RestorePreview,
  unsaved: ReadonlySet<string>,
): string | undefined {
  if (unsaved.has(vscode.Uri.file(resolvePath(root, path)).fsPath))
    return l10n.t('It has unsaved changes.');
  return outcome === 'restored' || outcome === 'merged' ? undefined : (why ?? '');
}

function stayingLines(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const staying = plural(lines.length, '{0} file stays as it is:', '{0} files stay as they are:');
  const more = lines.length > MAX_NAMED ? ['…'] : [];
  return [staying, ...lines.slice(0, MAX_NAMED), ...more];
}
