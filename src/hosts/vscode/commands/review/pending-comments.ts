import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Hunk, hunksOf, type PendingChange } from '../../../../core/review/model/hunks.ts';
import { failureOf, fault, wordsOf } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { ChangeArgument } from '../../pending/editors/change-lenses.ts';
import { findPeeked, isPeek } from '../../pending/source-control/scm-commands.ts';
import type { PendingControls } from '../../pending/pending-controls.ts';
import { changesHere, isArgument, sayNothingWaits } from './pending-changes.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';

/** Comments on pending changes, why they were made, and what earlier windows left. */
export function pendingCommentCommands({ controls }: Pick<CommandServices, 'controls'>) {
  return {
    'belay.commentOnChange': async (...args) => {
      const clicked = readClicked(controls, args);
      if (controls.reviews.pending.length === 0) return sayNothingWaits();
      const change = isArgument(clicked) ? named(controls, clicked) : here(controls);
      if (change !== undefined) return writeComment(controls, change);
      void vscode.window.showInformationMessage(
        l10n.t('Put the cursor into a pending change to comment on it; Next Change leads to one.'),
      );
    },
    'belay.explainChange': async (...args) => {
      const clicked = readClicked(controls, args);
      if (controls.reviews.pending.length === 0) return sayNothingWaits();
      const change = isArgument(clicked) ? named(controls, clicked) : here(controls);
      if (change !== undefined) return controls.explain(change);
      void vscode.window.showInformationMessage(
        l10n.t(
          'Put the cursor into a pending change to see why it was made; Next Change leads to one.',
        ),
      );
    },
    'belay.sendChangeComment': async (given) => {
      const comment = given as vscode.CommentReply | vscode.Comment;
      if ('text' in comment) await controls.comments.submit(comment);
      else await controls.comments.resend(comment);
    },
    'belay.discardChangeComment': async (comment) => {
      controls.comments.discard(comment as vscode.Comment);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Reads the change that was clicked, in the peek or elsewhere. */
function readClicked(controls: PendingControls, args: readonly unknown[]): unknown {
  if (!isPeek(args)) return args[0];
  const { path, choice } = findPeeked(controls, args);
  return { path, hunk: choice === 'all' ? undefined : choice?.[0] };
}

function named(controls: PendingControls, { path, hunk: id }: ChangeArgument): PendingChange {
  const review = controls.reviews.find(path);
  const hunk = review && hunksOf(review).find((one) => id === undefined || one.id === id);
  if (review !== undefined && hunk !== undefined) return { review, hunk };
  const message = told`This change of ${vscode.workspace.asRelativePath(path)} is not pending any more: it was decided, undone or edited meanwhile. Nothing was done.`;
  throw fault('not_found', message);
}

function here(controls: PendingControls): PendingChange | undefined {
  const meant = changesHere(controls);
  const review = meant && controls.reviews.find(meant.path);
  if (meant === undefined || review === undefined) return undefined;
  const { hunks } = meant;
  const hunk = hunks === 'all' ? undefined : hunksOf(review).find(({ id }) => hunks.includes(id));
  return { review, hunk };
}

/** In the editor where the change has lines, with the keyboard in the box; else in an input box. */
async function writeComment(controls: PendingControls, change: PendingChange): Promise<void> {
  const { review, hunk } = change;
  const uri = vscode.Uri.file(review.path);
  if (hunk !== undefined && hunk.kind !== 'binary' && review.document.kind === 'text') {
    await controls.show(change);
    const shown = vscode.window.activeTextEditor?.document.uri.toString();
    if (shown === uri.toString() && (await controls.comments.openBox())) return;
  }
  await askForComment(controls, change, hunk);
}

/** A text that was not taken is in the box again, with the reason. */
async function askForComment(
  controls: PendingControls,
  { review }: PendingChange,
  hunk: Hunk | undefined,
): Promise<void> {
  const name = vscode.workspace.asRelativePath(review.path);
  let [value, problem]: [string, string] = ['', ''];
  for (;;) {
    const text = await vscode.window.showInputBox({
      title: l10n.t('Belay: Comment on the Change of {0}', name),
      prompt: problem === '' ? l10n.t('It goes to the agent with this change.') : problem,
      value,
      ignoreFocusOut: true,
    });
    if (text === undefined || text.trim() === '') return;
    try {
      await controls.comments.sendAbout({ path: review.path, hunk }, text);
      controls.announcer.say(l10n.t('The comment was sent to the agent.'));
      return;
    } catch (thrown) {
      [value, problem] = [text, l10n.t('It was not sent: {0}', wordsOf(failureOf(thrown)))];
    }
  }
}
