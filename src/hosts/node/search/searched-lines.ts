import type { TextMatch } from '../../../core/ports/files/search.ts';
import { globMatcher } from './file-names.ts';
import type { LineMatcher } from './line-matcher.ts';
import { shownLine } from './matched-line.ts';

/** The lines of a text as a search counts them: what the last line end ends is no line of its own. */
export function searchedLines(text: string): readonly string[] {
  const lines = text.replace(/^\ufeff/u, '').split(/\r?\n/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export function matchesIn(
  file: string,
  lines: readonly string[],
  matcher: LineMatcher,
  context: number,
): readonly TextMatch[] {
  const around = (from: number, to: number): string[] =>
    lines.slice(Math.max(0, from), to).map((text) => shownLine(text));
  return matcher(lines).map(([line, column, length]) => ({
    path: file,
    line: line + 1,
    text: shownLine(lines[line] ?? '', column, column + length),
    before: around(line - context, line),
    after: around(line + 1, line + 1 + context),
  }));
}

export function matcherOf(globs: readonly string[]): (below: string) => boolean {
  const matchers = globs.map((glob) => globMatcher(glob.replace(/^!+/u, '')));
  return (below) => matchers.some((matches) => matches(below));
}
