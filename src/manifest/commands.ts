import { SESSION_TAB } from './context-key-names.ts';

/** A command as the manifest declares it. */
export interface CommandDeclaration {
  readonly title: string;
  /** Shown instead of the title where the command is a button with words. */
  readonly shortTitle?: string;
  /** A codicon, `$(name)`; needed where the command is a button. */
  readonly icon?: string;
  /** When the palette offers it; absent: always. */
  readonly when?: string;
  /** A keybinding for all systems and, where it differs, one for macOS. */
  readonly key?: { readonly all: string; readonly mac: string; readonly when?: string };
}

/** The palette never offers it. A command that is in no menu either is not declared: only Belay itself runs it. */
export const NEVER = 'false';

/** A session is on screen and nothing works in it. */
const IDLE = 'belay.hasSession && !belay.busy';

/** A run of it is on, here or in the background. */
const AT_WORK = 'belay.busy || belay.inBackground';

/** The view or a tab with a session has the focus. */
const IN_PLACE = `focusedView == belay.panel || activeWebviewPanelId == ${SESSION_TAB}`;

const HAS_PENDING = 'belay.pendingChanges > 0';

/** A file of the disk is in the editor, here or on the machine where the extension runs. */
export const ON_DISK = 'resourceScheme =~ /^(file|vscode-remote)$/';
const IN_FILE = `editorIsOpen && ${ON_DISK}`;

/** VS Code's own git extension has a repository. */
const HAS_GIT = 'gitOpenRepositoryCount > 0';

