import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type RestorePreview, isRestorable } from '../../../../core/restore/agent-changes.ts';
import { forgottenLine } from '../../../../core/restore/storage/forgotten.ts';
import { leftOutLines } from '../../../../core/restore/left-out.ts';
import type { Redoable } from '../../../../core/restore/session-redo.ts';
import type { Restored, RestoreTarget } from '../../../../core/restore/session-restore.ts';
import type { RestoreWhat } from '../../../../core/restore/restore-values.ts';
import { titleOf } from '../../../../core/restore/title-of.ts';
import { chooseModel } from '../options.ts';
import type { CommandHandlers } from '../register.ts';
import {
  commandsLine,
  confirmedFiles,
  files,
  notRestoredLine,
  refuseUnsaved,
  uncertainLine,
  undecidedLine,
  unkeptLine,
} from './restore-files.ts';
import {
  askHow,
  askWhat,
  EDIT,
  NAMES,
  OTHER_MODEL,
  PLACEHOLDERS,
  readChoice,
  RESTORE_CHOICES,
  SEND_AGAIN,
  SEND_CHOICES,
  type SendChoice,
} from './restore-choices.ts';
import type { RestoreQuestion } from './restore-files.ts';
import { answerPreview } from './restore-preview.ts';
import { givenMessage, refuseBusy } from './given-message.ts';
import { restoreSnapshot } from './snapshots.ts';
import { undoTurn } from './undo-turn.ts';
import type { CommandServices } from '../services.ts';
import { shownSession } from '../sessions.ts';
import { count, spoken } from '../../../../domain/text/language.ts';

/**
 * Files, conversation or both as they were before a message of the person: chosen in a list or by the
 * message's own menu, looked at, and then all or nothing.
 */
export function restoreCommands(services: CommandServices) {
  return {
    'belay.restore': async (given) => {
      const what = readChoice(given, RESTORE_CHOICES) ?? (await askWhat());
      if (what === 'snapshot') await restoreSnapshot(services, shownSession(services));
      else if (what !== undefined) await restore(services, what, given);
    },
    'belay.sendAgain': async (given) => {
      const how = readChoice(given, SEND_CHOICES) ?? (await askHow());
      if (how !== undefined) await sendAgain(services, how, given);
    },
    'belay.redoRestore': (given) => redo(services, given),
    'belay.undoTurn': (given) => undoTurn(services, given),
    'belay.confirmRestore': async () => answerPreview('restore'),
    'belay.chooseRestoredFiles': async () => answerPreview('choose'),
    'belay.cancelRestore': async () => answerPreview('cancel'),
  } satisfies Partial<CommandHandlers>;
}

/** Takes the conversation back to before a message, and gives its text back or sends it. */
async function sendAgain(
  services: CommandServices,
  how: SendChoice,
  given: unknown,
): Promise<void> {
  if (how === 'edit') return restore(services, 'conversation', given, { name: EDIT });
  const sessionId = givenMessage(given)?.sessionId ?? shownSession(services);
  const [name, sendTo] =
    how === 'same_model'
      ? [SEND_AGAIN, services.engine.agent.sessions.optionsOf(sessionId).model]
      : [OTHER_MODEL, await askForModel(services)];
  if (sendTo !== undefined) await restore(services, 'conversation', given, { name, sendTo });
}

async function askForModel(services: CommandServices): Promise<string | undefined> {
  await services.models.look();
  return chooseModel(services, services.models.list(), `Belay: ${OTHER_MODEL}`);
}

/** How a restore is called, and what follows it. */
interface RestoreHow {
  readonly name?: string;
  /** The model that gets the message again at once; absent: its text goes back into the input. */
  readonly sendTo?: string | undefined;
}

async function restore(
  services: CommandServices,
  what: RestoreWhat,
  given: unknown,
  { name = NAMES[what], sendTo }: RestoreHow = {},
): Promise<void> {
  const place = givenMessage(given);
  const sessionId = place?.sessionId ?? shownSession(services);
  refuseBusy(services, sessionId);
  const target =
    place === undefined
      ? await chooseTarget(await services.engine.restore.targets(sessionId), what, name)
      : await services.engine.restore.target(sessionId, place.messageId);
  if (target === undefined) return;
  const previews =
    what === 'conversation'
      ? []
      : await services.engine.restore.preview(target.records, target.checkpoint);
  if (what === 'files' && previews.length === 0) {
    const untold = notTakenBack(target);
    void vscode.window.showInformationMessage(
      untold.length === 0
        ? AS_BEFORE
        : l10n.t('Nothing that is on record is to be restored. {0}', untold.join(' ')),
    );
    return;
  }
  const undecided = await services.engine.restore.countUndecided(previews.filter(isRestorable));
  const question = questionFor(what, { name, sendTo }, target, { previews, undecided });
  const chosen = await confirmedFiles(previews, question);
  if (chosen === undefined || (what === 'files' && chosen.length === 0)) return;
  refuseUnsaved(chosen);
  const isChosen = new Set(chosen);
  const kept = previews
    .filter((one) => one.outcome !== 'others' && !isChosen.has(one))
    .map(({ path }) => path);
  const done = await services.engine.restore.restore({ target, what, previews: chosen, kept });
  const byCommands = previews.filter(
    (one) => one.outcome === 'commands' && !isChosen.has(one),
  ).length;
  await showRestored(services, target, { ...done, byCommands }, sendTo);
}

