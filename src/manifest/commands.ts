import {
  BASELINE_SCHEME,
  COMMENT_CONTROLLER,
  SESSION_TAB,
  UNSENT_COMMENT,
} from './context-key-names.ts';

/** A command as the manifest declares it. */
export interface CommandDeclaration {
  readonly title: string;
  /** A codicon, `$(name)`; needed where the command is a button. */
  readonly icon?: string;
  /** When the palette offers it; absent: always. */
  readonly when?: string;
  /** A keybinding for all systems and, where it differs, one for macOS. */
  readonly key?: { readonly all: string; readonly mac: string; readonly when?: string };
}

/** A session is on screen and nothing works in it. */
const IDLE = 'belay.hasSession && !belay.busy';

/** The view or a tab with a session has the focus. */
const IN_PLACE = `focusedView == belay.panel || activeWebviewPanelId == ${SESSION_TAB}`;

const HAS_PENDING = 'belay.pendingChanges > 0';

/**
 * Every command, once: manifest, palette, menus and handlers follow this table. Keys are chords after
 * Ctrl+K because VS Code leaves these letters free on every system; a test compares them with its defaults.
 */
export const COMMANDS = {
  'belay.focusPanel': {
    title: 'Focus Panel',
    key: { all: 'ctrl+k b', mac: 'cmd+k b' },
  },
  'belay.newSession': {
    title: 'New Session',
    icon: '$(add)',
    key: { all: 'ctrl+k n', mac: 'cmd+k n', when: IN_PLACE },
  },
  'belay.openSession': { title: 'Open Session…', icon: '$(history)' },
  'belay.openSessionInEditor': {
    title: 'Open Session in Editor',
    icon: '$(go-to-file)',
    key: { all: 'ctrl+k shift+t', mac: 'cmd+k shift+t' },
  },
  'belay.newSessionInEditor': {
    title: 'New Session in Editor',
    key: { all: 'ctrl+k shift+n', mac: 'cmd+k shift+n' },
  },
  'belay.showActiveSessions': { title: 'Running and Waiting Sessions…' },
  'belay.renameSession': { title: 'Rename Session…', when: 'belay.hasSession' },
  'belay.deleteSession': { title: 'Delete Session', when: 'belay.hasSession' },
  'belay.exportSession': { title: 'Export Session…', when: 'belay.hasSession' },
  'belay.importSession': { title: 'Import Session…' },
  'belay.saveSnapshot': { title: 'Save Snapshot…', when: 'belay.hasSession' },
  'belay.restoreSnapshot': {
    title: 'Restore Snapshot…',
    when: 'belay.hasSession && !belay.busy',
  },
  'belay.restoreFiles': { title: 'Restore Files…', when: IDLE },
  'belay.restoreConversation': { title: 'Restore Conversation…', when: IDLE },
  'belay.restoreBoth': { title: 'Restore Files and Conversation…', when: IDLE },
  'belay.editAndSend': { title: 'Edit & Send Again…', when: IDLE },
  'belay.sendAgain': { title: 'Send Again…', when: IDLE },
  'belay.otherModel': { title: 'Send Again with Another Model…', when: IDLE },
  'belay.redoRestore': { title: 'Redo Restore', when: IDLE },
  'belay.showCheckpointStorage': { title: 'Show Checkpoint Storage' },
  'belay.forkSession': { title: 'Fork Session from Here…', when: IDLE },
  'belay.resetSession': { title: 'Empty Conversation…', when: 'belay.hasSession && !belay.busy' },
  'belay.stop': {
    title: 'Stop',
    icon: '$(debug-stop)',
    when: 'belay.busy',
    key: { all: 'ctrl+k q', mac: 'cmd+k q', when: 'belay.busy' },
  },
  'belay.stopBackgroundCommands': {
    title: 'Stop Background Commands…',
    when: 'belay.backgroundCommands > 0',
  },
  'belay.continue': { title: 'Continue', when: 'belay.canContinue && !belay.busy' },
  'belay.compact': { title: 'Compact Conversation', when: 'belay.hasSession && !belay.busy' },
  'belay.showTimeline': { title: 'Show Timeline and Prompt Cache', when: 'belay.hasSession' },
  'belay.chooseModel': { title: 'Choose Model…' },
  'belay.chooseMode': { title: 'Choose Mode…' },
  'belay.choosePersona': { title: 'Choose Persona…' },
  'belay.nextMode': {
    title: 'Next Mode',
    key: { all: 'ctrl+k l', mac: 'cmd+k l', when: IN_PLACE },
  },
  'belay.showRules': { title: 'Show Permission Rules' },
  'belay.showPending': {
    title: 'Show What Waits for You…',
    when: 'belay.pending > 0',
    key: { all: 'ctrl+k j', mac: 'cmd+k j', when: 'belay.pending > 0' },
  },
  'belay.acceptChange': {
    title: 'Accept Change',
    icon: '$(check)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k a', mac: 'cmd+k a', when: HAS_PENDING },
  },
  'belay.rejectChange': {
    title: 'Reject Change',
    icon: '$(discard)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k x', mac: 'cmd+k x', when: HAS_PENDING },
  },
  'belay.acceptFile': {
    title: 'Accept All Changes of This File',
    icon: '$(check-all)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+a', mac: 'cmd+k shift+a', when: HAS_PENDING },
  },
  'belay.rejectFile': {
    title: 'Reject All Changes of This File',
    icon: '$(clear-all)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+x', mac: 'cmd+k shift+x', when: HAS_PENDING },
  },
  'belay.nextChange': {
    title: 'Next Pending Change',
    icon: '$(arrow-circle-down)',
    key: { all: 'ctrl+k g', mac: 'cmd+k g', when: HAS_PENDING },
  },
  'belay.previousChange': {
    title: 'Previous Pending Change',
    icon: '$(arrow-circle-up)',
    key: { all: 'ctrl+k shift+g', mac: 'cmd+k shift+g', when: HAS_PENDING },
  },
  'belay.commentOnChange': {
    title: 'Comment on Change',
    icon: '$(comment)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+c', mac: 'cmd+k shift+c', when: HAS_PENDING },
  },
  'belay.explainChange': { title: 'Why This Change?', icon: '$(question)', when: HAS_PENDING },
  'belay.showChangeList': {
    title: 'Go to the List of Pending Changes',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+b', mac: 'cmd+k shift+b', when: HAS_PENDING },
  },
  'belay.lookedAtChange': {
    title: 'Mark Change as Looked At or Not',
    icon: '$(eye)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+l', mac: 'cmd+k shift+l', when: HAS_PENDING },
  },
  'belay.sendChangeComment': { title: 'Send to Agent', when: 'false' },
  'belay.resendChangeComment': { title: 'Send Again', when: 'false' },
  'belay.discardChangeComment': { title: 'Discard', when: 'false' },
  'belay.showLeftOver': {
    title: 'Show What Was Pending in an Earlier Window…',
    when: 'belay.leftOver > 0',
  },
  'belay.openPendingFile': {
    title: 'Show Pending Changes of This File',
    icon: '$(diff)',
    when: HAS_PENDING,
  },
  'belay.openAllPending': {
    title: 'Show All Pending Changes',
    icon: '$(diff-multiple)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+j', mac: 'cmd+k shift+j', when: HAS_PENDING },
  },
  'belay.acceptAllPending': {
    title: 'Accept All Pending Changes…',
    icon: '$(check-all)',
    when: HAS_PENDING,
  },
  'belay.rejectAllPending': {
    title: 'Reject All Pending Changes…',
    icon: '$(discard)',
    when: HAS_PENDING,
  },
  'belay.acceptPendingFiles': { title: 'Accept Changes', icon: '$(add)', when: 'false' },
  'belay.rejectPendingFiles': { title: 'Reject Changes', icon: '$(discard)', when: 'false' },
  'belay.dismissUnlisted': { title: 'Dismiss the List', icon: '$(close)', when: 'false' },
  'belay.acceptPendingGroup': { title: 'Accept All Changes', icon: '$(add)', when: 'false' },
  'belay.rejectPendingGroup': { title: 'Reject All Changes', icon: '$(discard)', when: 'false' },
  'belay.acceptPeekedChange': { title: 'Accept Change', icon: '$(check)', when: 'false' },
  'belay.commentOnPeekedChange': {
    title: 'Comment on Change',
    icon: '$(comment)',
    when: 'false',
  },
  'belay.explainPeekedChange': { title: 'Why This Change?', icon: '$(question)', when: 'false' },
  'belay.rejectPeekedChange': { title: 'Reject Change', icon: '$(discard)', when: 'false' },
  'belay.addProvider': { title: 'Add Model Provider…' },
  'belay.manageProviders': { title: 'Manage Model Providers' },
  'belay.checkProvider': { title: 'Check Connection to Model Provider…' },
  'belay.editProvider': { title: 'Edit Model Provider…' },
  'belay.removeProvider': { title: 'Remove Model Provider…' },
  'belay.setApiKey': { title: 'Set API Key…' },
  'belay.removeApiKey': { title: 'Remove API Key…', when: 'belay.hasKey' },
  'belay.linkAccount': { title: 'Link Account…' },
  'belay.unlinkAccount': { title: 'Unlink Account…' },
  'belay.openControlCenter': { title: 'Open Control Center', icon: '$(settings)' },
  'belay.showTools': { title: 'Show Tools' },
  'belay.showMemory': { title: 'Show Memory' },
  'belay.addMcpServer': { title: 'Add MCP Server…' },
  'belay.showMcpServers': { title: 'Show MCP Servers' },
  'belay.switchMcpServers': {
    title: 'Switch MCP Servers On or Off…',
    when: 'belay.hasMcpServers',
  },
  'belay.restartMcpServers': { title: 'Restart MCP Servers', when: 'belay.hasMcpServers' },
  'belay.copyContextServer': { title: 'Copy MCP Server Configuration for Other Agents…' },
  'belay.openSettings': { title: 'Open Settings', icon: '$(settings-gear)' },
  'belay.openWalkthrough': { title: 'Get Started' },
  'belay.showLog': { title: 'Show Log' },
} as const satisfies Record<string, CommandDeclaration>;

