import type { RestorePreview } from '../../src/core/restore/agent-changes.ts';
import type { Mode } from '../../src/domain/permissions/permission-mode.ts';
import type { SettingKey } from '../../src/domain/settings/settings.ts';
import type {
  DecidedView,
  ReviewFileView,
  ReviewHunkView,
} from '../../src/protocol/review-view.ts';
import type { ApprovalView } from '../../src/protocol/view.ts';
import type { Turn } from '../support/model-server/turn.ts';
import { PanelUser } from './panel-user.ts';

/** What changed while commands ran, as the panel lists it. */
export interface DuringCommands {
  /** Waits until the panel lists these command lines, each with its files, the newest first, and no others. */
  sees(...commands: readonly (readonly string[])[]): Promise<void>;
  /**
   * Looks at the preview, and undoes all files of the command, or one of them.
   * @param meanwhile done while the preview is open
   */
  undo(line: string, file?: string, meanwhile?: () => Promise<void>): Promise<void>;
  dismiss(line: string): Promise<void>;
  /** The last preview: file and outcome. */
  readonly preview: Readonly<Record<string, RestorePreview['outcome']>>;
  /** Names of the files that the last undo could not restore. */
  readonly failed: readonly string[];
}

/** The world in which a promise is shown. */
export interface World {
  /** Files of the workspace: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** The answers of the model, in order. */
  readonly model: readonly Turn[];
  /** `edit` unless given. */
  readonly mode?: Mode;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  /** Workspace Trust; `true` unless given. */
  readonly trusted?: boolean;
  /** Checkpoints are kept, so that files can be restored and changes by commands are known. */
  readonly checkpoints?: true;
  /** Another window on the folders of this one, or a restart after it was closed. */
  readonly after?: { readonly folder: string };
}

export type RestoreWhat = 'files' | 'conversation' | 'both';

/**
 * A user in front of the panel. Verbs are what the user does, and end when the agent rests: its run has ended, or it
 * needs the user. Everything that is asserted is read from the panel, from files, or from what the model was sent.
 */
export interface User extends AsyncDisposable {
  /** The folder of the workspace, and of Belay's data next to it. */
  readonly folder: string;
  /** The folder of the workspace. */
  readonly workspace: string;
  /** Sends a message in the session on screen. */
  send(text: string): Promise<void>;
  /** Sends a message and does not wait. */
  begin(text: string, how?: 'queue' | 'steer' | 'stop_and_send'): Promise<void>;
  /** The messages that wait in the queue. */
  queue(): readonly string[];
  editQueued(text: string, by: string): Promise<void>;
  removeQueued(text: string): Promise<void>;
  sendQueued(): Promise<void>;
  /** Waits until the run ends or needs the user. */
  rest(): Promise<void>;
  stop(): Promise<void>;
  /** Resumes the run that a closed or killed window left. @param doubt what became of calls that are in doubt */
  resume(doubt?: 'happened' | 'run_again' | 'let_model_check'): Promise<void>;
  /** Waits for the card of a run that was interrupted. */
  seesInterruptedRun(): Promise<void>;
  newSession(): Promise<void>;
  rename(title: string): Promise<void>;
  title(): string;
  /** Opens the session whose first message has this text. */
  openSession(firstMessage: string): Promise<void>;
  chooseMode(mode: Mode): Promise<void>;

  /** The approval card that waits; fails when none does. */
  card(): ApprovalView;
  allow(keep?: 'session' | 'project'): Promise<void>;
  deny(reason?: string): Promise<void>;
  /** Answers a card other than the one that waits. */
  allowOther(card: ApprovalView): Promise<void>;
  answer(text: string): Promise<void>;

  /** Decides the hunk with this number, from 1, of the file. */
  keepHunk(file: string, number: number): Promise<void>;
  undoHunk(file: string, number: number): Promise<void>;
  keepFile(file: string): Promise<DecidedView>;
  undoFile(file: string): Promise<DecidedView>;
  /** Undoes the changes of the newest request. */
  undoTurn(): Promise<DecidedView>;
  keepAll(): Promise<DecidedView>;
  /** @param sure the answer to the question whether all is to be undone */
  undoAll(): Promise<DecidedView>;
  /** Another window decides about the changes, and this one only shows them. */
  readonly decidesElsewhere: boolean;
  /** Decides here from now on. */
  takeOver(): Promise<void>;
  /** Takes a decision back by its id: Redo after Undo All. */
  takeBack(id: string | null): Promise<void>;
  /** The hunks of a file that the panel lists; waits until there are so many. */
  hunks(file: string, count: number): Promise<readonly ReviewHunkView[]>;
  /** Waits until the panel lists these files with so many pending changes, and no others. */
  seesPending(files: Readonly<Record<string, number>>): Promise<void>;
  /** A file of the list of pending changes. */
  pendingFile(file: string): ReviewFileView;

  /** What changed during commands. */
  readonly during: DuringCommands;

  /** Saves a text in an editor of this window. */
  saveInEditor(file: string, text: string): Promise<void>;
  /** The requests under which pending changes are listed. */
  pendingRequests(): readonly string[];

  /** Saves a text as another program would. */
  save(file: string, text: string): Promise<void>;
  text(file: string): Promise<string>;
  exists(file: string): Promise<boolean>;

  /** Goes back to before the message with this text. @param also files that the preview leaves, by name */
  restore(message: string, what: RestoreWhat, also?: readonly string[]): Promise<void>;
  redo(): Promise<void>;
  /** Continues in a new session from the message with this text, which becomes the session on screen. */
  fork(message: string): Promise<void>;
  /** The last preview of a restore: file and outcome. */
  readonly preview: Readonly<Record<string, RestorePreview['outcome']>>;
  /** The undecided changes that the last preview said will count as kept. */
  readonly undecided: number;
  /** The text that a restore gave back to be edited and sent again. */
  readonly input: string;

  /** Waits until the conversation on screen has this text. */
  sees(text: RegExp): Promise<void>;
  /** All that the conversation on screen says, cards included. */
  conversation(): string;
  /** The last request to the model, as text. */
  modelWasSent(): string;
  /** The user's permission rules. */
  readonly rules: readonly unknown[];

  /** Closes the window and opens it again; the model goes on with these answers. */
  restart(model: readonly Turn[]): Promise<User>;
  /** Opens a second window on the workspace. */
  openWindow(model: readonly Turn[]): Promise<User>;
  /** Closes the window, and leaves the folders. */
  close(): Promise<void>;
}

/** Opens a window with a panel on a workspace: the real engine, database and files, and a scripted model on loopback. */
export const openUser = async (world: World): Promise<User> => PanelUser.open(world);
