import type { RecoveredRestore } from '../ports/files/workspace-snapshots.ts';

/** Names in a sentence; the others are counted. */
const NAMED = 5;

/** The end of a cut-off restore, in one sentence for the person. */
export function recoveredSentence({ outcome, files, stayed, failed }: RecoveredRestore): string {
  const of = `a restore of ${files} ${files === 1 ? 'file' : 'files'} that was cut off when Belay ended`;
  const kept =
    stayed.length === 0
      ? ''
      : `; ${names(stayed)} changed since and stayed as ${stayed.length === 1 ? 'it is' : 'they are'}`;
  switch (outcome) {
    case 'finished':
      return `Belay finished ${of}${kept}.`;
    case 'undone':
      return `Belay took back ${of}: all files are as before it${kept}.`;
    case 'pending':
      return `Belay could not settle ${of}: ${names(failed)} could not be written (${failed[0]?.why ?? ''}); it is tried again when the window is opened next${kept}.`;
    case 'lost':
      return files === 0
        ? 'The record of a restore of files that was cut off when Belay ended is damaged: nothing was touched; look at the changes in your workspace.'
        : `Belay could not settle ${of}, because its contents are gone: nothing was touched; look at ${names(failed)}.`;
    default:
      return outcome satisfies never;
  }
}

function names(places: readonly { readonly path: string }[]): string {
  const shown = places.slice(0, NAMED).map(({ path }) => path);
  const more = places.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
