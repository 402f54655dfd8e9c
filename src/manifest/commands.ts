import {
  BASELINE_SCHEME,
  COMMENT_CONTROLLER,
  SESSION_TAB,
  UNSENT_COMMENT,
} from './context-key-names.ts';
import { said } from '../domain/text/language.ts';
import type { SlashCommandRow } from '../domain/slash-command.ts';
import type { INTERNAL_COMMANDS } from './internal-commands.ts';

/** A button or an entry of a menu. */
export interface CommandPlace {
  readonly menu: string;
  readonly when: string;
  readonly group: string;
  /**
   * `view`: it means the session in the view, whatever had the focus last. `title`: words in a title bar instead of the icon; VS Code
   * writes the key of a command below its words, so it has an id without one. Menus cannot pass arguments: each of the
   * two is a command of its own, with this word behind its id.
   */
  readonly as?: CommandVariant;
}

export type CommandVariant = 'view' | 'title';

/** A command as the manifest declares it. */
export interface CommandDeclaration {
  readonly title: string;
  /** Shown instead of the title where the command is a button with words. */
  readonly shortTitle?: string;
  /** A codicon, `$(name)`; needed where the command is a button. */
  readonly icon?: string;
  /** When the palette offers it; absent: always. */
  readonly when?: string;
  /** Menus and title bars that show it. */
  readonly places?: readonly CommandPlace[];
  /** A keybinding; on macOS its `ctrl` is `cmd`. */
  readonly key?: { readonly keys: string; readonly when?: string };
  /** Its names in the message box; each opens one section where it is a command with sections. */
  readonly slash?: readonly Omit<SlashCommandRow, 'command'>[];
}

/** The palette never offers it. */
export const NEVER = 'false';

/** A session is on screen and nothing works in it. */
const IDLE = 'belay.hasSession && !belay.busy';

/** A run of it is on, here or in the background. */
const AT_WORK = 'belay.busy || belay.inBackground';

/** The view or a tab with a session has the focus. */
const IN_PLACE = `focusedView == belay.panel || activeWebviewPanelId == ${SESSION_TAB}`;

const HAS_PENDING = 'belay.pendingChanges > 0';

/** A file of the disk is in the editor, here or on the machine where the extension runs. */
const ON_DISK = 'resourceScheme =~ /^(file|vscode-remote)$/';
const IN_FILE = `editorIsOpen && ${ON_DISK}`;

/** VS Code's own git extension has a repository. */
const HAS_GIT = 'gitOpenRepositoryCount > 0';

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

/**
 * Every action that VS Code offers, once: commands, palette, menus and keys of the manifest follow from it, and the type
 * of its handlers. Keys follow Ctrl+K: VS Code leaves these letters free.
 */
