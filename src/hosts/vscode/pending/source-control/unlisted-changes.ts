import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NotListed } from '../../../../core/review/storage/unlisted-notes.ts';

/** The group of what nobody can review here: of commands, too many files or too large ones, and what is kept no longer. */
export const UNLISTED_GROUP = 'unlisted';

/** A row for each of these files: the newest command that changed it counts. */
export function unlistedRows(
  notes: readonly NotListed[],
): readonly vscode.SourceControlResourceState[] {
  const newest = new Map(notes.flatMap((note) => note.paths.map((path) => [path, note] as const)));
  return [...newest].map(([path, note]) => {
    const resourceUri = vscode.Uri.file(path);
    return {
      resourceUri,
      contextValue: UNLISTED_GROUP,
      decorations: {
        faded: true,
        tooltip: tooltipOf(note),
      },
      command: { command: 'vscode.open', title: l10n.t('Open'), arguments: [resourceUri] },
    };
  });
}

function tooltipOf({ tool, dropped, during }: NotListed): string {
  if (dropped === true)
    return l10n.t(
      'Changes were pending here before something else replaced the file. They were too many or too old to be kept: if their lines come back, look at them in your version control.',
    );
  const what =
    during === true ? l10n.t('Changed while “{0}” ran', tool) : l10n.t('Changed by “{0}”', tool);
  return l10n.t('{0}. Too much to be decided here; “Belay: Restore Files…” takes it back.', what);
}

/** The title of the group; it says how many there are beyond its rows. */
export function unlistedTitle(notes: readonly NotListed[]): string {
  const more = notes.reduce((sum, { paths, total }) => sum + total - paths.length, 0);
  const isOfCommands = notes.every(({ dropped }) => dropped !== true);
  const title = isOfCommands
    ? l10n.t('Changed by Commands, Too Much to Review')
    : l10n.t('Cannot Be Reviewed');
  return more === 0 ? title : l10n.t('{0} (and {1} more files)', title, more);
}
