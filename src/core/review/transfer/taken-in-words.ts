import * as l10n from '@vscode/l10n';
import type { TakenIn } from './taken-in.ts';
import type { LeftWhy } from './pending-record.ts';

/** Files that are named at most. */
const MAX_NAMED = 20;

/** Sentences about changes of an imported session that are not pending here as they were; empty: all are. */
export function takenInWords(taken: readonly TakenIn[]): readonly string[] {
  const told = taken.filter(({ outcome }) => outcome === 'merged' || outcome === 'left');
  const words = told.slice(0, MAX_NAMED).map(wordsOf);
  return told.length > MAX_NAMED
    ? [...words, l10n.t('And {0} more.', told.length - MAX_NAMED)]
    : words;
}

function wordsOf({ path, why }: TakenIn): string {
  return why === undefined
    ? l10n.t('{0} is another file here: its changes are pending on what it is now.', path)
    : l10n.t('The changes of {0} are not pending here: {1}', path, reasonOf(why));
}

function reasonOf(why: LeftWhy): string {
  switch (why) {
    case 'secret':
      return l10n.t('there is a secret in them, so they were not exported.');
    case 'large':
      return l10n.t('the file was too large to be exported, or was another one by then.');
    case 'unreadable':
      return l10n.t('they cannot be read, or what the file was before is missing.');
    case 'refused':
      return l10n.t('agents may not write there.');
    case 'gone':
      return l10n.t('the file that they change is not here, or is another one.');
    case 'not applied':
      return l10n.t('the file does not have them, and they were not written.');
    case 'conflict':
      return l10n.t('the file was changed at the same lines.');
    case 'taken':
      return l10n.t('something else has the new name of the file.');
    case 'others':
      return l10n.t('other changes are pending in the file. Decide about those and import again.');
    case 'done':
      return l10n.t('the file is that already.');
    default:
      return why satisfies never;
  }
}
