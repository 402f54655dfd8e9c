import { type Told } from '../../domain/text/told.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type {
  FileLink,
  ResultContent,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/message.ts';
import type { ToolSpec } from '../../domain/models/model.ts';
import type { ReadOnlyRun } from '../ports/commands/read-only-sandbox.ts';
import type { Emit } from '../ports/events.ts';
import type { PlannedEdit } from '../ports/person/approval.ts';
import type { ChangeOptions, ChangeOrigin } from '../ports/files/change-origin.ts';
import type { Level } from '../../domain/permissions/level.ts';
import type { StartedProcess } from '../../domain/run.ts';

export type { Level } from '../../domain/permissions/level.ts';
export type { Mode } from '../../domain/permissions/permission-mode.ts';

export interface Tool extends ToolSpec {
  /** `false`: read-only and safe to repeat; run in parallel, retried, run again after a crash (C1, C9, E2). */
  readonly sideEffects: boolean;
  /** It has effects, but the same call again has no others: retried as a reading one (C1). */
  readonly repeatable?: boolean;
  /** After a crash a call goes on where it was, however often: what it does is on record step by step. */
  readonly resumes?: boolean;
  readonly level: Level;
  /** `files`, `search`, `edit`, `terminal`, `human`, an MCP server's name … */
  readonly module: string;
  /** Its `preview` plans on top of `context.planned`: in mode Ask consecutive calls share one approval. */
  readonly plansEdits?: boolean;
  /** It asks for approval of the files itself when it knows them; the mode does not ask before it runs. */
  readonly asksLater?: boolean;
  /** The yes it needs: none, that for edits, or that for commands and everything else. */
  readonly permission: 'none' | 'edit' | 'execute';
  /** The yes for this input, where it is less than `permission`. */
  permissionFor?(input: JsonObject): Tool['permission'];
  /** Milliseconds; absent: the setting. `Infinity` for tools that wait for the human. */
  readonly timeoutMs?: number | ((input: JsonObject) => number | undefined);
  /**
   * Arguments that Belay fills in (A13): name → value; the model's own are overwritten. Built-in tools take ids from
   * `ctx`.
   */
  readonly identity?: Readonly<
    Record<string, 'sessionId' | 'runId' | 'callId' | 'userId' | 'workspaceId'>
  >;
  /** Files and folders that a call with this input reads or writes, for the path guard. Absent: none. */
  touches?(input: JsonObject, roots: readonly string[]): readonly Touch[];
  /** Command lines that a call with this input runs, for the command guard and the rules. Absent: none. */
  commands?(input: JsonObject, roots: readonly string[]): readonly CommandLine[];
  /**
   * Command lines and code that this call starts, where that is looked up. Throws `BelayError` for what cannot work.
   * Absent: nothing beside `commands`.
   */
  starts?(input: JsonObject, roots: readonly string[]): Promise<Started>;
  /** It was offered earlier in the run; a call is answered with that. */
  readonly isGone?: boolean;
  /** Its name at its server. */
  readonly serverTool?: string;
  /**
   * The reason why only a person, at level admin (A5), may allow this call, each time, whatever mode and rules say.
   * `undefined`: an ordinary call.
   */
  exception?(input: JsonObject): Told | undefined;
  /** Returns whether the call obeys `context.readOnly`. Undefined: it does not. */
  canRunReadOnly?(input: JsonObject): boolean;
  /** Addresses that a call with this input sends requests to. Absent: none. */
  urls?(input: JsonObject): readonly string[];
  /** Its input leaves this machine, or goes to a stranger's program: secrets are asked about. */
  readonly outbound?: boolean;
  /** It changes what later sessions are told: asked about once strangers may have wanted it. */
  readonly lasting?: boolean;
  /** Of what a stranger says the tool is; when it changes, the tool is asked about again. */
  readonly hash?: string;
  /** False where it cannot work (E11); asked at the start of each run. Absent: always there. */
  available?(): boolean | Promise<boolean>;
  /** Checks the input; the message is for the model and says what to do. */
  check(input: JsonObject): { readonly input: JsonObject } | { readonly problem: string };
  /**
   * The effect, for the question: an edit tool computes all of it and writes nothing. Throws `BelayError` when the call
   * cannot work; then nothing is asked.
   */
  preview?(input: JsonObject, context: ToolContext): Promise<ToolPreview>;
  /** Throws `BelayError`; anything thrown becomes a failed result (E10). */
  run(input: JsonObject, context: ToolContext): Promise<ToolOutput>;
}

/** A path that a call wants to use; absolute. */
export interface Touch {
  readonly path: string;
  readonly access: 'read' | 'write';
  /**
   * An absolute folder, `path` itself or where its content comes from: whatever is below it shares the fate of `path`.
   * Absent: the call is about `path` alone.
   */
  readonly below?: string;
  /** The new text, where it is known beforehand: some of it makes a harmless file act. */
  readonly text?: string;
}

/** A command that a call wants to run. */
export interface CommandLine {
  readonly command: string;
  /** The folder it runs in, absolute. */
  readonly cwd: string;
  /** It is written to a program that runs already: what that one makes of it cannot be told. */
  readonly isInput?: boolean;
}

export interface Started {
  readonly lines: readonly CommandLine[];
  /** Code that is no command line: a cell, a task. A yes to it is kept for exactly this text. */
  readonly code?: { /** How a person names it. */ readonly subject: string; readonly text: string };
}

