import { readFileSync, statSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { TextMatch } from '../../../core/ports/files/search.ts';
import { type LineMatcher, type LinePattern, lineMatcher } from './line-matcher.ts';
import { matchesIn, searchedLines } from './searched-lines.ts';
import { LARGEST_SEARCHED } from './search-rules.ts';

/** A file to look into; with a text, that stands in for what is on disk. */
export interface SearchedFile {
  readonly path: string;
  readonly text?: string;
}

/** The entry point of the thread that looks for a pattern in files; however long that takes, it takes it here. */
export interface LineQuestion {
  readonly pattern: LinePattern;
  /** Lines around a match; absent: only their number is wanted. */
  readonly context?: number;
  readonly files: readonly SearchedFile[];
}

export interface FoundLines {
  readonly path: string;
  readonly lines: number;
  readonly matches: readonly TextMatch[];
}

/** Files with matches, in the order of the question. */
export type LineAnswer = readonly FoundLines[];

function answer({ pattern, context, files }: LineQuestion): LineAnswer {
  const matcher = lineMatcher(pattern);
  return files.flatMap((file) => lookedInto(file, matcher, context) ?? []);
}

function lookedInto(
  { path, text }: SearchedFile,
  matcher: LineMatcher,
  context: number | undefined,
): FoundLines | undefined {
  const content = text ?? contentOf(path);
  if (content === undefined) return undefined;
  const lines = searchedLines(content);
  if (context === undefined) return { path, lines: matcher(lines).length, matches: [] };
  const matches = matchesIn(path, lines, matcher, context);
  return { path, lines: matches.length, matches };
}

/** None of what is binary, too large or not to be read. */
function contentOf(file: string): string | undefined {
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (size === undefined || size > LARGEST_SEARCHED) return undefined;
    const content = readFileSync(file);
    return content.subarray(0, 65_536).includes(0) ? undefined : content.toString('utf8');
  } catch {
    return undefined;
  }
}

const port = parentPort;
port?.on('message', (question: LineQuestion) => port.postMessage(answer(question)));
