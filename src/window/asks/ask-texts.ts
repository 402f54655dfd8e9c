import { cleanText } from '../../domain/text/honest-text.ts';
import { withoutEnd } from '../../domain/text/text-end.ts';

/** A problem that a language server or a checker has told of. */
export interface ToldProblem {
  /** Of its first line, 1-based. */
  readonly line: number;
  readonly message: string;
  /** `ts 2345`; empty: not told. */
  readonly rule: string;
}

/** A test that failed. */
export interface FailedTest {
  readonly name: string;
  /** As people call the file, with its line where it is known; empty: not told. */
  readonly place: string;
  /** Of the runner; empty: not told. */
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** Problems in one message, and characters of what each says: it is text of strangers. */
const MOST_PROBLEMS = 20;
const LONGEST = 1000;
/** Characters of what a test runner says, and of a text that is quoted. */
const LONGEST_FAILURE = 6000;
const LONGEST_QUOTE = 20_000;

/** Messages of the person that menus and code actions make; models read them, so they are English. */
export function fixText(place: string, problems: readonly ToldProblem[]): string {
  if (problems.length === 0)
    return `Look at ${place} and fix what is wrong there. The cause may be elsewhere.`;
  const what = problems.length === 1 ? 'this problem' : 'these problems';
  return `Fix ${what} in ${place}:\n\n${listed(problems)}`;
}

export function explainText(place: string, problems: readonly ToldProblem[]): string {
  if (problems.length === 0)
    return `Explain ${place}: what it does, why, and what to watch out for.`;
  const what = problems.length === 1 ? 'this problem' : 'these problems';
  return `Explain ${what} in ${place}: what it means, where it comes from, and how it could be fixed. Change nothing.\n\n${listed(problems)}`;
}

export function fixTestText({ name, place, message, expected, actual }: FailedTest): string {
  const where = place === '' ? '' : ` (${place})`;
  const said = [
    ...(message === '' ? [] : [message]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(actual === undefined ? [] : [`actual: ${actual}`]),
  ].join('\n');
  const head = `The test “${name}”${where} fails. Find out why and fix the cause; change the test itself only where it is wrong. Run it when you are done.`;
  return said === '' ? cleanText(head) : `${cleanText(head)}\n\n${fenced(said, LONGEST_FAILURE)}`;
}

/** @param file as people call it; absent: everything that is not committed */
export function reviewText(file?: string): string {
  const what = file === undefined ? 'my uncommitted changes' : `my uncommitted changes of ${file}`;
  return `Review ${what} as a careful colleague would: bugs, cases that are not handled, what is unsafe, what tests miss, and what is hard to read. Name file and line, the worst first; say plainly where you are not sure. Change nothing.`;
}

export function selectedOutputText(terminal: string, output: string): string {
  return `From the terminal “${cleanText(terminal)}”:\n\n${quotedText(output)}`;
}

/** A text of somebody else in a message of the person. */
export const quotedText = (text: string): string => fenced(text, LONGEST_QUOTE);

function listed(problems: readonly ToldProblem[]): string {
  const lines = problems.slice(0, MOST_PROBLEMS).map(({ line, message, rule }) => {
    const said = bounded(cleanText(message), LONGEST).replaceAll('\n', '\n  ');
    return `- line ${line}: ${said}${rule === '' ? '' : ` (${cleanText(rule)})`}`;
  });
  const rest = problems.length - lines.length;
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

/** A block that nothing in it ends. */
function fenced(text: string, longest: number): string {
  const inside = bounded(cleanText(text), longest);
  const ticks = [...inside.matchAll(/`{3,}/gu)].map(([found]) => found.length);
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `${fence}\n${withoutEnd(inside, '\n')}\n${fence}`;
}

/** The middle of a text that is too long is left out. */
function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[${left} characters left out]\n${text.slice(-half)}`.toWellFormed();
}