/** Every command, once: manifest, palette, menus, handlers. Keys follow Ctrl+K: VS Code leaves these letters free. */
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
  'belay.restore': { title: 'Restore…', when: IDLE },
  'belay.sendAgain': { title: 'Send Again…', when: IDLE },
  'belay.undoTurn': { title: 'Undo This Turn', when: NEVER },
  'belay.redoRestore': { title: 'Redo Restore', when: IDLE },
  'belay.confirmRestore': {
    title: 'Restore',
    shortTitle: 'Restore',
    when: 'belay.restorePreview',
  },
  'belay.chooseRestoredFiles': {
    title: 'Choose Files to Restore…',
    shortTitle: 'Choose Files…',
    when: 'belay.restorePreview == choice',
  },
  'belay.cancelRestore': {
    title: 'Cancel Restore',
    shortTitle: 'Cancel',
    when: 'belay.restorePreview',
  },
  'belay.forkSession': { title: 'Fork Session from Here…', when: IDLE },
  'belay.resetSession': { title: 'Empty Conversation…', when: 'belay.hasSession && !belay.busy' },
  'belay.stop': {
    title: 'Stop',
    icon: '$(debug-stop)',
    when: AT_WORK,
    key: { all: 'ctrl+k q', mac: 'cmd+k q', when: AT_WORK },
  },
  'belay.continueInBackground': { title: 'Continue in the Background', when: 'belay.busy' },
  'belay.takeBack': { title: 'Take Back from the Background', when: AT_WORK },
  'belay.stopBackgroundCommands': {
    title: 'Stop Background Commands…',
    when: 'belay.backgroundCommands > 0',
  },
  'belay.continue': { title: 'Continue', when: 'belay.canContinue && !belay.busy' },
  'belay.compact': { title: 'Compact Conversation', when: 'belay.hasSession && !belay.busy' },
  'belay.showTimeline': {
    title: 'Show Timeline and Prompt Cache',
    when: 'belay.hasSession && config.belay.log.level == debug',
  },
  'belay.chooseModel': { title: 'Choose Model…' },
  'belay.chooseMode': { title: 'Choose Mode…' },
  'belay.choosePersona': { title: 'Choose Persona…', when: 'belay.hasPersonas' },
  'belay.nextMode': {
    title: 'Next Mode',
    key: { all: 'ctrl+k l', mac: 'cmd+k l', when: IN_PLACE },
  },
  'belay.showPending': {
    title: 'Show What Waits for You…',
    when: 'belay.pending > 0',
    key: { all: 'ctrl+k j', mac: 'cmd+k j', when: 'belay.pending > 0' },
  },
  'belay.keepChange': {
    title: 'Keep Change',
    shortTitle: 'Keep',
    icon: '$(check)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k a', mac: 'cmd+k a', when: HAS_PENDING },
  },
  'belay.undoChange': {
    title: 'Undo Change',
    shortTitle: 'Undo',
    icon: '$(discard)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k x', mac: 'cmd+k x', when: HAS_PENDING },
  },
  'belay.keepFile': {
    title: 'Keep All Changes of This File',
    shortTitle: 'Keep File',
    icon: '$(add)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+a', mac: 'cmd+k shift+a', when: HAS_PENDING },
  },
  'belay.undoFile': {
    title: 'Undo All Changes of This File',
    shortTitle: 'Undo File',
    icon: '$(discard)',
    when: HAS_PENDING,
    key: { all: 'ctrl+k shift+x', mac: 'cmd+k shift+x', when: HAS_PENDING },
  },
  'belay.nextChange': {
    title: 'Next Pending Change',
    shortTitle: 'Next',
    key: { all: 'ctrl+k g', mac: 'cmd+k g', when: HAS_PENDING },
  },
  'belay.previousChange': {
    title: 'Previous Pending Change',
    shortTitle: 'Previous',
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
  'belay.sendChangeComment': { title: 'Send to Agent', when: NEVER },
  'belay.discardChangeComment': { title: 'Discard', when: NEVER },
  'belay.redoUndone': { title: 'Redo Undone Changes…', icon: '$(redo)' },
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
  'belay.keepAllPending': {
    title: 'Keep All Pending Changes',
    icon: '$(check-all)',
    when: HAS_PENDING,
  },
  'belay.undoAllPending': {
    title: 'Undo All Pending Changes',
    icon: '$(discard)',
    when: HAS_PENDING,
  },
  'belay.undoCommandChanges': { title: 'Undo Changes During a Command…', icon: '$(discard)' },
  'belay.dismissCommandChanges': {
    title: 'Dismiss Changes During Commands',
    icon: '$(close)',
    when: NEVER,
  },
  'belay.addProvider': { title: 'Add Model Provider…' },
  'belay.checkProvider': { title: 'Check Connection to Model Provider', when: NEVER },
  'belay.editProvider': { title: 'Edit Model Provider', when: NEVER },
  'belay.removeProvider': { title: 'Remove Model Provider', when: NEVER },
  'belay.setApiKey': { title: 'Set API Key…' },
  'belay.removeApiKey': { title: 'Remove API Key…', when: 'belay.hasKey' },
  'belay.setUpWebSearch': { title: 'Set Up Web Search…' },
  'belay.linkAccount': { title: 'Link Account…', when: NEVER },
  'belay.unlinkAccount': { title: 'Unlink Account…', when: NEVER },
  'belay.openControlCenter': { title: 'Open Control Center', icon: '$(settings)' },
  'belay.showInControlCenter': { title: 'Show in Control Center…' },
  'belay.showFollowUps': { title: 'Show Follow-ups', when: 'belay.hasFollowUps' },
  'belay.addMcpServer': { title: 'Add MCP Server…' },
  'belay.restartMcpServers': { title: 'Restart MCP Servers', when: 'belay.hasMcpServers' },
  'belay.setTelemetryKey': {
    title: 'Set Telemetry Key…',
    when: 'config.belay.telemetry.otlpEndpoint || config.belay.telemetry.useEnvironment',
  },
  'belay.copyContextServer': {
    title: 'Copy MCP Server Configuration for Other Agents…',
    when: 'config.belay.contextServer.enabled',
  },
  'belay.openSettings': { title: 'Open Settings', icon: '$(settings-gear)' },
  'belay.fix': { title: 'Fix with Belay', when: IN_FILE },
  'belay.explain': { title: 'Explain with Belay', when: IN_FILE },
  'belay.mention': { title: 'Mention in Belay', when: IN_FILE },
  'belay.mentionTerminal': { title: 'Mention Last Output in Belay', when: 'terminalIsOpen' },
  'belay.mentionSelectedOutput': {
    title: 'Mention Selected Output in Belay',
    when: 'terminalTextSelected',
  },
  'belay.fixTest': { title: 'Fix Test with Belay', when: NEVER },
  'belay.reviewChanges': {
    title: 'Review My Changes with Belay',
    icon: '$(checklist)',
    when: HAS_GIT,
  },
  'belay.writeCommitMessage': {
    title: 'Write Commit Message with Belay',
    icon: '$(sparkle)',
    when: HAS_GIT,
  },
  'belay.openPrompt': { title: 'Show the Text of a Link', when: NEVER },
  'belay.openWalkthrough': { title: 'Get Started' },
  'belay.showLog': { title: 'Show Log' },
} as const satisfies Record<string, CommandDeclaration>;

export type CommandId = keyof typeof COMMANDS;

/** Commands that stand in the title of the view, too: there they mean the view, whatever had the focus last. */
export const VIEW_COMMANDS = [
  'belay.newSession',
  'belay.openSession',
  'belay.openSessionInEditor',
  'belay.continueInBackground',
  'belay.renameSession',
  'belay.exportSession',
  'belay.importSession',
  'belay.restore',
  'belay.deleteSession',
] as const satisfies readonly CommandId[];

/** The same command, of the view. */
export const ofView = (id: (typeof VIEW_COMMANDS)[number]): ViewCommandId => `${id}.view`;

export type ViewCommandId = `${CommandId}.view`;

/** Commands that are words in the title of an editor. VS Code writes the key of a command below its words: these ids have none. */
export const TITLE_COMMANDS = [
  'belay.keepChange',
  'belay.undoChange',
  'belay.keepFile',
  'belay.undoFile',
  'belay.nextChange',
  'belay.previousChange',
] as const satisfies readonly CommandId[];

/** Returns the id of a command for the title of an editor. */
export const toTitleCommand = (id: (typeof TITLE_COMMANDS)[number]): TitleCommandId =>
  `${id}.title`;

export type TitleCommandId = `${CommandId}.title`;
