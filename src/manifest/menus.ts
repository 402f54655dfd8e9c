import {
  type CommandId,
  ofView,
  ON_DISK,
  type TitleCommandId,
  toTitleCommand,
  type ViewCommandId,
} from './commands.ts';
import {
  BASELINE_SCHEME,
  COMMENT_CONTROLLER,
  SESSION_TAB,
  UNSENT_COMMENT,
} from './context-key-names.ts';

/** A button or an entry of a menu. */
export interface MenuItem {
  readonly command: CommandId | ViewCommandId | TitleCommandId;
  readonly when: string;
  readonly group: string;
}

const IN_VIEW = 'view == belay.panel';
const IN_TAB = `activeWebviewPanelId == ${SESSION_TAB}`;
/** In whatever editor of a file with pending changes, a diff too. */
const IN_CHANGED_FILE = 'resourcePath in belay.pendingPaths';
/** In a diff there are no buttons above changes by default: those in its title mean the one at the cursor. */
const IN_CHANGED_DIFF = `${IN_CHANGED_FILE} && isInDiffEditor`;
/** The stable API tells neither whose editor of several files it is, nor which file is in front: the cursor does. */
const IN_CHANGED_FILES =
  'activeEditor == multiDiffEditor && belay.pendingChanges > 0 && !belay.restorePreview';
const IN_RESTORE_PREVIEW = 'activeEditor == multiDiffEditor && belay.restorePreview';
const IN_COMMENT = `commentController == ${COMMENT_CONTROLLER}`;
const IN_SCM = 'scmProvider == belay';
/** Pending changes, and what changed while commands ran. */
const DECIDABLE = `${IN_SCM} && scmResourceGroup == edits`;
const DURING = `${IN_SCM} && scmResourceGroup == commands`;
/** The stable API has no place in the input of a repository; its title is the nearest. */
const IN_GIT = 'scmProvider == git';
const IN_PEEK = `originalResourceScheme == ${BASELINE_SCHEME}`;