export interface ToolPreview {
  /** "Edit src/a.ts", "Run a command". */
  readonly title: string;
  /** Run, sent or given to the letter; for `prose` sentences. */
  readonly detail: string;
  readonly prose?: true;
  /** For the question: "In /home/me/app." */
  readonly where?: string;
  readonly edits?: readonly PlannedEdit[];
  /** The user may leave files out. */
  readonly isSelectable?: boolean;
  /** For the model, with the result: what it should know beside what the person saw. */
  readonly notes?: readonly string[];
}

export interface ToolOutput {
  readonly content: readonly ResultContent[];
  /** `true`: the tool worked but what it did failed (a test run with failures, an MCP `isError`). */
  readonly isError?: boolean;
  readonly files?: readonly FileLink[];
  readonly display?: JsonObject;
  /** The tool has shortened its result itself, and the whole is kept under this id (E3). */
  readonly cut?: NonNullable<ToolResultPart['cut']>;
}

/** A call's surroundings. Ids come from the run, never from the model (A13). */
export interface ToolContext {
  readonly callId: string;
  readonly runId: string;
  /** The model's answers in the run, counted: the calls of one have the same number. Absent: a call of its own. */
  readonly turn?: number;
  readonly sessionId: string;
  /** The person, one over all workspaces; absent where their database cannot be read. */
  readonly userId?: string;
  /** The workspace, the same each time; absent as `userId`. */
  readonly workspaceId?: string;
  /** Workspace folders, absolute; the first is the default root. Empty: no folder is open. */
  readonly roots: readonly string[];
  /**
   * Rejects when a root that contains one of the paths is not the folder that the run began in; without a path, any
   * root. Absent: the call belongs to no run.
   */
  readonly refuseReplaced?: (paths: readonly string[]) => Promise<void>;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** The person's yes; the tool does exactly this or fails. Absent: nobody was asked. */
  readonly preview?: ToolPreview;
  /** The real paths that were judged, by the path in `touches`: what is used must be the same file. */
  readonly judged?: ReadonlyMap<string, string>;
  /** Nobody approved the call: its command runs in the read-only sandbox or not at all. */
  readonly readOnly?: ReadOnlyRun;
  /** The person's message that the run answers; absent when there is none. */
  readonly messageId?: string;
  /** Goes along with every change of a file, so that it can be reviewed. Absent: nobody reviews it. */
  readonly origin?: ChangeOrigin;
  /** Goes along, too, and is told what files become by it: what others make of them meanwhile is theirs. */
  readonly changed?: NonNullable<ChangeOptions['changed']>;
  /**
   * To be told of files on disk that an edit is about to change beside those in `touches`, by their real paths; resolves
   * when they can be brought back. Absent: nobody keeps them.
   */
  readonly changing?: (paths: readonly string[]) => Promise<void>;
  /** Texts that the user changed before allowing the edit, by path. */
  readonly edited?: ReadonlyMap<string, string>;
  /** Texts of files after the calls planned before this one, by real path; `undefined`: deleted. Only for `preview`. */
  readonly planned?: ReadonlyMap<string, string | undefined>;
  /** The mode requires approval of edits, which the tool asks for itself. */
  readonly asksForEdits?: boolean;
  /**
   * A second question in the call, about what is known only now (a page's text, before the model reads it). Absent
   * where nobody can be asked: the answer is no.
   */
  readonly confirm?: (preview: ToolPreview, reasons: readonly Told[]) => Promise<Confirmation>;
  /** Adds to the ledger row, durably: what a crash must be able to find (a process group). */
  readonly recordProcess: (process: StartedProcess) => Promise<void>;
}

/** The answer to a second question of a call. */
export interface Confirmation {
  readonly allowed: boolean;
  readonly reason?: string;
  /** Paths that the user left out. */
  readonly without?: readonly string[];
}

export interface ToolCallRequest {
  readonly part: ToolCallPart;
  /** Set by lookup; the wrappers inside rely on it. */
  readonly tool?: Tool;
  /** Edit calls of the same turn after this one, up to the next call with other side effects. */
  readonly following?: readonly Required<Pick<ToolCallRequest, 'part' | 'tool' | 'context'>>[];
  readonly context: ToolContext;
}

/** A call's end; never an exception. */
export interface ToolOutcome {
  readonly result: ToolResultPart;
  /** For retry (C1); only with state `failed`. */
  readonly failure?: Failure;
  /** The result was replayed from the ledger (C9). */
  readonly replayed?: boolean;
}

export type ToolCall = (request: ToolCallRequest) => Promise<ToolOutcome>;
export type WrapToolCall = (next: ToolCall) => ToolCall;

/** Composes wrappers; the first is the outermost. */
export function wrapAll<T>(inner: T, wrappers: readonly ((next: T) => T)[]): T {
  return wrappers.reduceRight((next, wrap) => wrap(next), inner);
}

/** Makes a result of one text. */
export function textResult(
  part: Pick<ToolCallPart, 'id' | 'name'>,
  state: ToolResultPart['state'],
  text: string,
): ToolResultPart {
  return {
    type: 'tool_result',
    callId: part.id,
    name: part.name,
    state,
    content: [{ type: 'text', text }],
  };
}
