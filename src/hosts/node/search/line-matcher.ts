import type { TextSearchRequest } from '../../../core/ports/files/search.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';

/** The pattern for each line. */
export type LinePattern = Pick<TextSearchRequest, 'pattern' | 'regex' | 'caseSensitive'>;

/** Line (from 0), column and length of a match. */
type Found = readonly [line: number, column: number, length: number];

/** Finds the first match of each line. */
export type LineMatcher = (lines: readonly string[]) => readonly Found[];

/** A matcher for the plain scan, unbounded in time: for a thread. Fails with `invalid`. */
export function lineMatcher(request: LinePattern): LineMatcher {
  const pattern = patternOf(request);
  return (lines) =>
    lines.flatMap((line, index) => {
      const found = pattern.exec(line);
      return found === null ? [] : [[index, found.index, found[0].length]];
    });
}

function patternOf({ pattern, regex, caseSensitive }: LinePattern): RegExp {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  const flags = caseSensitive ? 'u' : 'ui';
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const message = told`${JSON.stringify(pattern)} is not a regular expression that the search understands: ${reason}. Escape special characters, or search with "regex": false.`;
    throw fault('invalid', message, { cause: thrown });
  }
}
