/**
 * Language servers of an editor; without one there is no port, and no tools of it (E11). Lines and
 * columns are 1-based, columns count UTF-16 code units. Paths are absolute. Methods fail with
 * `not_found` for a missing file, with `AbortError` when the signal fires.
 */
export interface Language {
  /** Problems of the files as they are now; without `paths`, all that are known already. */
  problems(request: ProblemRequest, signal: AbortSignal): Promise<ProblemReport>;
  /** The declarations of a file, in the order of the text. Empty: none, or nobody knows this language. */
  outline(path: string, signal: AbortSignal): Promise<readonly Declaration[]>;
  /** Declarations of the whole workspace whose names contain the query, loosely. */
  symbols(query: string, signal: AbortSignal): Promise<readonly Declaration[]>;
  /** Relations of the symbol at a place. Empty: none, or there is no symbol. */
  related(relation: Relation, place: Place, signal: AbortSignal): Promise<readonly Related[]>;
  /** The text an editor shows when the mouse rests there, as Markdown. */
  hover(place: Place, signal: AbortSignal): Promise<string>;
  /** The changes that give a symbol another name. @throws BelayError `invalid` when it cannot be renamed, with the reason. */
  rename(place: Place, newName: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /** Actions at a place: quick fixes, refactorings, source actions. */
  actions(request: ActionRequest, signal: AbortSignal): Promise<readonly CodeAction[]>;
  /** Tells whether an installed extension serves a file's language, and its name. */
  served(path: string): Promise<{ readonly language: string; readonly served: boolean }>;
}

export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The end is exclusive. */
export interface Span extends Place {
  readonly endLine: number;
  readonly endColumn: number;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

export interface Problem extends Place {
  readonly severity: Severity;
  readonly message: string;
  /** The problem's author: `ts`, `eslint`; empty when unknown. */
  readonly source: string;
  readonly code: string;
}

export interface ProblemRequest {
  readonly paths?: readonly string[];
  /** Milliseconds to wait at most until the servers have looked at each file as it is now. */
  readonly waitMs: number;
}

export interface ProblemReport {
  /** Sorted by file and place. */
  readonly problems: readonly Problem[];
  /** Files about which no server has said anything in time; what is known of them may be old. */
  readonly unanswered: readonly string[];
}

export interface Declaration extends Place {
  readonly name: string;
  /** `function`, `class`, `method` … */
  readonly kind: string;
  /** Empty at the top. */
  readonly container: string;
  /** Its level in an outline; 0 at the top. */
  readonly depth: number;
}

export type Relation =
  | 'definition'
  | 'type_definition'
  | 'implementations'
  | 'references'
  | 'callers'
  | 'callees';

export interface Related extends Place {
  readonly name?: string;
}

/** A change of a file's text; a file that is not there is created. */
export interface FileChange {
  readonly path: string;
  /** They do not overlap. */
  readonly edits: readonly TextChange[];
}

export interface TextChange extends Omit<Span, 'path'> {
  readonly text: string;
}

export interface ActionRequest extends Span {
  /** Only kinds that begin so: `quickfix`, `refactor`, `source.organizeImports`. */
  readonly kind?: string;
  readonly waitMs: number;
}

export interface CodeAction {
  readonly title: string;
  readonly kind: string;
  readonly preferred: boolean;
  /** Absent when it only runs a command, or asks the person in between. */
  readonly changes?: readonly FileChange[];
  /** A command of the editor that belongs to it; never run by this port. */
  readonly command?: string;
  /** The reason why it cannot be done now. */
  readonly disabled?: string;
}
