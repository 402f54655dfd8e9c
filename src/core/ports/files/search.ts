import type { LeftOut } from './left-out.ts';

export interface Search {
  text(request: TextSearchRequest, signal: AbortSignal): Promise<TextSearchResult>;
  /** Numbers of matching lines by file, in the order of the paths; `limit` is one of files. */
  counts(request: TextSearchRequest, signal: AbortSignal): Promise<LineCounts>;
  files(request: FileSearchRequest, signal: AbortSignal): Promise<FileSearchResult>;
}

export interface TextSearchRequest {
  readonly root: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Lines of context on each side. */
  readonly context: number;
  readonly limit: number;
}

export interface TextSearchResult {
  readonly matches: readonly TextMatch[];
  readonly complete: boolean;
  /** Only when nothing was found. */
  readonly leftOut?: LeftOut;
}

export interface TextMatch {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LineCounts {
  readonly files: readonly { readonly path: string; readonly lines: number }[];
  readonly complete: boolean;
  readonly leftOut?: LeftOut;
}

export interface FileSearchRequest {
  readonly root: string;
  /** A glob, or part of a name for a fuzzy match. */
  readonly pattern: string;
  readonly limit: number;
  readonly ordered?: boolean;
  /** When to count what was left out. Absent: never. */
  readonly countLeftOut?: 'always' | 'if_none_found';
}

export interface FileSearchResult {
  readonly paths: readonly string[];
  /** `false`: there are more. */
  readonly complete: boolean;
  /** Counts only what is ignored or cannot be listed. */
  readonly leftOut?: LeftOut;
}
