import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { BackgroundRuns, EndedRun } from '../../../window/background-runs.ts';
import type { Places } from '../panel/places.ts';

/** Tells how runs in the background ended, where the person does not see it anyway. */
export function tellEnds(
  away: Pick<BackgroundRuns, 'onEnded' | 'onFailed'>,
  view: Pick<Places, 'isShown' | 'goTo'>,
  titleOf: (sessionId: string) => string | undefined,
): Disposable {
  const lifetime = new Lifetime();
  const tell = async ({ sessionId, run }: EndedRun): Promise<void> => {
    if (view.isShown(sessionId)) return;
    const title = titleOf(sessionId) ?? l10n.t('Untitled');
    const show = l10n.t('Show');
    const said = wordsFor(run, title);
    if ((await vscode.window.showInformationMessage(said, show)) === show)
      await view.goTo(sessionId);
  };
  lifetime.add(away.onEnded((ended) => void tell(ended)));
  lifetime.add(away.onFailed((sentence) => void vscode.window.showWarningMessage(sentence)));
  return lifetime;
}

function wordsFor(run: EndedRun['run'], title: string): string {
  if (run?.end?.reason === 'done') return l10n.t('“{0}” is done in the background.', title);
  return run?.end?.state === 'waiting_on_human'
    ? l10n.t('“{0}” waits for you: it could not go on in the background.', title)
    : l10n.t('“{0}” has stopped in the background.', title);
}
