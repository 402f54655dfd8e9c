/**
 * The context keys Belay sets, by name without the `belay.` prefix. What is not set counts as
 * false or 0: before the extension is active the palette shows only what needs no state.
 */
export interface ContextKeyValues {
  /** The session in the place that had the focus last, the view or a tab, has a run. */
  readonly busy: boolean;
  /** The run of that session goes on in a process of its own. */
  readonly inBackground: boolean;
  /** That place shows a session that is stored. */
  readonly hasSession: boolean;
  /** The same two of the view in the sidebar, for its own menu. */
  readonly viewBusy: boolean;
  readonly viewHasSession: boolean;
  /** Questions and approvals that wait for the person, of all sessions, edits included. */
  readonly pending: number;
  /** Changes of files that nobody has decided about, of all sessions; edits that are asked about, too. */
  readonly pendingChanges: number;
  /** Files with pending changes. */
  readonly pendingFiles: number;
  /** Absolute paths of these files, for `resourcePath in`. */
  readonly pendingPaths: readonly string[];
  /** The preview of a restore is on screen; `choice`: it leaves files that can be restored, too. Empty: it is not. */
  readonly restorePreview: '' | 'plain' | 'choice';
  /** A key is in the secret storage (one from the environment cannot be removed here). */
  readonly hasKey: boolean;
  /** The last run of the session shown can go on. */
  readonly canContinue: boolean;
  /** Commands that run in the background, of all sessions. */
  readonly backgroundCommands: number;
  /** Personas that can be chosen are there. */
  readonly hasPersonas: boolean;
  /** A follow-up of some session waits. */
  readonly hasFollowUps: boolean;
  /** At least one MCP server is configured. */
  readonly hasMcpServers: boolean;
}

export type ContextKey = keyof ContextKeyValues;

/** Scheme of files as a restore would make them. */
export const RESTORED_SCHEME = 'belay-restored';

/** Scheme of both sides of what a finished call did. */
export const BASE_SCHEME = 'belay-base';

/** Scheme of files without their pending changes: what quick diff and diff editors compare with. */
export const BASELINE_SCHEME = 'belay-baseline';

/** Scheme of both sides of edits that wait for approval; the right one can be edited. */
export const APPROVAL_SCHEME = 'belay-approval';

/** Of comments on pending changes. */
export const COMMENT_CONTROLLER = 'belay-changes';

/** Context value of a comment that could not be sent. */
export const UNSENT_COMMENT = 'unsent';

/** View type of the tab of the Control Center. */
export const CENTER_TAB = 'belay.controlCenter';

/** View type of tabs with sessions. */
export const SESSION_TAB = 'belay.session';

/** Id of `@belay` in VS Code's own chat. */
export const CHAT_PARTICIPANT = 'belay.chat';
