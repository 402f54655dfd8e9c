import vm from 'node:vm';
import type { TextSearchRequest } from '../../../core/ports.ts';
import { BelayError } from '../../../domain/failure.ts';
import { systemCode } from '../system-failure.ts';

/** Milliseconds that a pattern may spend on one file: a pattern that backtracks for ever would block the host. */
const PATIENCE = 2000;

/** Line (from 0), column and length of a match. */
export type Found = readonly [line: number, column: number, length: number];

const SEARCH = new vm.Script(
  'lines.flatMap((line, index) => { const found = pattern.exec(line); return found === null ? [] : [[index, found.index, found[0].length]]; })',
);

/** Finds the first match of each line. */
export type LineMatcher = (lines: readonly string[]) => readonly Found[];

/**
 * A matcher for the plain scan.
 * @throws BelayError `invalid` for what is not a regular expression, and, when it is used, for one that takes too long
 */
export function lineMatcher(request: TextSearchRequest): LineMatcher {
  const pattern = patternOf(request);
  const quantifiers = request.regex ? (request.pattern.match(/[*+{]/gu)?.length ?? 0) : 0;
  const mayExplode = quantifiers > 1 || (request.regex && /\)[*+{]/u.test(request.pattern));
  if (!mayExplode) {
    return (lines) =>
      lines.flatMap((line, index) => {
        const found = pattern.exec(line);
        return found === null ? [] : [[index, found.index, found[0].length]];
      });
  }
  const world: { lines: readonly string[]; pattern: RegExp } = { lines: [], pattern };
  const context = vm.createContext(world);
  return (lines) => {
    world.lines = lines;
    try {
      return SEARCH.runInContext(context, { timeout: PATIENCE }) as readonly Found[];
    } catch (thrown) {
      if (systemCode(thrown) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
      const message = `The search for ${JSON.stringify(request.pattern)} takes too long: nested repetitions try too many ways. Write it with fewer of them, or search with "regex": false.`;
      throw new BelayError({ code: 'invalid', message }, { cause: thrown });
    }
  };
}

function patternOf({ pattern, regex, caseSensitive }: TextSearchRequest): RegExp {
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  const flags = caseSensitive ? 'u' : 'ui';
  try {
    return new RegExp(source, flags);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const message = `${JSON.stringify(pattern)} is not a regular expression that the search understands: ${reason}. Escape special characters, or search with "regex": false.`;
    throw new BelayError({ code: 'invalid', message }, { cause: thrown });
  }
}
