import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Decision } from '../../../../core/review/service/decisions.ts';
import type { FileReview } from '../../../../core/review/model/file-review.ts';
import { countPending } from '../../../../core/review/model/selected-changes.ts';
import { countChanges, hunksOf, listChanges } from '../../../../core/review/model/hunks.ts';
import type { Selected } from '../../../../core/review/service/reviews.ts';
import { type BelayError, fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { ChangeArgument } from '../../pending/editors/change-lenses.ts';
import { changesAt, lineOf, stepFrom } from '../../../../window/pending/change-order.ts';
import { stepText } from '../../../../window/pending/change-words.ts';
import {
  decideRows,
  findPeeked,
  isPeek,
  isResource,
} from '../../pending/source-control/scm-commands.ts';
import { type EditorSpot, editorSpot } from '../../pending/editors/editor-spot.ts';
import type { PendingControls } from '../../pending/pending-controls.ts';
import type { CommandHandlers } from '../register.ts';
import type { CommandServices } from '../services.ts';
import { count } from '../../../../domain/text/language.ts';

/**
 * Decisions about pending changes and the way through them. Changes are named by a button, or are those
 * at the cursor; what is not in view is shown, not decided: nobody keeps what they have not seen.
 */
export function pendingChangeCommands({ controls }: Pick<CommandServices, 'controls'>) {
  const made = new MadeDecisions();
  let isDeciding = false;
  const decideChange = async (decision: Decision, args: readonly unknown[]): Promise<void> => {
    if (isPeek(args)) {
      await controls.reviews.decisions[decision](findPeeked(controls, args));
      return;
    }
    const [clicked] = args;
    const isNothingPending = controls.reviews.pending.length === 0;
    if (isArgument(clicked) && (!isNothingPending || made.of(clicked)))
      return decideNamed(controls, decision, clicked, made);
    if (isNothingPending) return sayNothingWaits();
    // The cursor is where it was until the decision is made: the key meant that change.
    if (isDeciding) return;
    const spot = editorSpot(controls.uris);
    const meant = changesHere(controls, spot);
    // A diff that is slow to open holds up no key.
    if (spot === undefined || meant === undefined) return showElsewhere(controls, spot?.path);
    isDeciding = true;
    try {
      await decideHere(controls, decision, meant);
    } finally {
      isDeciding = false;
    }
    goOnInFile(controls, spot);
  };
  const decideFile = async (decision: Decision, args: readonly unknown[]): Promise<void> => {
    const [clicked] = args;
    if (isResource(clicked)) return decideRows(controls, decision, args);
    if (controls.reviews.pending.length === 0) return sayNothingWaits();
    const file = isArgument(clicked) ? clicked : fileMeant(controls, clicked);
    const known = file && controls.reviews.find(file.path);
    if (file === undefined || known === undefined)
      return showElsewhere(controls, file?.path, editorSpot(controls.uris));
    await controls.reviews.decisions[decision]({ path: file.path });
    controls.announcer.say(
      `${decidedText(decision, count(countChanges(known), 'change'), nameOf(known.path))} ${leftText(controls)}`,
    );
  };
  const step = async (direction: 'next' | 'previous'): Promise<void> => {
    const changes = listChanges(controls.reviews.pending);
    const found = stepFrom(changes, editorSpot(controls.uris), direction);
    if (found === undefined) return sayNothingWaits();
    await controls.show(found.change);
    controls.announcer.say(stepText(found, nameOf(found.change.review.path)));
  };
  return {
    'belay.keepChange': (...clicked) => decideChange('keep', clicked),
    'belay.undoChange': (...clicked) => decideChange('undo', clicked),
    'belay.keepFile': (...clicked) => decideFile('keep', clicked),
    'belay.undoFile': (...clicked) => decideFile('undo', clicked),
    'belay.nextChange': () => step('next'),
    'belay.previousChange': () => step('previous'),
    'belay.lookedAtChange': async (clicked) => {
      if (controls.reviews.pending.length === 0) return sayNothingWaits();
      const meant = isArgument(clicked) ? clicked : changesHere(controls);
      if (meant === undefined) return showElsewhere(controls, undefined);
      toggleLooked(controls, meant);
    },
  } satisfies Partial<CommandHandlers>;
}

const decidedText = (decision: Decision, what: string, file: string): string =>
  decision === 'keep'
    ? l10n.t('Kept {0} of {1}.', what, file)
    : l10n.t('Undid {0} of {1}.', what, file);

function saidOf(decision: Decision, what = ''): string {
  if (what === '') return decision === 'keep' ? l10n.t('Kept.') : l10n.t('Undone.');
  return decision === 'keep' ? l10n.t('Kept {0}.', what) : l10n.t('Undid {0}.', what);
}

/** A change whose place is known: by a button, or by the cursor. */
interface Meant {
  readonly path: string;
  readonly hunks: readonly string[] | 'all';
}

async function decideNamed(
  controls: PendingControls,
  decision: Decision,
  change: ChangeArgument,
  made: MadeDecisions,
): Promise<void> {
  const { path, hunk } = change;
  const { reviews, announcer } = controls;
  const isThere = (): boolean => {
    const review = reviews.find(path);
    return review !== undefined && (hunk === undefined || hunksOf(review).some(isMeant));
  };
  const isMeant = ({ id }: { readonly id: string }): boolean => id === hunk;
  const before = made.of(change);
  try {
    if (!isThere()) throw notPending(path);
    made.add(change, decision);
    await reviews.decisions[decision]({ path, choice: hunk === undefined ? 'all' : [hunk] });
  } catch (thrown) {
    if (isThere() || before === undefined) {
      made.forget(change);
      throw thrown;
    }
    // The second half of a double click, or a button that VS Code has not taken away yet.
    made.add(change, before);
    if (before !== decision) throw decidedBefore(path, before);
    const already = decision === 'keep' ? l10n.t('Kept already.') : l10n.t('Undone already.');
    announcer.say(`${already} ${leftText(controls)}`);
    return;
  }
  announcer.say(`${saidOf(decision)} ${leftText(controls)}`);
}

/** Decisions by buttons of this window, the latest: what a second click on the same button is told from. */
class MadeDecisions {
  readonly #made = new Map<string, Decision>();

  of(change: ChangeArgument): Decision | undefined {
    return this.#made.get(keyOf(change));
  }

  add(change: ChangeArgument, decision: Decision): void {
    this.forget(change);
    this.#made.set(keyOf(change), decision);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size > MOST_REMEMBERED) this.#made.delete(oldest);
  }

  forget(change: ChangeArgument): void {
    this.#made.delete(keyOf(change));
  }
}

const MOST_REMEMBERED = 100;

function keyOf({ path, hunk = '' }: ChangeArgument): string {
  return `${hunk} ${path}`;
}

function decidedBefore(path: string, decision: Decision): BelayError {
  const back =
    decision === 'undo'
      ? l10n.t("The editor's own Undo brings it back.")
      : l10n.t('Change the file yourself or ask the agent to undo it.');
  const message =
    decision === 'keep'
      ? told`This change of ${nameOf(path)} was kept a moment ago, so nothing more was done. ${back}`
      : told`This change of ${nameOf(path)} was undone a moment ago, so nothing more was done. ${back}`;
  return fault('not_found', message);
}

async function decideHere(
  controls: PendingControls,
  decision: Decision,
  { path, hunks: choice }: Meant,
): Promise<void> {
  await controls.reviews.decisions[decision]({ path, choice });
  const many = choice !== 'all' && choice.length > 1;
  const what = many ? count(choice.length, 'change') : '';
  controls.announcer.say(`${saidOf(decision, what)} ${leftText(controls)}`);
}

/** The changes that the cursor or the selection means; `undefined`: none. */
export function changesHere(
  { reviews, uris }: Pick<PendingControls, 'reviews' | 'uris'>,
  spot: EditorSpot | undefined = editorSpot(uris),
): Meant | undefined {
  const review = spot && reviews.find(spot.path);
  if (spot === undefined || review === undefined) return undefined;
  const { path } = spot;
  // Only renamed: the whole of it is meant.
  if (hunksOf(review).length === 0) return { path, hunks: 'all' };
  const hunks = changesAt(review, spot.side, spot.line, spot.to).map(({ id }) => id);
  return hunks.length === 0 ? undefined : { path, hunks };
}

/** After a decision by key the cursor goes to the next change of the same file, if there is one. */
function goOnInFile({ reviews, uris }: PendingControls, spot: EditorSpot): void {
  const { editor } = spot;
  const review = reviews.find(spot.path);
  if (editor === undefined || review === undefined || editor !== vscode.window.activeTextEditor)
    return;
  const place = uris.read(editor.document.uri);
  if (place === undefined) return;
  const changes = listChanges([review]);
  // The one that was decided is gone: another on the same line is the next.
  const found = stepFrom(changes, { ...spot, line: spot.line - 1 }, 'next');
  if (found === undefined) return;
  const line = lineOf(found.change, spot.side);
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Nothing of what is pending is meant: says where it is, or shows it. */
async function showElsewhere(
  controls: PendingControls,
  path: string | undefined,
  spot = editorSpot(controls.uris),
): Promise<void> {
  const { reviews, announcer } = controls;
  const here = spot && reviews.find(spot.path);
  const changes = listChanges(reviews.pending);
  const found = stepFrom(changes, spot, 'next');
  if (found === undefined) return sayNothingWaits();
  if (here !== undefined && spot !== undefined) {
    announcer.say(l10n.t('No pending change is at the cursor.'));
    const line = lineOf(found.change, 'document') + 1;
    const where =
      found.change.review === here
        ? l10n.t('in line {0}', line)
        : l10n.t('in {0}', nameOf(found.change.review.path));
    void vscode.window.showInformationMessage(
      l10n.t(
        'No pending change is at the cursor; the next one is {0}. Nothing was decided.',
        where,
      ),
    );
    return;
  }
  const { change } = found;
  await controls.show(change);
  announcer.say(
    l10n.t('Nothing was decided: this is a change that waits, in {0}.', nameOf(change.review.path)),
  );
}

function toggleLooked(
  { reviews, announcer }: PendingControls,
  meant: ChangeArgument | Meant,
): void {
  const { path } = meant;
  const review = reviews.find(path);
  if (review === undefined) throw notPending(path);
  const known = hunksOf(review).map(({ id }) => id);
  const ids = idsOf(meant, known);
  if (ids.length === 0 || ids.some((id) => !known.includes(id))) throw notPending(path);
  const looked = !ids.every((id) => review.looked.includes(id));
  reviews.decisions.look(path, ids, looked);
  const all = reviews.pending;
  const seen = all
    .flatMap((one) => hunksOf(one).map(({ id }) => one.looked.includes(id)))
    .filter(Boolean).length;
  announcer.say(
    l10n.t(
      'Marked as {0}: {1} of {2}.',
      looked ? l10n.t('looked at') : l10n.t('not looked at'),
      seen,
      countPending(all).hunks,
    ),
  );
}

function idsOf(meant: ChangeArgument | Meant, all: readonly string[]): readonly string[] {
  if ('hunks' in meant) return meant.hunks === 'all' ? all : meant.hunks;
  return meant.hunk === undefined ? all : [meant.hunk];
}

/** The file of a button in an editor's title, else of the active editor. */
function fileMeant({ uris }: PendingControls, clicked: unknown): Selected | undefined {
  const spot = editorSpot(uris);
  if (!(clicked instanceof vscode.Uri)) return spot;
  const place = uris.read(clicked);
  return place?.path === spot?.path ? spot : place;
}

function leftText({ reviews }: PendingControls): string {
  const { hunks, files } = countPending(reviews.pending);
  return hunks === 0
    ? l10n.t('Nothing is left to review.')
    : l10n.t('{0} left in {1}.', count(hunks, 'change'), count(files, 'file'));
}

function nameOf(path: FileReview['path']): string {
  return vscode.workspace.asRelativePath(path);
}

export async function sayNothingWaits(): Promise<void> {
  void vscode.window.showInformationMessage(l10n.t('No changes wait for your review.'));
}

function notPending(path: string): BelayError {
  const message = told`This change of ${nameOf(path)} is not pending any more: it was decided, undone or edited meanwhile. Nothing was done.`;
  return fault('not_found', message);
}

export function isArgument(value: unknown): value is ChangeArgument {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    (!('hunk' in value) || typeof value.hunk === 'string')
  );
}
