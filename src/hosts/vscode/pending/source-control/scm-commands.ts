import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Decided, Decision } from '../../../../core/review/service/decisions.ts';
import { hunksIn, hunksOf } from '../../../../core/review/model/hunks.ts';
import type { Selected } from '../../../../core/review/model/selected-changes.ts';
import type { CommandGroup } from '../../../../core/review/commands/stored-groups.ts';
import type { CommandGroups } from '../../../../core/review/commands/command-groups.ts';
import { makeVisible } from '../../../../domain/text/honest-text.ts';
import { count, dateAndTime } from '../../../../domain/text/language.ts';
import { decidedText } from '../../../../domain/review/decided-words.ts';
import { type BelayError, fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import type { CommandHandlers } from '../../commands/register.ts';
import { lineOf } from '../../../../window/pending/change-order.ts';
import { chooseTakeBack, offerTakeBack } from '../take-back.ts';
import { editorSpot } from '../editors/editor-spot.ts';
import type { PendingWindow } from '../pending-window.ts';
import { undoCommandChanges } from '../undo-command-changes.ts';
import type { CommandResource } from './command-rows.ts';
import type { PendingResource } from './source-control.ts';

/** How VS Code tells a change of its quick diff: 1-based, ends included; an end of 0 is no line. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** Commands of the source control view. */
export function scmCommands(pending: PendingWindow) {
  const all = (decision: Decision, clicked: unknown): Promise<void> => {
    const resources = isGroup(clicked) ? clicked.resourceStates : undefined;
    const { reviews } = pending;
    return decideAll(
      pending,
      decision,
      resources === undefined
        ? reviews.pending.map(({ path: file }) => ({ path: file }))
        : listSelected(pending, resources),
    );
  };
  return {
    'belay.undoCommandChanges': (...args) => undoDuring(pending.groups, args),
    'belay.dismissCommandChanges': async () => {
      for (const { id } of pending.groups?.stored.all ?? []) await pending.groups?.dismiss(id);
    },
    'belay.redoUndone': () => chooseTakeBack(pending.reviews),
    'belay.keepAllPending': (clicked) => all('keep', clicked),
    'belay.undoAllPending': (clicked) => all('undo', clicked),
    'belay.openAllPending': () => pending.diffs.openAll(),
    'belay.openPendingFile': (clicked) => {
      const file = fileMeant(pending, clicked);
      const review = pending.reviews.find(file.path);
      const id = isSelected(clicked) && 'hunk' in clicked ? clicked.hunk : undefined;
      const hunk = review && hunksOf(review).find((one) => one.id === id);
      if (review === undefined || hunk === undefined) return pending.diffs.open(file.path);
      return pending.diffs.open(file.path, { line: lineOf({ review, hunk }, 'document') });
    },
  } satisfies Partial<CommandHandlers>;
}

/** Decides about the rows that were clicked. */
export async function decideRows(
  pending: Pick<PendingWindow, 'reviews'>,
  decision: Decision,
  rows: readonly unknown[],
): Promise<void> {
  const selected = listSelected(pending, rows);
  if (rows.length > 1) await decideAll(pending, decision, selected);
  else await decideOne(pending, decision, selected);
}

const listSelected = (
  { reviews }: Pick<PendingWindow, 'reviews'>,
  rows: readonly unknown[],
): readonly Selected[] =>
  rows
    .filter(isResource)
    .map(({ review }) => ({ path: review.path }))
    .filter((one) => reviews.find(one.path) !== undefined);

async function decideOne(
  { reviews }: Pick<PendingWindow, 'reviews'>,
  decision: Decision,
  [only]: readonly Selected[],
): Promise<void> {
  if (only === undefined) throw nothingPending();
  await reviews.decisions[decision](only);
}

/** Undoes the rows that were clicked, or what changed during the command that the user chooses. */
async function undoDuring(groups: CommandGroups | undefined, args: readonly unknown[]) {
  const rows = args.filter(isCommandResource);
  if (rows.length > 0 && groups !== undefined) {
    for (const [id, files] of Map.groupBy(rows, ({ groupId }) => groupId))
      await undoCommandChanges(
        groups,
        id,
        files.map(({ resourceUri }) => resourceUri.fsPath),
      );
    return;
  }
  const all = groups?.stored.all ?? [];
  const group = all.length > 1 ? await chooseCommand(all) : all[0];
  if (group !== undefined && groups !== undefined) await undoCommandChanges(groups, group.id);
  else if (all.length === 0)
    void vscode.window.showInformationMessage(l10n.t('Nothing changed during commands.'));
}

async function chooseCommand(groups: readonly CommandGroup[]): Promise<CommandGroup | undefined> {
  const items = groups.toReversed().map((group) => ({
    label: makeVisible(group.line),
    description: `${count(group.total, 'file')}, ${dateAndTime(group.at)}`,
    group,
  }));
  const title = l10n.t('Undo Changes During a Command');
  return (await vscode.window.showQuickPick(items, { title }))?.group;
}

/** Decides about several files, says what was done and left, and offers to take it back. */
async function decideAll(
  { reviews }: Pick<PendingWindow, 'reviews'>,
  decision: Decision,
  selected: readonly Selected[],
): Promise<void> {
  if (selected.length === 0) throw nothingPending();
  const decided = await reviews.decisions.decide(decision, selected);
  const [first] = decided.failed;
  const failed = first === undefined ? '' : failedText(first, decided.failed.length);
  const text = [decidedText(decision, decided), failed].filter((one) => one !== '').join(' ');
  // Nobody waits for the answer: the notification stays until it is closed.
  void offerTakeBack(reviews, text, decision, decided.id);
}

function failedText({ path: file, reason }: Decided['failed'][number], count: number): string {
  const name = path.basename(file);
  return count === 1
    ? l10n.t('{0} stays pending: {1}', name, reason)
    : l10n.t('{0} and {1} more stay pending: {2}', name, count - 1, reason);
}

/** Returns `true` for the arguments of a button in the peek at a change: its file, all changes and an index. */
export const isPeek = (args: readonly unknown[]): boolean =>
  args[0] instanceof vscode.Uri && Array.isArray(args[1]) && typeof args[2] === 'number';

/** Finds the change of a peek. VS Code may cut its changes otherwise: all hunks that touch the lines of the one in the peek. */
export function findPeeked(
  { reviews, uris }: Pick<PendingWindow, 'reviews' | 'uris'>,
  args: readonly unknown[],
): Selected {
  const [uri, changes, index] = args;
  const place = uri instanceof vscode.Uri ? uris.read(uri) : undefined;
  const all = Array.isArray(changes) ? (changes as readonly LineChange[]) : [];
  const change = typeof index === 'number' ? all[index] : undefined;
  const review = place === undefined ? undefined : reviews.find(place.path);
  if (place === undefined || change === undefined || review === undefined) throw nothingPending();
  const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = change;
  // Only taken away: the change is behind the line it starts at.
  const [from, to] = last === 0 ? [first, first] : [first - 1, last];
  const inside = hunksIn(review, from, to).filter(
    ({ documentFrom, documentTo }) =>
      documentFrom === documentTo || (documentFrom < to && documentTo > from) || from === to,
  );
  if (inside.length === 0) throw nothingPending();
  return { path: place.path, choice: inside.map(({ id }) => id) };
}

function fileMeant(window: PendingWindow, clicked: unknown): Selected {
  if (clicked instanceof vscode.Uri) {
    if (window.reviews.find(clicked.fsPath) !== undefined) return { path: clicked.fsPath };
  } else if (isResource(clicked)) {
    return { path: clicked.review.path };
  } else if (isSelected(clicked)) {
    return clicked;
  }
  const here = editorSpot(window.uris);
  if (here !== undefined && window.reviews.find(here.path) !== undefined) return here;
  const [first] = window.reviews.pending;
  if (first === undefined) throw nothingPending();
  return { path: first.path };
}

function nothingPending(): BelayError {
  return fault('not_found', told`Nothing is pending there any more. Nothing was done.`);
}

/** Returns `true` for a row of the source control view. */
export function isResource(value: unknown): value is PendingResource {
  return typeof value === 'object' && value !== null && 'review' in value;
}

function isCommandResource(value: unknown): value is CommandResource {
  return typeof value === 'object' && value !== null && 'groupId' in value;
}

function isGroup(value: unknown): value is vscode.SourceControlResourceGroup {
  return typeof value === 'object' && value !== null && 'resourceStates' in value;
}

function isSelected(value: unknown): value is Selected {
  return typeof value === 'object' && value !== null && 'path' in value;
}
