import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../domain/data/json.ts';
import { shownDisplay } from './tool-details.ts';

/** The effect of a finished edit on a file, for its card: the changed places with lines around them. */
export interface StoredEdit {
  /** As a person reads it. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const HEAD = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/u;

/**
 * The edits of a finished call, file by file; none where it kept no diff. Lines between the changed places
 * are not on record: a line says how many.
 */
export function storedEdits(display: JsonObject | undefined): readonly StoredEdit[] {
  const { change } = shownDisplay(display);
  if (change === undefined || change.diff === '') return [];
  const { path, diff, isCut } = change;
  if (path !== '') return [editFrom(path, diff.split('\n'), isCut)];
  const parts = byFile(diff.split('\n'));
  return parts.map(({ path, lines }, index) =>
    editFrom(path, lines, isCut && index === parts.length - 1),
  );
}

/** Each diff of a patch stands behind a line with its path. */
function byFile(
  lines: readonly string[],
): readonly { readonly path: string; readonly lines: readonly string[] }[] {
  const parts: { path: string; lines: string[] }[] = [];
  for (const [index, line] of lines.entries()) {
    if (HEAD.test(lines[index + 1] ?? '') && !/^[-+ \\@]/u.test(line))
      parts.push({ path: line, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts;
}

function editFrom(path: string, lines: readonly string[], isCut: boolean): StoredEdit {
  const before: string[] = [];
  const after: string[] = [];
  // Lines of the older text that were shown or counted.
  let at = 0;
  const both = (line: string): void => {
    before.push(line);
    after.push(line);
  };
  for (const line of lines) {
    const head = HEAD.exec(line);
    if (head !== null) {
      const from = Number(head[1]) - (Number(head[2]) === 0 ? 0 : 1);
      if (from > at) both(notShown(from - at));
      at = from + Number(head[2]);
    } else if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith('+')) after.push(line.slice(1));
    else if (line.startsWith(' ')) both(line.slice(1));
  }
  if (isCut) both(l10n.t('⋯ the rest of this change is not kept ⋯'));
  return { path, before: before.join('\n'), after: after.join('\n') };
}

function notShown(lines: number): string {
  return `⋯ ${lines} ${lines === 1 ? 'line' : 'lines'} ⋯`;
}
