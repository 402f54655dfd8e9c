import { joined, type Told, told } from '../../domain/text/told.ts';
import type { RecoveredRestore } from '../ports/files/workspace-snapshots.ts';

/** Names in a sentence; the others are counted. */
const MAX_NAMED = 5;

/** The end of a cut-off restore, in one sentence for the person. */
export function recoveredSentence({ stayed, ...restore }: RecoveredRestore): Told {
  const said = outcomeOf(restore);
  return stayed.length === 0
    ? said
    : joined([said, told`These changed since and stayed as they are: ${names(stayed)}.`], ' ');
}

function outcomeOf({ outcome, files, failed }: Omit<RecoveredRestore, 'stayed'>): Told {
  switch (outcome) {
    case 'finished':
      return told`Belay finished a restore of files (${files}) that was cut off when Belay ended.`;
    case 'undone':
      return told`Belay took back a restore of files (${files}) that was cut off when Belay ended: all are as before it.`;
    case 'pending':
      return told`Belay could not settle a restore of files (${files}) that was cut off when Belay ended: ${names(failed)} could not be written. ${failed[0]?.why ?? ''} It is tried again when the window is opened next.`;
    case 'lost':
      return files === 0
        ? told`The record of a restore of files that was cut off when Belay ended is damaged: nothing was touched; look at the changes in your workspace.`
        : told`Belay could not settle a restore of files (${files}) that was cut off when Belay ended, because its contents are gone: nothing was touched; look at ${names(failed)}.`;
    default:
      return outcome satisfies never;
  }
}

function names(places: readonly { readonly path: string }[]): string {
  const shown = places.slice(0, MAX_NAMED).map(({ path }) => path);
  const more = places.length - shown.length;
  return more > 0 ? `${shown.join(', ')}, … (${places.length})` : shown.join(', ');
}
