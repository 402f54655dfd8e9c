import * as vscode from 'vscode';
import type { NotListed } from '../../../core/review/unlisted-notes.ts';

/** The group of what commands changed and nobody can review here: too many files, or too large ones. */
export const UNLISTED_GROUP = 'unlisted';

/** A row for each of these files: the newest command that changed it counts. */
export function unlistedRows(
  notes: readonly NotListed[],
): readonly vscode.SourceControlResourceState[] {
  const commands = new Map(notes.flatMap(({ paths, tool }) => paths.map((path) => [path, tool])));
  return [...commands].map(([path, command]) => {
    const resourceUri = vscode.Uri.file(path);
    return {
      resourceUri,
      contextValue: UNLISTED_GROUP,
      decorations: {
        faded: true,
        tooltip: `Changed by “${command}”. Too much to be decided here; “Belay: Restore Files…” takes it back.`,
      },
      command: { command: 'vscode.open', title: 'Open', arguments: [resourceUri] },
    };
  });
}

/** The title of the group; it says how many there are beyond its rows. */
export function unlistedTitle(notes: readonly NotListed[]): string {
  const more = notes.reduce((sum, { paths, total }) => sum + total - paths.length, 0);
  const title = 'Changed by Commands, Too Much to Review';
  return more === 0 ? title : `${title} (and ${more} more files)`;
}
