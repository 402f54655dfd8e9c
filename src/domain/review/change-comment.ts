/** A person's comment on a pending change, as it goes to the agent. */
export interface ChangeComment {
  /** As the agent names files: relative to the workspace folder where it is in one. */
  readonly path: string;
  /** Of the file with the change, 1-based, the last one included; where lines were only taken away, the line after them. */
  readonly from: number;
  readonly to: number;
  /** The change as a unified diff without file names; empty where it is not known any more. */
  readonly diff: string;
  readonly comment: string;
}

/** Lines of a change that go along; a longer one the agent can read in the file. */
const MOST_LINES = 120;

const HEAD =
  /^Comment on your pending change of (?<path>.+), lines? (?<from>\d+)(?: to (?<to>\d+))?:\n\n/u;

/** The message: place, what the person wrote, and the change that it is about. */
export function changeCommentText({ path, from, to, diff, comment }: ChangeComment): string {
  const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  const head = `Comment on your pending change of ${path}, ${lines}:\n\n${comment.trim()}`;
  if (diff === '') return head;
  // Longer than every fence in the change, so that nothing in it ends the block.
  const longest = Math.max(2, ...[...diff.matchAll(/`{3,}/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${head}\n\n${fence}diff\n${diff}\n${fence}`;
}

/** Reads such a message; `undefined`: it is another one, or comes without the change. */
export function readChangeComment(text: string): ChangeComment | undefined {
  const head = HEAD.exec(text);
  const end = diffAtEnd(text);
  if (head === null || end === undefined || end.at < head[0].length) return undefined;
  const { path = '', from = '1', to = from } = head.groups ?? {};
  return {
    path,
    from: Number(from),
    to: Number(to),
    diff: end.diff,
    comment: text.slice(head[0].length, end.at),
  };
}

/** The block that ends a message, and where it begins. */
function diffAtEnd(text: string): { readonly at: number; readonly diff: string } | undefined {
  const end = text.lastIndexOf('\n');
  const fence = text.slice(end + 1);
  if (end === -1 || !/^`{3,}$/u.test(fence)) return undefined;
  const opening = `\n\n${fence}diff\n`;
  const at = text.indexOf(opening);
  const from = at + opening.length;
  return at === -1 || from > end ? undefined : { at, diff: text.slice(from, end) };
}

/** A change as a unified diff of one hunk. Lines are 0-based, as hunks have them. */
export function hunkDiff(hunk: {
  readonly baselineFrom: number;
  readonly documentFrom: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}): string {
  const range = (from: number, lines: number): string =>
    // As `diff` has it: of no lines the one before.
    lines === 0 ? `${from},0` : `${from + 1},${lines}`;
  const lines = [
    ...hunk.removed.map((line) => `-${line}`),
    ...hunk.added.map((line) => `+${line}`),
  ];
  const rest = lines.length - MOST_LINES;
  return [
    `@@ -${range(hunk.baselineFrom, hunk.removed.length)} +${range(hunk.documentFrom, hunk.added.length)} @@`,
    ...lines.slice(0, MOST_LINES),
    ...(rest > 0 ? [`\\ and ${rest} more lines, in the file`] : []),
  ].join('\n');
}