/** Menus beside the palette; the palette's follows `COMMANDS`. */
export const MENUS: Readonly<Record<string, readonly MenuItem[]>> = {
  'view/title': [
    { command: ofView('belay.newSession'), when: IN_VIEW, group: 'navigation@1' },
    { command: ofView('belay.openSession'), when: IN_VIEW, group: 'navigation@2' },
    { command: 'belay.openControlCenter', when: IN_VIEW, group: 'navigation@3' },
    {
      command: ofView('belay.openSessionInEditor'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '0_place@1',
    },
    { command: 'belay.newSessionInEditor', when: IN_VIEW, group: '0_place@2' },
    { command: 'belay.showActiveSessions', when: IN_VIEW, group: '0_place@3' },
    {
      command: ofView('belay.continueInBackground'),
      when: `${IN_VIEW} && belay.viewBusy`,
      group: '1_run@1',
    },
    {
      command: ofView('belay.renameSession'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '2_session@1',
    },
    {
      command: ofView('belay.exportSession'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '2_session@2',
    },
    { command: ofView('belay.importSession'), when: IN_VIEW, group: '2_session@3' },
    {
      command: ofView('belay.restore'),
      when: `${IN_VIEW} && belay.viewHasSession && !belay.viewBusy`,
      group: '2_session@6',
    },
    { command: 'belay.redoUndone', when: IN_VIEW, group: '2_session@7' },
    {
      command: ofView('belay.deleteSession'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '2_session@8',
    },
    { command: 'belay.setApiKey', when: IN_VIEW, group: '3_setup@1' },
    { command: 'belay.openSettings', when: IN_VIEW, group: '3_setup@4' },
    { command: 'belay.openWalkthrough', when: IN_VIEW, group: '4_more@1' },
    { command: 'belay.showLog', when: IN_VIEW, group: '4_more@2' },
  ],
  'editor/title': [
    { command: 'belay.newSession', when: IN_TAB, group: 'navigation@1' },
    { command: 'belay.openSession', when: IN_TAB, group: 'navigation@2' },
    {
      command: 'belay.continue',
      when: `${IN_TAB} && belay.canContinue && !belay.busy`,
      group: '1_run@1',
    },
    {
      command: 'belay.renameSession',
      when: `${IN_TAB} && belay.hasSession`,
      group: '2_session@1',
    },
    {
      command: 'belay.exportSession',
      when: `${IN_TAB} && belay.hasSession`,
      group: '2_session@2',
    },
    {
      command: 'belay.deleteSession',
      when: `${IN_TAB} && belay.hasSession`,
      group: '2_session@7',
    },
    { command: toTitleCommand('belay.keepChange'), when: IN_CHANGED_DIFF, group: 'navigation@-8' },
    { command: toTitleCommand('belay.undoChange'), when: IN_CHANGED_DIFF, group: 'navigation@-7' },
    { command: toTitleCommand('belay.keepFile'), when: IN_CHANGED_FILE, group: 'navigation@-6' },
    { command: toTitleCommand('belay.undoFile'), when: IN_CHANGED_FILE, group: 'navigation@-5' },
    {
      command: toTitleCommand('belay.previousChange'),
      when: IN_CHANGED_FILE,
      group: 'navigation@-4',
    },
    { command: toTitleCommand('belay.nextChange'), when: IN_CHANGED_FILE, group: 'navigation@-3' },
    { command: toTitleCommand('belay.keepChange'), when: IN_CHANGED_FILES, group: 'navigation@-8' },
    { command: toTitleCommand('belay.undoChange'), when: IN_CHANGED_FILES, group: 'navigation@-7' },
    { command: toTitleCommand('belay.keepFile'), when: IN_CHANGED_FILES, group: 'navigation@-6' },
    { command: toTitleCommand('belay.nextChange'), when: IN_CHANGED_FILES, group: 'navigation@-3' },
    {
      command: 'belay.confirmRestore',
      when: IN_RESTORE_PREVIEW,
      group: 'navigation@-8',
    },
    {
      command: 'belay.chooseRestoredFiles',
      when: `${IN_RESTORE_PREVIEW} == choice`,
      group: 'navigation@-7',
    },
    {
      command: 'belay.cancelRestore',
      when: IN_RESTORE_PREVIEW,
      group: 'navigation@-6',
    },
    { command: 'belay.openPendingFile', when: IN_CHANGED_FILE, group: '1_belay@1' },
    { command: 'belay.openAllPending', when: IN_CHANGED_FILE, group: '1_belay@2' },
    {
      command: 'belay.reviewChanges',
      when: `isInDiffEditor && ${ON_DISK} && !(${IN_CHANGED_FILE})`,
      group: '1_belay@3',
    },
  ],
  'editor/title/context': [{ command: 'belay.mention', when: ON_DISK, group: '6_belay@1' }],
  'explorer/context': [{ command: 'belay.mention', when: ON_DISK, group: '6_belay@1' }],
  'terminal/context': [
    {
      command: 'belay.mentionSelectedOutput',
      when: 'terminalTextSelected',
      group: '6_belay@1',
    },
    { command: 'belay.mentionTerminal', when: '!terminalTextSelected', group: '6_belay@2' },
  ],
  'testing/item/context': [
    { command: 'belay.fixTest', when: 'testResultState == failed', group: '6_belay@1' },
  ],
  'testing/message/context': [{ command: 'belay.fixTest', when: 'true', group: '6_belay@1' }],
  'editor/context': [
    { command: 'belay.explain', when: ON_DISK, group: '1_belay@6' },
    { command: 'belay.mention', when: ON_DISK, group: '1_belay@7' },
    { command: 'belay.keepChange', when: IN_CHANGED_FILE, group: '1_belay@1' },
    { command: 'belay.undoChange', when: IN_CHANGED_FILE, group: '1_belay@2' },
    { command: 'belay.commentOnChange', when: IN_CHANGED_FILE, group: '1_belay@3' },
    { command: 'belay.lookedAtChange', when: IN_CHANGED_FILE, group: '1_belay@4' },
    { command: 'belay.explainChange', when: IN_CHANGED_FILE, group: '1_belay@5' },
  ],
  'comments/commentThread/context': [
    { command: 'belay.sendChangeComment', when: IN_COMMENT, group: 'inline@1' },
  ],
  'comments/comment/context': [
    {
      command: 'belay.sendChangeComment',
      when: `${IN_COMMENT} && comment == ${UNSENT_COMMENT}`,
      group: 'inline@1',
    },
    {
      command: 'belay.discardChangeComment',
      when: `${IN_COMMENT} && comment == ${UNSENT_COMMENT}`,
      group: 'inline@2',
    },
  ],
  'scm/title': [
    { command: 'belay.openAllPending', when: IN_SCM, group: 'navigation@1' },
    { command: 'belay.undoAllPending', when: IN_SCM, group: 'navigation@2' },
    { command: 'belay.keepAllPending', when: IN_SCM, group: 'navigation@3' },
    { command: 'belay.writeCommitMessage', when: IN_GIT, group: 'navigation@9' },
    { command: 'belay.reviewChanges', when: IN_GIT, group: '9_belay@1' },
  ],
  'scm/resourceGroup/context': [
    { command: 'belay.undoAllPending', when: DECIDABLE, group: 'inline@1' },
    { command: 'belay.keepAllPending', when: DECIDABLE, group: 'inline@2' },
    { command: 'belay.keepAllPending', when: DECIDABLE, group: '1_decide@1' },
    { command: 'belay.undoAllPending', when: DECIDABLE, group: '1_decide@2' },
    { command: 'belay.undoCommandChanges', when: DURING, group: 'inline@1' },
    { command: 'belay.dismissCommandChanges', when: DURING, group: 'inline@2' },
  ],
  'scm/resourceState/context': [
    { command: 'belay.undoCommandChanges', when: DURING, group: 'inline@1' },
    { command: 'belay.undoFile', when: DECIDABLE, group: 'inline@1' },
    { command: 'belay.keepFile', when: DECIDABLE, group: 'inline@2' },
    { command: 'belay.openPendingFile', when: DECIDABLE, group: 'navigation@1' },
    { command: 'belay.keepFile', when: DECIDABLE, group: '1_decide@1' },
    { command: 'belay.undoFile', when: DECIDABLE, group: '1_decide@2' },
  ],
  'scm/change/title': [
    // VS Code shows them from right to left.
    { command: 'belay.keepChange', when: IN_PEEK, group: 'navigation@3' },
    { command: 'belay.undoChange', when: IN_PEEK, group: 'navigation@2' },
    { command: 'belay.commentOnChange', when: IN_PEEK, group: 'navigation@1' },
    { command: 'belay.explainChange', when: IN_PEEK, group: 'navigation@0' },
  ],
};
