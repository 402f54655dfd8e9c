import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { plural } from '../../../src/domain/text/language.ts';
import {
  cutRows,
  readHunk,
  splitRows,
  type DiffLine,
  type DiffPiece,
} from '../../../src/protocol/diff-lines.ts';
import type { DiffStat } from '../../../src/protocol/view.ts';

const SIGNS = { added: '+', removed: '−', context: ' ', gap: '⋯' } as const;
/** Characters of a row of a stored diff. */
const MAX_ROW_CHARS = 400;
/** Characters that are not worth an ellipsis. */
const MIN_LEAD_CHARS = 4;

interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  readonly label: string;
  /** Lines of the whole change: those that are not shown are counted. */
  readonly of?: Pick<DiffStat, 'added' | 'removed'>;
  /** Each row is one line, cut around what changed, and nothing scrolls. */
  readonly still?: boolean;
  /** It scrolls by itself, so it is a stop of the Tab key; else what it stands in does. */
  readonly scrolls?: boolean;
}

/** A short diff with line numbers; in paired rows the words that differ are marked. */
export function DiffLines({
  lines,
  label,
  of,
  still = false,
  scrolls = !still,
}: DiffLinesProps): ComponentChildren {
  const rows = useMemo(() => splitRows(lines), [lines]);
  const shown = lines.filter(({ kind, end }) => (kind === 'added' || kind === 'removed') && !end);
  const hidden = of === undefined ? 0 : of.added + of.removed - shown.length;
  // A newline at the end counts as a line, and has none.
  const more = shown.length === 0 ? 0 : hidden;
  return (
    <pre
      class={still ? 'diff is-still' : 'diff'}
      tabIndex={scrolls ? 0 : undefined}
      aria-label={label}
    >
      <code>
        {lines.map((line, index) => (
          <span key={index} class={`diff-line is-${line.kind}`}>
            <span class="line-number">{line.line ?? ''}</span>
            <span class="sign">{SIGNS[line.kind]}</span>
            <span class="line-text">
              {line.end ? (
                <i>{l10n.t('No newline at the end')}</i>
              ) : (
                <Pieces pieces={rows[index] ?? []} />
              )}
            </span>
            {'\n'}
          </span>
        ))}
        {more > 0 && (
          <span class="diff-line is-gap">
            <span class="line-number" />
            {plural(more, '+{0} more line', '+{0} more lines')}
          </span>
        )}
      </code>
    </pre>
  );
}

/** The text of a row; where there is no room for all of it, what comes before and after the changed words goes. */
function Pieces({ pieces }: { readonly pieces: readonly DiffPiece[] }): ComponentChildren {
  const isCut = pieces.some(({ changed }) => changed);
  const isLead = isCut && pieces[0]?.changed === false && pieces[0].text.length > MIN_LEAD_CHARS;
  const isTail = isCut && pieces.at(-1)?.changed === false;
  const core = pieces.slice(isLead ? 1 : 0, isTail ? -1 : undefined);
  return (
    <>
      {isLead && (
        <span class="line-lead">
          <bdi>{pieces[0]?.text}</bdi>
        </span>
      )}
      <span class="line-core">
        {core.map(({ text, changed }, index) => (
          <span key={index} class={changed ? 'is-changed' : undefined}>
            {text}
          </span>
        ))}
      </span>
      {isTail && <span class="line-tail">{pieces.at(-1)?.text}</span>}
    </>
  );
}

/** Reads a unified diff; a line that is of no hunk names the file that follows. */
export function parseDiff(diff: string): readonly DiffLine[] {
  const rows: DiffLine[] = [];
  for (const part of diff.split(/^(?=@@ )/mu)) {
    const [head = '', ...others] = part.split('\n');
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(head) ?? [];
    if (from !== undefined && rows.length > 0 && rows.at(-1)?.kind !== 'gap')
      rows.push({ kind: 'gap', text: '', line: null });
    if (from !== undefined) rows.push(...readHunk(others, Number(from), Number(to)));
    for (const text of from === undefined ? [head, ...others] : others)
      if (/^[^+\- \\]/u.test(text)) rows.push({ kind: 'gap', text, line: null });
  }
  return cutRows(rows, MAX_ROW_CHARS);
}