export type CommandId = keyof typeof COMMANDS;

/** Commands that stand in the title of the view, too: there they mean the view, whatever had the focus last. */
export const VIEW_COMMANDS = [
  'belay.newSession',
  'belay.openSession',
  'belay.openSessionInEditor',
  'belay.continue',
  'belay.compact',
  'belay.renameSession',
  'belay.exportSession',
  'belay.importSession',
  'belay.saveSnapshot',
  'belay.restoreSnapshot',
  'belay.restoreFiles',
  'belay.deleteSession',
] as const satisfies readonly CommandId[];

/** The same command, of the view. */
export const ofView = (id: (typeof VIEW_COMMANDS)[number]): ViewCommandId => `${id}.view`;

export type ViewCommandId = `${CommandId}.view`;

/** A button or an entry of a menu. */
export interface MenuItem {
  readonly command: CommandId | ViewCommandId;
  readonly when: string;
  readonly group: string;
}

const IN_VIEW = 'view == belay.panel';
const IN_TAB = `activeWebviewPanelId == ${SESSION_TAB}`;
/** In whatever editor of a file with pending changes, a diff or the proposal too. */
const IN_CHANGED_FILE = 'resourcePath in belay.pendingPaths';
/** In a diff there are no buttons above changes by default: those in its title mean the one at the cursor. */
const IN_CHANGED_DIFF = `${IN_CHANGED_FILE} && isInDiffEditor`;
const IN_COMMENT = `commentController == ${COMMENT_CONTROLLER}`;
const IN_SCM = 'scmProvider == belay';
/** Rows of changes that can be decided; those that commands changed beyond that are `unlisted`. */
const DECIDABLE = `${IN_SCM} && scmResourceGroup != unlisted`;
const UNLISTED = `${IN_SCM} && scmResourceGroup == unlisted`;
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
      command: ofView('belay.continue'),
      when: `${IN_VIEW} && belay.viewCanContinue && !belay.viewBusy`,
      group: '1_run@1',
    },
    {
      command: ofView('belay.compact'),
      when: `${IN_VIEW} && belay.viewHasSession && !belay.viewBusy`,
      group: '1_run@2',
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
      command: ofView('belay.saveSnapshot'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '2_session@4',
    },
    {
      command: ofView('belay.restoreSnapshot'),
      when: `${IN_VIEW} && belay.viewHasSession && !belay.viewBusy`,
      group: '2_session@5',
    },
    {
      command: ofView('belay.restoreFiles'),
      when: `${IN_VIEW} && belay.viewHasSession && !belay.viewBusy`,
      group: '2_session@6',
    },
    {
      command: ofView('belay.deleteSession'),
      when: `${IN_VIEW} && belay.viewHasSession`,
      group: '2_session@7',
    },
    { command: 'belay.setApiKey', when: IN_VIEW, group: '3_setup@1' },
    { command: 'belay.showRules', when: IN_VIEW, group: '3_setup@3' },
    { command: 'belay.showTools', when: IN_VIEW, group: '3_setup@2' },
    { command: 'belay.showMcpServers', when: IN_VIEW, group: '3_setup@3' },
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
    { command: 'belay.acceptChange', when: IN_CHANGED_DIFF, group: 'navigation@-8' },
    { command: 'belay.rejectChange', when: IN_CHANGED_DIFF, group: 'navigation@-7' },
    { command: 'belay.acceptFile', when: IN_CHANGED_FILE, group: 'navigation@-6' },
    { command: 'belay.rejectFile', when: IN_CHANGED_FILE, group: 'navigation@-5' },
    { command: 'belay.previousChange', when: IN_CHANGED_FILE, group: 'navigation@-4' },
    { command: 'belay.nextChange', when: IN_CHANGED_FILE, group: 'navigation@-3' },
    { command: 'belay.openPendingFile', when: IN_CHANGED_FILE, group: '1_belay@1' },
    { command: 'belay.openAllPending', when: IN_CHANGED_FILE, group: '1_belay@2' },
  ],
  'editor/context': [
    { command: 'belay.acceptChange', when: IN_CHANGED_FILE, group: '1_belay@1' },
    { command: 'belay.rejectChange', when: IN_CHANGED_FILE, group: '1_belay@2' },
    { command: 'belay.commentOnChange', when: IN_CHANGED_FILE, group: '1_belay@3' },
    { command: 'belay.lookedAtChange', when: IN_CHANGED_FILE, group: '1_belay@4' },
    { command: 'belay.explainChange', when: IN_CHANGED_FILE, group: '1_belay@5' },
  ],
  'comments/commentThread/context': [
    { command: 'belay.sendChangeComment', when: IN_COMMENT, group: 'inline@1' },
  ],
  'comments/comment/context': [
    {
      command: 'belay.resendChangeComment',
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
    { command: 'belay.rejectAllPending', when: IN_SCM, group: 'navigation@2' },
    { command: 'belay.acceptAllPending', when: IN_SCM, group: 'navigation@3' },
  ],
  'scm/resourceGroup/context': [
    { command: 'belay.rejectPendingGroup', when: DECIDABLE, group: 'inline@1' },
    { command: 'belay.acceptPendingGroup', when: DECIDABLE, group: 'inline@2' },
    { command: 'belay.acceptPendingGroup', when: DECIDABLE, group: '1_decide@1' },
    { command: 'belay.rejectPendingGroup', when: DECIDABLE, group: '1_decide@2' },
    { command: 'belay.dismissUnlisted', when: UNLISTED, group: 'inline@1' },
  ],
  'scm/resourceState/context': [
    { command: 'belay.rejectPendingFiles', when: DECIDABLE, group: 'inline@1' },
    { command: 'belay.acceptPendingFiles', when: DECIDABLE, group: 'inline@2' },
    { command: 'belay.openPendingFile', when: DECIDABLE, group: 'navigation@1' },
    { command: 'belay.acceptPendingFiles', when: DECIDABLE, group: '1_decide@1' },
    { command: 'belay.rejectPendingFiles', when: DECIDABLE, group: '1_decide@2' },
  ],
  'scm/change/title': [
    // VS Code shows them from right to left.
    { command: 'belay.acceptPeekedChange', when: IN_PEEK, group: 'navigation@3' },
    { command: 'belay.rejectPeekedChange', when: IN_PEEK, group: 'navigation@2' },
    { command: 'belay.commentOnPeekedChange', when: IN_PEEK, group: 'navigation@1' },
    { command: 'belay.explainPeekedChange', when: IN_PEEK, group: 'navigation@0' },
  ],
};
