/** What an edit changed, for people and for the model. */
export interface EditDiff {
  /** Unified, without file headers. Empty when the texts differ too much to be compared in time. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  /** 1-based, in the new text; absent when nothing was changed. */
  readonly firstLine?: number;
}

const CONTEXT = 3;

/**
 * Milliseconds that the comparison may take, as the host stands still meanwhile; beyond it the
 * changed part counts as replaced as a whole.
 */
const TIMEOUT = 40;
/** Lines of both sides that are always compared in time (measured on a busy machine: 400 different ones in 40 ms). */
const QUICK = 400;

/** Compares two texts by lines. What is the same before and after the change costs next to nothing. */
export async function editDiff(before: string, after: string): Promise<EditDiff> {
  if (before === after) return { text: '', added: 0, removed: 0 };
  const [left, right] = [linesOf(before), linesOf(after)];
  const start = commonStart(left, right);
  const end = commonEnd(left, right, start);
  const firstLine = Math.min(start + 1, Math.max(1, right.length));
  const removed = left.length - end - start;
  const added = right.length - end - start;
  const hunks = await hunksOf(left, right, { start, end });
  if (hunks === undefined) return { text: '', added, removed, firstLine };
  const changed = hunks.flatMap((hunk) => hunk.lines);
  return {
    text: hunks.flatMap((hunk) => [headOf(hunk), ...hunk.lines]).join('\n'),
    added: changed.filter((line) => line.startsWith('+')).length,
    removed: changed.filter((line) => line.startsWith('-')).length,
    firstLine,
  };
}

interface Hunk {
  /** 1-based. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

/** What is the same at the start and at the end, in lines. */
interface Same {
  readonly start: number;
  readonly end: number;
}

/** `undefined`: the middle could not be compared in time. */
async function hunksOf(
  left: readonly string[],
  right: readonly string[],
  { start, end }: Same,
): Promise<readonly Hunk[] | undefined> {
  const from = Math.max(0, start - CONTEXT);
  const kept = Math.max(0, end - CONTEXT);
  const oldPart = left.slice(from, left.length - kept);
  const newPart = right.slice(from, right.length - kept);
  if (start + end === left.length || start + end === right.length) {
    // Only added or only taken away: there is nothing to compare.
    const lines = [
      ...left.slice(from, start).flatMap((line) => marked(' ', line)),
      ...left.slice(start, left.length - end).flatMap((line) => marked('-', line)),
      ...right.slice(start, right.length - end).flatMap((line) => marked('+', line)),
      ...left.slice(left.length - end, left.length - kept).flatMap((line) => marked(' ', line)),
    ];
    const [oldLines, newLines] = [oldPart.length, newPart.length];
    return [{ oldStart: from + 1, oldLines, newStart: from + 1, newLines, lines }];
  }
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', oldPart.join(''), newPart.join(''), '', '', {
    context: CONTEXT,
    ...(oldPart.length + newPart.length > QUICK ? { timeout: TIMEOUT } : {}),
  });
  return patch?.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + from,
    newStart: hunk.newStart + from,
    lines: hunk.lines.map((line) => line.replace(/\r$/u, '')),
  }));
}

/** Where one side has no lines, its start is the line before. */
function headOf({ oldStart, oldLines, newStart, newLines }: Hunk): string {
  const before = oldLines === 0 ? oldStart - 1 : oldStart;
  const after = newLines === 0 ? newStart - 1 : newStart;
  return `@@ -${before},${oldLines} +${after},${newLines} @@`;
}

function marked(mark: string, line: string): readonly string[] {
  const text = `${mark}${line.replace(/\r?\n$/u, '')}`;
  return line.endsWith('\n') ? [text] : [text, '\\ No newline at end of file'];
}

/** Each with its line end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < Math.min(left.length, right.length) && left[count] === right[count]) count += 1;
  return count;
}

function commonEnd(left: readonly string[], right: readonly string[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
}
