/**
 * What the card of a tool call shows beside its result: `ToolResultPart.display`, by `kind`.
 * Type aliases, not interfaces, so that they are plain JSON. Paths are as a person reads them:
 * relative to the workspace where they lie in it.
 */
export type ToolDisplay =
  | ReadDisplay
  | ListDisplay
  | FilesDisplay
  | MatchesDisplay
  | EditDisplay
  | PatchDisplay
  | CommandDisplay
  | BackgroundDisplay
  | BackgroundListDisplay
  | TestsDisplay
  | TaskDisplay
  | AnswerDisplay
  | PageDisplay
  | ManageDisplay
  | TodoDisplay
  | PageReadDisplay
  | ProblemsDisplay
  | PlacesDisplay
  | SymbolsDisplay
  | CellDisplay
  | ActionsDisplay
  | GitDisplay;

/** `read_file` */
export type ReadDisplay = {
  readonly kind: 'read';
  readonly files: readonly {
    readonly path: string;
    /** 1-based, inclusive; absent for images. */
    readonly from?: number;
    readonly to?: number;
    /** Lines of the whole file, where they were counted. */
    readonly lines?: number;
    /** Of a PDF file. */
    readonly pages?: { readonly from: number; readonly to: number; readonly total: number };
    /** Why this one of several could not be read. */
    readonly problem?: string;
  }[];
};

/** `list_files` */
export type ListDisplay = {
  readonly kind: 'list';
  readonly path: string;
  readonly files: number;
  /** `false`: there are more. */
  readonly complete: boolean;
};

/** `find_files` */
export type FilesDisplay = {
  readonly kind: 'files';
  readonly pattern: string;
  readonly count: number;
  readonly complete: boolean;
};

/** `search_text` */
export type MatchesDisplay = {
  readonly kind: 'matches';
  readonly pattern: string;
  readonly matches: number;
  readonly files: number;
  readonly complete: boolean;
};

/** `edit_file`, `write_file` */
export type EditDisplay = {
  readonly kind: 'edit';
  readonly path: string;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  readonly created: boolean;
  /** Nothing of it is on disk before the person accepts it. */
  readonly proposed?: boolean;
  /** The person changed the proposal before accepting it. */
  readonly changedByPerson: boolean;
  /** Edits of the call that did not fit and were left out; absent: none. */
  readonly left?: number;
  /** The file had changed since the model read it: the edit was merged with what was there. */
  readonly merged?: boolean;
  /** Unified diff without file headers, at most 20,000 characters. */
  readonly diff: string;
  readonly diffCut: boolean;
};

/** `apply_patch`, and `rename_symbol` and `apply_code_action` in several files. */
export type PatchDisplay = {
  readonly kind: 'patch';
  readonly files: readonly {
    /** Where it is now. */
    readonly path: string;
    readonly action: 'add' | 'edit' | 'delete' | 'move';
    /** Lines. */
    readonly added: number;
    readonly removed: number;
    /** Why it was left out. */
    readonly problem?: string;
  }[];
  /** Nothing of it is on disk before the person accepts it. */
  readonly proposed?: boolean;
  /** Hunks and files that did not fit. */
  readonly left: number;
  /** Unified diffs, each after a line with its path; at most 20,000 characters. */
  readonly diff: string;
  readonly diffCut: boolean;
};

/** `run_command` */
export type CommandDisplay = {
  readonly kind: 'command';
  readonly command: string;
  readonly cwd: string;
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  /** The last lines of the output, at most 4,000 characters; the whole is the result's content. */
  readonly tail: string;
  /** Characters of the whole output. */
  readonly total: number;
};

/** `run_command` in the background, `background_command`: what was known when the call ended. */
export type BackgroundDisplay = {
  readonly kind: 'background';
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** The panel asks the window whether it still runs. */
  readonly running: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last characters of the output, at most 4,000. */
  readonly tail: string;
  readonly total: number;
};

/** `run_tests` */
export type TestsDisplay = {
  readonly kind: 'tests';
  readonly command: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  /** Absent, all three, when the output had no counts. */
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** The last characters of the output, at most 4,000. */
  readonly tail: string;
};

/** `run_task`; without `task`: the list of them. */
export type TaskDisplay = {
  readonly kind: 'task';
  readonly task?: string;
  readonly exitCode?: number;
  /** Problems that its matchers found; of a list: the tasks. */
  readonly count: number;
  /** It goes on: a task that watches. */
  readonly running: boolean;
};

/** `background_command` with `list` */
export type BackgroundListDisplay = {
  readonly kind: 'background_list';
  readonly running: number;
  readonly count: number;
};

/** `ask_human`: every question of the call, in its order. */
export type AnswerDisplay = {
  readonly kind: 'answer';
  readonly answers: readonly {
    readonly question: string;
    readonly choices: readonly string[];
    readonly answer: string;
  }[];
};

/** `read_result` */
export type PageDisplay = {
  readonly kind: 'page';
  readonly resultId: string;
  readonly offset: number;
  readonly length: number;
  readonly total: number;
};

/** `todo` */
export type TodoDisplay = {
  readonly kind: 'todo';
  readonly done: number;
  readonly total: number;
};

/** `fetch_url` */
export type PageReadDisplay = {
  readonly kind: 'page_read';
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  /** Of the readable text; the model may have read less. */
  readonly characters: number;
};

/** `manage_files`, with what takes each operation back: it is done in the opposite order. */
export type ManageDisplay = {
  readonly kind: 'manage';
  /** "2 of 3 done" */
  readonly note: string;
  readonly operations: readonly {
    readonly kind: 'create_folder' | 'rename' | 'copy' | 'delete';
    readonly path: string;
    /** Where it was moved or copied to. */
    readonly to?: string;
    /** Why it was not done; without it, it was. */
    readonly problem?: string;
    /** Where a deleted thing is now: the system's trash, or an absolute path in Belay's own folder. */
    readonly kept?: string;
    /** Folders that were made for it, absolute, the outermost first. */
    readonly created?: readonly string[];
  }[];
};

/** `diagnostics` */
export type ProblemsDisplay = {
  readonly kind: 'problems';
  readonly errors: number;
  readonly warnings: number;
  /** Notes and hints. */
  readonly others: number;
  readonly files: number;
};

/** `inspect_symbol` */
export type PlacesDisplay = {
  readonly kind: 'places';
  /** `references`, `hover` … */
  readonly what: string;
  readonly symbol: string;
  readonly places: number;
  readonly files: number;
};

/** `find_symbol` */
export type SymbolsDisplay = {
  readonly kind: 'symbols';
  readonly query: string;
  readonly count: number;
  readonly complete: boolean;
};

/** `list_code_actions` */
export type ActionsDisplay = { readonly kind: 'actions'; readonly count: number };
/** `git` */
export type GitDisplay = {
  readonly kind: 'git';
  readonly action: string;
  readonly ref?: string;
  /** Of the output. */
  readonly lines: number;
  /** There is more of it. */
  readonly cut: boolean;
};

/** `run_notebook_cell` */
export type CellDisplay = {
  readonly kind: 'cell';
  readonly path: string;
  readonly cell: number;
  readonly success: boolean;
  readonly outputs: number;
  readonly images: number;
};
