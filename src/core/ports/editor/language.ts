/**
 * What the language servers of an editor know of the code. Only an editor can implement it: where there
 * is none the port is absent, and with it its tools (E11).
 *
 * Lines and columns are 1-based, columns count UTF-16 code units. Paths are absolute. Every method fails
 * with `BelayError` code `not_found` when a file is not there, and with `AbortError` when the signal fires.
 */
export interface Language {
  /** What is wrong with the files, as they are now. Without `paths`: everything that is known already. */
  problems(request: ProblemRequest, signal: AbortSignal): Promise<ProblemReport>;
  /** The declarations of a file, in the order of the text. Empty: none, or nobody knows this language. */
  outline(path: string, signal: AbortSignal): Promise<readonly Declaration[]>;
  /** Declarations of the whole workspace whose names contain the query, loosely. */
  symbols(query: string, signal: AbortSignal): Promise<readonly Declaration[]>;
  /** How the symbol at a place is connected with others. Empty: not at all, or there is no symbol. */
  related(relation: Relation, place: Place, signal: AbortSignal): Promise<readonly Related[]>;
  /** What an editor shows when the mouse rests there, as Markdown. Empty: nothing. */
  hover(place: Place, signal: AbortSignal): Promise<string>;
  /** The changes that give a symbol another name. @throws BelayError `invalid` when it cannot be renamed, with the reason. */
  rename(place: Place, newName: string, signal: AbortSignal): Promise<readonly FileChange[]>;
  /** What the editor offers to do at a place: quick fixes, refactorings, source actions. */
  actions(request: ActionRequest, signal: AbortSignal): Promise<readonly CodeAction[]>;
  /** Whether an installed extension says that it serves the language of a file; and the language's name. */
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
  /** Who says so: `ts`, `eslint`; empty when unknown. */
  readonly source: string;
  /** Empty when there is none. */
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
  /** What it stands in; empty at the top. */
  readonly container: string;
  /** How deep it stands in an outline; 0 at the top. */
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
  /** The other symbol, for callers and callees. */
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
  /** Empty when it has none. */
  readonly kind: string;
  readonly preferred: boolean;
  /** What it would change; absent when it only runs a command, or asks the person in between. */
  readonly changes?: readonly FileChange[];
  /** A command of the editor that belongs to it; never run by this port. */
  readonly command?: string;
  /** Why it cannot be done now. */
  readonly disabled?: string;
}