/** The result of a restore, and the number of files that it left because they changed while commands ran. */
type RestoredAndLeft = Restored & { readonly byCommands: number };

async function showRestored(
  services: CommandServices,
  { sessionId }: RestoreTarget,
  done: RestoredAndLeft,
  sendTo: string | undefined,
): Promise<void> {
  const { engine, host, sessions, panel, view } = services;
  const { asked } = done;
  if (asked !== undefined) {
    await sessions.refresh(sessionId);
    await view.reveal();
    if (sendTo === undefined) await panel.giveBack(sessionId, asked);
    else {
      await host.recentModels.add(sendTo);
      await engine.agent.sessions.setOptions(sessionId, { model: sendTo });
      await panel.show(sessionId);
      await panel.reload(sessionId);
      await engine.agent.send(sessionId, asked);
    }
  } else await panel.reload(sessionId);
  // Not awaited: what was done is done, whenever the message is closed.
  void offerRedo(services, sessionId, done);
}

async function offerRedo(
  services: CommandServices,
  sessionId: string,
  { files: restored, requests, answers, asked, left, byCommands }: RestoredAndLeft,
): Promise<void> {
  const parts =
    asked === undefined
      ? [l10n.t('{0} restored. The conversation is as it was.', files(restored))]
      : [
          ...(restored === 0 ? [] : [l10n.t('{0} restored.', files(restored))]),
          takenLine(requests, answers),
          ...(restored === 0 ? [l10n.t('Files are as they were.')] : []),
        ];
  const text = [
    ...parts,
    ...(byCommands === 0 ? [] : [commandsLine(byCommands)]),
    ...notRestoredLine(left),
  ].join(' ');
  const chosen = await vscode.window.showInformationMessage(text, l10n.t('Redo'));
  if (chosen !== l10n.t('Redo')) return;
  await vscode.commands.executeCommand('belay.redoRestore', { sessionId });
}

async function chooseTarget(
  targets: readonly RestoreTarget[],
  what: RestoreWhat,
  name: string,
): Promise<RestoreTarget | undefined> {
  const possible = what === 'files' ? targets.filter(isPossible) : targets;
  if (possible.length === 0) {
    void vscode.window.showInformationMessage(
      what === 'files'
        ? l10n.t(
            'In this session the agent has changed no file of the workspace that is on record.',
          )
        : l10n.t('There is no message of yours in this conversation yet.'),
    );
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    possible.map((target) => ({
      label: titleOf(target.message),
      description: describe(what, target),
      detail: new Date(target.message.createdAt).toLocaleString(spoken()),
      target,
    })),
    { title: `Belay: ${name}`, placeHolder: PLACEHOLDERS[what] },
  );
  return chosen?.target;
}

/** Something is on record since, or may have changed without being on record. */
const isPossible = ({ files, checkpoint }: RestoreTarget): boolean =>
  files > 0 || checkpoint !== undefined;

function describe(what: RestoreWhat, target: RestoreTarget): string {
  const changed = l10n.t('{0} changed since', files(target.files));
  const taken = takenLine(target.requests, target.answers);
  if (what === 'files') return changed;
  return what === 'conversation' ? taken : `${taken} ${changed}`;
}

