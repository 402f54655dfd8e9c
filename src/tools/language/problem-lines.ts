import type { Problem, Severity } from '../../core/ports/editor/language.ts';
import { shownPath } from '../workspace-path.ts';
import type { SourceLines } from './symbols/source-lines.ts';
import { filledLines } from '../../domain/text/text-end.ts';

/** Characters kept of one message. */
const LONGEST_MESSAGE = 500;

/** "2 errors and 1 warning". */
export function countsOf(problems: readonly Pick<Problem, 'severity'>[]): string {
  const named: readonly (readonly [Severity, string])[] = [
    ['error', 'error'],
    ['warning', 'warning'],
    ['information', 'note'],
    ['hint', 'hint'],
  ];
  const counts = named.flatMap(([severity, word]) => {
    const count = problems.filter((problem) => problem.severity === severity).length;
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'no problems' : counts.join(', ').replace(/, (?=[^,]*$)/u, ' and ');
}

/** One heading a file, then each problem with its source line. */
export async function problemLines(
  problems: readonly Problem[],
  lines: SourceLines,
  roots: readonly string[],
): Promise<string> {
  const files = new Map<string, Problem[]>();
  for (const problem of problems)
    files.set(problem.path, [...(files.get(problem.path) ?? []), problem]);
  const blocks = await Promise.all(
    [...files].map(async ([path, found]) => {
      const rows = await Promise.all(
        found.map(async (problem) => {
          const [source = ''] = await lines.at(path, problem.line);
          const quoted = source.trim() === '' ? '' : `\n    ${source.trim()}`;
          return `  ${problem.line}:${problem.column} ${said(problem)}${quoted}`;
        }),
      );
      return [shownPath(path, roots), ...rows].join('\n');
    }),
  );
  return blocks.join('\n');
}

function said({ severity, source, code, message }: Problem): string {
  const by = [source, code].filter((part) => part !== '').join(' ');
  const text = filledLines(message).join(' · ');
  const cut = text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
  return `${severity}${by === '' ? '' : ` [${by}]`} ${cut}`;
}