export const COMMANDS = {
  'belay.focusPanel': {
    title: 'Focus Panel',
    key: { keys: 'ctrl+k b' },
  },
  'belay.newSession': {
    slash: [{ name: 'new', description: said('Begins a new session'), icon: 'add' }],
    title: 'New Session',
    icon: '$(add)',
    key: { keys: 'ctrl+k n', when: IN_PLACE },
    places: [
      { menu: 'view/title', when: IN_VIEW, group: 'navigation@1', as: 'view' },
      { menu: 'editor/title', when: IN_TAB, group: 'navigation@1' },
    ],
  },
  'belay.openSession': {
    slash: [{ name: 'sessions', description: said('Shows all sessions'), icon: 'history' }],
    title: 'Open Session…',
    icon: '$(history)',
    places: [
      { menu: 'view/title', when: IN_VIEW, group: 'navigation@2', as: 'view' },
      { menu: 'editor/title', when: IN_TAB, group: 'navigation@2' },
    ],
  },
  'belay.openSessionInEditor': {
    title: 'Open Session in Editor',
    icon: '$(go-to-file)',
    key: { keys: 'ctrl+k shift+t' },
    places: [
      {
        menu: 'view/title',
        when: `${IN_VIEW} && belay.viewHasSession`,
        group: '0_place@1',
        as: 'view',
      },
    ],
  },
  'belay.newSessionInEditor': {
    title: 'New Session in Editor',
    key: { keys: 'ctrl+k shift+n' },
    places: [{ menu: 'view/title', when: IN_VIEW, group: '0_place@2' }],
  },
  'belay.showActiveSessions': {
    title: 'Running and Waiting Sessions…',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '0_place@3' }],
  },
  'belay.renameSession': {
    title: 'Rename Session…',
    when: 'belay.hasSession',
    places: [{ menu: 'editor/title', when: `${IN_TAB} && belay.hasSession`, group: '2_session@1' }],
  },
  'belay.deleteSession': {
    title: 'Delete Session',
    when: 'belay.hasSession',
    places: [{ menu: 'editor/title', when: `${IN_TAB} && belay.hasSession`, group: '2_session@7' }],
  },
  'belay.exportSession': {
    slash: [{ name: 'export', description: said('Saves this session to a file'), icon: 'export' }],
    title: 'Export Session…',
    when: 'belay.hasSession',
    places: [{ menu: 'editor/title', when: `${IN_TAB} && belay.hasSession`, group: '2_session@2' }],
  },
  'belay.importSession': {
    title: 'Import Session…',
  },
  'belay.saveSnapshot': { title: 'Save Snapshot…', when: 'belay.hasSession' },
  'belay.restore': {
    slash: [
      {
        name: 'restore',
        description: said('Takes files and conversation back to before a message'),
        icon: 'discard',
      },
    ],
    title: 'Restore…',
    when: IDLE,
  },
  'belay.sendAgain': { title: 'Send Again…', when: IDLE },
  'belay.redoRestore': { title: 'Redo Restore', when: IDLE },
  'belay.confirmRestore': {
    title: 'Restore',
    shortTitle: 'Restore',
    when: 'belay.restorePreview',
    places: [{ menu: 'editor/title', when: IN_RESTORE_PREVIEW, group: 'navigation@-8' }],
  },
  'belay.chooseRestoredFiles': {
    title: 'Choose Files to Restore…',
    shortTitle: 'Choose Files…',
    when: 'belay.restorePreview == choice',
    places: [
      { menu: 'editor/title', when: `${IN_RESTORE_PREVIEW} == choice`, group: 'navigation@-7' },
    ],
  },
  'belay.cancelRestore': {
    title: 'Cancel Restore',
    shortTitle: 'Cancel',
    when: 'belay.restorePreview',
    places: [{ menu: 'editor/title', when: IN_RESTORE_PREVIEW, group: 'navigation@-6' }],
  },
  'belay.forkSession': { title: 'Fork Session from Here…', when: IDLE },
  'belay.resetSession': { title: 'Empty Conversation…', when: 'belay.hasSession && !belay.busy' },
  'belay.stop': {
    slash: [
      {
        name: 'stop',
        description: said('Stops this run; queued messages are kept'),
        icon: 'debug-stop',
      },
    ],
    title: 'Stop',
    icon: '$(debug-stop)',
    when: AT_WORK,
    key: { keys: 'ctrl+k q', when: AT_WORK },
  },
  'belay.continueInBackground': {
    title: 'Continue in the Background',
    when: 'belay.busy',
    places: [
      { menu: 'view/title', when: `${IN_VIEW} && belay.viewBusy`, group: '1_run@1', as: 'view' },
    ],
  },
  'belay.takeBack': { title: 'Take Back from the Background', when: AT_WORK },
  'belay.stopBackgroundCommands': {
    title: 'Stop Background Commands…',
    when: 'belay.backgroundCommands > 0',
  },
  'belay.continue': {
    title: 'Continue',
    when: 'belay.canContinue && !belay.busy',
    places: [
      {
        menu: 'editor/title',
        when: `${IN_TAB} && belay.canContinue && !belay.busy`,
        group: '1_run@1',
      },
    ],
  },
  'belay.compact': {
    slash: [
      {
        name: 'compact',
        description: said('Sums up older messages; say to how many tokens (20k), and what to keep'),
        icon: 'fold',
        takesWords: true,
      },
    ],
    title: 'Compact Conversation',
    when: 'belay.hasSession && !belay.busy',
  },
  'belay.showJournal': {
    slash: [
      {
        name: 'journal',
        description: said('Shows the journal of this session, to read and edit'),
        icon: 'notebook',
      },
    ],
    title: 'Show Journal',
    when: 'belay.hasSession',
  },
  'belay.showTimeline': {
    title: 'Show Timeline and Prompt Cache',
    when: 'belay.hasSession && config.belay.log.level == debug',
  },
  'belay.chooseModel': {
    slash: [
      {
        name: 'model',
        description: said('Chooses the model of this session; with a part of its name at once'),
        icon: 'sparkle',
        takesWords: true,
      },
    ],
    title: 'Choose Model…',
  },
  'belay.chooseMode': {
    slash: [
      {
        name: 'mode',
        description: said('Chooses how much is asked; with the name of a mode at once'),
        icon: 'shield',
        takesWords: true,
      },
    ],
    title: 'Choose Mode…',
  },
  'belay.choosePersona': {
    slash: [
      { name: 'persona', description: said('Chooses the persona of this session'), icon: 'person' },
    ],
    title: 'Choose Persona…',
    when: 'belay.hasPersonas',
  },
  'belay.nextMode': {
    title: 'Next Mode',
    key: { keys: 'ctrl+k l', when: IN_PLACE },
  },
  'belay.showPending': {
    title: 'Show What Waits for You…',
    when: 'belay.pending > 0',
    key: { keys: 'ctrl+k j', when: 'belay.pending > 0' },
  },
  'belay.keepChange': {
    title: 'Keep Change',
    shortTitle: 'Keep',
    icon: '$(check)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k a', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_DIFF, group: 'navigation@-8', as: 'title' },
      { menu: 'editor/title', when: IN_CHANGED_FILES, group: 'navigation@-8', as: 'title' },
      { menu: 'editor/context', when: IN_CHANGED_FILE, group: '1_belay@1' },
      { menu: 'scm/change/title', when: IN_PEEK, group: 'navigation@3' },
    ],
  },
  'belay.undoChange': {
    title: 'Undo Change',
    shortTitle: 'Undo',
    icon: '$(discard)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k x', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_DIFF, group: 'navigation@-7', as: 'title' },
      { menu: 'editor/title', when: IN_CHANGED_FILES, group: 'navigation@-7', as: 'title' },
      { menu: 'editor/context', when: IN_CHANGED_FILE, group: '1_belay@2' },
      { menu: 'scm/change/title', when: IN_PEEK, group: 'navigation@2' },
    ],
  },
  'belay.keepFile': {
    title: 'Keep All Changes of This File',
    shortTitle: 'Keep File',
    icon: '$(add)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+a', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_FILE, group: 'navigation@-6', as: 'title' },
      { menu: 'editor/title', when: IN_CHANGED_FILES, group: 'navigation@-6', as: 'title' },
      { menu: 'scm/resourceState/context', when: DECIDABLE, group: 'inline@2' },
      { menu: 'scm/resourceState/context', when: DECIDABLE, group: '1_decide@1' },
    ],
  },
  'belay.undoFile': {
    title: 'Undo All Changes of This File',
    shortTitle: 'Undo File',
    icon: '$(discard)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+x', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_FILE, group: 'navigation@-5', as: 'title' },
      { menu: 'scm/resourceState/context', when: DECIDABLE, group: 'inline@1' },
      { menu: 'scm/resourceState/context', when: DECIDABLE, group: '1_decide@2' },
    ],
  },
  'belay.nextChange': {
    title: 'Next Pending Change',
    shortTitle: 'Next',
    key: { keys: 'ctrl+k g', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_FILE, group: 'navigation@-3', as: 'title' },
      { menu: 'editor/title', when: IN_CHANGED_FILES, group: 'navigation@-3', as: 'title' },
    ],
  },
  'belay.previousChange': {
    title: 'Previous Pending Change',
    shortTitle: 'Previous',
    key: { keys: 'ctrl+k shift+g', when: HAS_PENDING },
    places: [{ menu: 'editor/title', when: IN_CHANGED_FILE, group: 'navigation@-4', as: 'title' }],
  },
  'belay.commentOnChange': {
    title: 'Comment on Change',
    icon: '$(comment)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+c', when: HAS_PENDING },
    places: [
      { menu: 'editor/context', when: IN_CHANGED_FILE, group: '1_belay@3' },
      { menu: 'scm/change/title', when: IN_PEEK, group: 'navigation@1' },
    ],
  },
  'belay.explainChange': {
    title: 'Why This Change?',
    icon: '$(question)',
    when: HAS_PENDING,
    places: [
      { menu: 'editor/context', when: IN_CHANGED_FILE, group: '1_belay@5' },
      { menu: 'scm/change/title', when: IN_PEEK, group: 'navigation@0' },
    ],
  },
  'belay.showChangeList': {
    slash: [{ name: 'review', description: said('Goes to the pending changes'), icon: 'diff' }],
    title: 'Go to the List of Pending Changes',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+b', when: HAS_PENDING },
  },
  'belay.lookedAtChange': {
    title: 'Mark Change as Looked At or Not',
    icon: '$(eye)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+l', when: HAS_PENDING },
    places: [{ menu: 'editor/context', when: IN_CHANGED_FILE, group: '1_belay@4' }],
  },
  'belay.sendChangeComment': {
    title: 'Send to Agent',
    when: NEVER,
    places: [
      { menu: 'comments/commentThread/context', when: IN_COMMENT, group: 'inline@1' },
      {
        menu: 'comments/comment/context',
        when: `${IN_COMMENT} && comment == ${UNSENT_COMMENT}`,
        group: 'inline@1',
      },
    ],
  },
  'belay.discardChangeComment': {
    title: 'Discard',
    when: NEVER,
    places: [
      {
        menu: 'comments/comment/context',
        when: `${IN_COMMENT} && comment == ${UNSENT_COMMENT}`,
        group: 'inline@2',
      },
    ],
  },
  'belay.redoUndone': {
    title: 'Redo Undone Changes…',
    icon: '$(redo)',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '2_session@7' }],
  },
  'belay.openPendingFile': {
    title: 'Show Pending Changes of This File',
    icon: '$(diff)',
    when: HAS_PENDING,
    places: [
      { menu: 'editor/title', when: IN_CHANGED_FILE, group: '1_belay@1' },
      { menu: 'scm/resourceState/context', when: DECIDABLE, group: 'navigation@1' },
    ],
  },
  'belay.openAllPending': {
    title: 'Show All Pending Changes',
    icon: '$(diff-multiple)',
    when: HAS_PENDING,
    key: { keys: 'ctrl+k shift+j', when: HAS_PENDING },
    places: [
      { menu: 'editor/title', when: IN_CHANGED_FILE, group: '1_belay@2' },
      { menu: 'scm/title', when: IN_SCM, group: 'navigation@1' },
    ],
  },
  'belay.keepAllPending': {
    title: 'Keep All Pending Changes',
    icon: '$(check-all)',
    when: HAS_PENDING,
    places: [
      { menu: 'scm/title', when: IN_SCM, group: 'navigation@3' },
      { menu: 'scm/resourceGroup/context', when: DECIDABLE, group: 'inline@2' },
      { menu: 'scm/resourceGroup/context', when: DECIDABLE, group: '1_decide@1' },
    ],
  },
  'belay.undoAllPending': {
    title: 'Undo All Pending Changes',
    icon: '$(discard)',
    when: HAS_PENDING,
    places: [
      { menu: 'scm/title', when: IN_SCM, group: 'navigation@2' },
      { menu: 'scm/resourceGroup/context', when: DECIDABLE, group: 'inline@1' },
      { menu: 'scm/resourceGroup/context', when: DECIDABLE, group: '1_decide@2' },
    ],
  },
  'belay.undoCommandChanges': {
    title: 'Undo Changes During a Command…',
    icon: '$(discard)',
    places: [
      { menu: 'scm/resourceGroup/context', when: DURING, group: 'inline@1' },
      { menu: 'scm/resourceState/context', when: DURING, group: 'inline@1' },
    ],
  },
  'belay.dismissCommandChanges': {
    title: 'Dismiss Changes During Commands',
    icon: '$(close)',
    when: NEVER,
    places: [{ menu: 'scm/resourceGroup/context', when: DURING, group: 'inline@2' }],
  },
  'belay.addProvider': { title: 'Add Model Provider…' },
  'belay.setApiKey': {
    title: 'Set API Key…',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '3_setup@1' }],
  },
  'belay.removeApiKey': { title: 'Remove API Key…', when: 'belay.hasKey' },
  'belay.setUpWebSearch': { title: 'Set Up Web Search…' },
  'belay.openControlCenter': {
    slash: [
      {
        name: 'tools',
        description: said('Shows the tools, on and off'),
        icon: 'tools',
        section: 'tools',
      },
      {
        name: 'memory',
        description: said('Shows what is remembered'),
        icon: 'bookmark',
        section: 'memory',
      },
      { name: 'mcp', description: said('Shows the MCP servers'), icon: 'server', section: 'mcp' },
      {
        name: 'providers',
        description: said('Shows the providers of models'),
        icon: 'cloud',
        section: 'models',
      },
      {
        name: 'rules',
        description: said('Shows and tests your permission rules'),
        icon: 'law',
        section: 'rules',
      },
    ],
    title: 'Open Control Center',
    icon: '$(settings)',
    places: [{ menu: 'view/title', when: IN_VIEW, group: 'navigation@3' }],
  },
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
  'belay.openSettings': {
    slash: [
      { name: 'settings', description: said('Opens the settings of Belay'), icon: 'settings-gear' },
    ],
    title: 'Open Settings',
    icon: '$(settings-gear)',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '3_setup@4' }],
  },
  'belay.fix': { title: 'Fix with Belay', when: IN_FILE },
  'belay.explain': {
    title: 'Explain with Belay',
    when: IN_FILE,
    places: [{ menu: 'editor/context', when: ON_DISK, group: '1_belay@6' }],
  },
  'belay.mention': {
    title: 'Mention in Belay',
    when: IN_FILE,
    places: [
      { menu: 'editor/title/context', when: ON_DISK, group: '6_belay@1' },
      { menu: 'explorer/context', when: ON_DISK, group: '6_belay@1' },
      { menu: 'editor/context', when: ON_DISK, group: '1_belay@7' },
    ],
  },
  'belay.mentionTerminal': {
    title: 'Mention Terminal Output in Belay',
    when: 'terminalIsOpen',
    places: [{ menu: 'terminal/context', when: 'terminalIsOpen', group: '6_belay@1' }],
  },
  'belay.fixTest': {
    title: 'Fix Test with Belay',
    when: NEVER,
    places: [
      { menu: 'testing/item/context', when: 'testResultState == failed', group: '6_belay@1' },
      { menu: 'testing/message/context', when: 'true', group: '6_belay@1' },
    ],
  },
  'belay.reviewChanges': {
    title: 'Review My Changes with Belay',
    icon: '$(checklist)',
    when: HAS_GIT,
    places: [
      {
        menu: 'editor/title',
        when: `isInDiffEditor && ${ON_DISK} && !(${IN_CHANGED_FILE})`,
        group: '1_belay@3',
      },
      { menu: 'scm/title', when: IN_GIT, group: '9_belay@1' },
    ],
  },
  'belay.writeCommitMessage': {
    title: 'Write Commit Message with Belay',
    icon: '$(sparkle)',
    when: HAS_GIT,
    places: [{ menu: 'scm/title', when: IN_GIT, group: 'navigation@9' }],
  },
  'belay.openWalkthrough': {
    slash: [{ name: 'help', description: said('Opens the walkthrough'), icon: 'question' }],
    title: 'Get Started',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '4_more@1' }],
  },
  'belay.showLog': {
    slash: [{ name: 'log', description: said('Shows the log'), icon: 'output' }],
    title: 'Show Log',
    places: [{ menu: 'view/title', when: IN_VIEW, group: '4_more@2' }],
  },
} as const satisfies Record<string, CommandDeclaration>;

/** Names of all commands, those included that only Belay itself runs. */
export type CommandId = keyof typeof COMMANDS | keyof typeof INTERNAL_COMMANDS;