function questionFor(
  what: RestoreWhat,
  { name, sendTo }: RestoreHow & { readonly name: string },
  target: RestoreTarget,
  {
    previews,
    undecided,
  }: { readonly previews: readonly RestorePreview[]; readonly undecided: number },
): RestoreQuestion {
  const { message, records, requests, answers, checkpoint } = target;
  const before = titleOf(message);
  const taken = [
    takenLine(requests, answers),
    sendTo === undefined
      ? l10n.t('The text of the message goes back into the input.')
      : l10n.t('The message is sent again, to {0}.', sendTo),
  ];
  const yes = sendTo === undefined ? l10n.t('Restore') : l10n.t('Send Again');
  if (what === 'conversation') {
    const changed =
      target.files === 0
        ? l10n.t('No file was changed since.')
        : l10n.t('Files stay as they are: {0} changed since.', files(target.files));
    const question = l10n.t('Restore the conversation to before “{0}”?', before);
    return { title: name, yes, question, lines: [...taken, changed], notCovered: [] };
  }
  const own = previews.filter(isRestorable).length;
  const notCovered = [
    ...notTakenBack(target),
    ...(checkpoint === undefined ? [] : leftOutLines(checkpoint.leftOut)),
  ];
  const lines = [
    ...(what === 'files' ? [] : taken),
    ...(previews.length === 0 && notTakenBack(target).length === 0 ? [AS_BEFORE] : []),
    ...undecidedLine(undecided),
    ...uncertainLine(records),
  ];
  const base = { title: name, yes, lines, notCovered };
  if (what === 'files')
    return {
      ...base,
      question:
        own === 0
          ? l10n.t('Restore files to before “{0}”?', before)
          : l10n.t('Restore {0} to before “{1}”?', files(own), before),
    };
  return {
    ...base,
    withoutFiles: true,
    question:
      own === 0
        ? l10n.t('Restore the conversation to before “{0}”?', before)
        : l10n.t('Restore {0} and the conversation to before “{1}”?', files(own), before),
  };
}

/** Says what is taken out of the conversation, as the user counts. */
const takenLine = (requests: number, answers: number): string =>
  l10n.t(
    '{0} of yours and {1} are taken out and kept as a snapshot.',
    count(requests, 'message'),
    count(answers, 'answer'),
  );

const AS_BEFORE = l10n.t('All files are as they were before that message.');

const forgottenLines = ({ forgottenUntil: until }: RestoreTarget): readonly string[] =>
  until === undefined ? [] : [forgottenLine(until, (at) => new Date(at).toLocaleString(spoken()))];

/** Lines about changes since the message that are not on record. */
const notTakenBack = (target: RestoreTarget): readonly string[] => [
  ...forgottenLines(target),
  ...unkeptLine(target.records),
];

/** Brings back what the last restore took away. */
async function redo(services: CommandServices, given: unknown): Promise<void> {
  const { sessions, panel } = services;
  const { redo: redos } = services.engine;
  const { sessionId: named } = (given ?? {}) as { readonly sessionId?: unknown };
  const sessionId = typeof named === 'string' ? named : shownSession(services);
  refuseBusy(services, sessionId);
  const redoable = await redos.redoable(sessionId);
  if (redoable === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('There is no restore in this session that could be undone.'),
    );
    return;
  }
  const { last, previews, since } = redoable;
  const chosen = await confirmedRedo(redoable);
  if (chosen === undefined) return;
  refuseUnsaved(chosen);
  const done = await redos.redo(sessionId, chosen);
  if (done.conversation) {
    await sessions.refresh(sessionId);
    await panel.takeBack(sessionId, done.asked?.text ?? '');
  } else await panel.reload(sessionId);
  const kept = previews.length - chosen.length;
  const told = [
    ...(done.conversation
      ? [l10n.t('The conversation is as before the restore to “{0}”.', last.title)]
      : []),
    ...(done.conversation && since > 0
      ? [l10n.t('What was said since is kept as a snapshot.')]
      : []),
    ...(done.files > 0 ? [l10n.t('{0} as before the restore.', files(done.files))] : []),
    ...(kept > 0 ? [l10n.t('{0} changed since and stayed.', files(kept))] : []),
    ...notRestoredLine(done.left),
  ];
  void vscode.window.showInformationMessage(told.join(' '));
}

/** Asks only where something of the person's is in the way: their edits, or messages sent since. */
async function confirmedRedo({
  last,
  previews,
  since,
}: Redoable): Promise<readonly RestorePreview[] | undefined> {
  const asks = since > 0 && last.snapshotId !== undefined;
  const isPlain = previews.every(({ outcome }) => outcome === 'restored' || outcome === 'merged');
  if (!asks && isPlain) return previews;
  return confirmedFiles(previews, {
    title: l10n.t('Redo Restore'),
    question: l10n.t('Bring back what the restore to “{0}” took away?', last.title),
    lines: asks
      ? [l10n.t('{0} sent since are taken out and kept as a snapshot.', count(since, 'message'))]
      : [],
    yes: l10n.t('Redo'),
    notCovered: [],
  });
}
