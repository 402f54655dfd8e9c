import type { ComponentChildren, RefObject } from 'preact';
import type { DiffLine } from '../../../src/protocol/view.ts';

const SIGNS = { added: '+', removed: '−', context: ' ', gap: '⋯' } as const;

interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  readonly label: string;
  /** It does not scroll, so the keyboard has nothing to do there. */
  readonly still?: boolean;
  /** Gets the element that is as high as all lines. */
  readonly content?: RefObject<HTMLElement | null>;
}

/** A short diff with line numbers. */
export function DiffLines({
  lines,
  label,
  still = false,
  content,
}: DiffLinesProps): ComponentChildren {
  return (
    <pre class="diff" tabIndex={still ? undefined : 0} aria-label={label}>
      <code class="read-content" ref={content ?? null}>
        {lines.map((line, index) => (
          <span key={index} class={`diff-line is-${line.kind}`}>
            <span class="line-number">{line.line ?? ''}</span>
            <span class="sign">{SIGNS[line.kind]}</span>
            <span class="line-text">{line.text}</span>
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  );
}

/** Reads a unified diff; a line that is of no hunk names the file that follows. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(line);
    const text = line.slice(1);
    if (hunk !== null) {
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      const last = lines.at(-1);
      if (last !== undefined && last.kind !== 'gap')
        lines.push({ kind: 'gap', text: '', line: null });
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'added', text, line: newLine });
      newLine += 1;
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text, line: oldLine });
      oldLine += 1;
    } else if (line.startsWith(' ')) {
      lines.push({ kind: 'context', text, line: newLine });
      oldLine += 1;
      newLine += 1;
    } else if (line !== '' && !line.startsWith('\\')) {
      lines.push({ kind: 'gap', text: line, line: null });
    }
  }
  return lines;
}
