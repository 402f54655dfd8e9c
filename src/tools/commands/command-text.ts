import * as l10n from '@vscode/l10n';
import { promptIn } from '../../core/background/ready-line.ts';
import type { ShellResult } from '../../core/ports/commands/shell.ts';
import { type Steps, byTurns } from '../../domain/lifetime/steps.ts';
import { cleanByTurns } from '../../domain/text/honest-text.ts';

/** Characters of output that a card shows. */
export const CARD_TAIL = 4000;
/** Share of unreadable characters from which output counts as binary. */
const BINARY_SHARE = 0.1;
/** Characters of the end of an output in which a complaint about missing input is looked for. */
const END = 2000;

/** Words of programs that wanted to ask something and could not. */
const NO_INPUT =
  /\bEOFError\b|EOF when reading a line|not a (?:tty|terminal)|terminal is required|no tty present|inappropriate ioctl for device|terminal prompts disabled|cannot prompt|in non-interactive/iu;

/** An output as the model and the card get it: `total` counts all that was printed. */
export async function shownOutput(output: string, total: number): Promise<string> {
  return isBinary(output)
    ? `[binary output, ${total} characters, not shown]`
    : cleanByTurns(await byTurns(withoutOverwritten(output)));
}

/** Characters of whole lines that are looked at in one step: a few milliseconds. */
const AT_ONCE = 200_000;

/** Leaves out what a progress bar wrote over, as a terminal does. */
function* withoutOverwritten(output: string): Steps<string> {
  if (!output.includes('\r')) return output;
  const done: string[] = [];
  for (let from = 0; from < output.length;) {
    const end = output.indexOf('\n', from + AT_ONCE);
    const to = end === -1 ? output.length : end + 1;
    done.push(output.slice(from, to).split('\n').map(lastWritten).join('\n'));
    from = to;
    yield;
  }
  return done.join('');
}

function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

function isBinary(output: string): boolean {
  const probe = output.slice(0, 4096);
  // oxlint-disable-next-line no-control-regex
  const unreadable = probe.match(/[\u0000-\u0006\u000e-\u001a\u001c-\u001f\ufffd]/gu)?.length ?? 0;
  return unreadable > probe.length * BINARY_SHARE;
}

/** Output and notes as one text. */
export function withNotes(output: string, notes: readonly string[]): string {
  const end = notes.join(' ');
  return output.trim() === '' ? `[no output]\n${end}` : `${output.replace(/\n$/u, '')}\n${end}`;
}

export function endNotes(result: ShellResult, output: string, limit: number): readonly string[] {
  const notes = [ending(result, limit)];
  const input = inputNote(result, output);
  if (input !== undefined) notes.push(input);
  if (result.childrenStopped)
    notes.push(
      'Processes that it had left running were stopped. To keep one running use background: true.',
    );
  if (result.detached !== undefined) {
    const names = result.detached.slice(0, 8).map(({ pid, name }) => `${name} (${pid})`);
    notes.push(
      `Processes that had detached themselves were stopped, too: ${names.join(', ')}. To keep one running use background: true.`,
    );
  }
  return [...notes, ...(result.notes ?? [])];
}

function ending({ exitCode, signal, timedOut }: ShellResult, limit: number): string {
  if (timedOut)
    return `[stopped after ${limit} s, its time limit: give a longer timeout if it needs one, or background: true if it is meant to go on]`;
  if (signal !== undefined) return `[ended by ${signal}]`;
  return `[exit code ${exitCode ?? 'unknown'}]`;
}

/** A command that wanted an answer: what it asked, and how to go on. */
function inputNote(result: ShellResult, output: string): string | undefined {
  if (result.exitCode === 0) return undefined;
  const prompt = promptIn(output);
  if (prompt === undefined && !NO_INPUT.test(output.slice(-END))) return undefined;
  const asked = prompt === undefined ? 'wanted input' : `asked ${JSON.stringify(prompt)}`;
  return `It ${asked} and got no answer, because commands get no input: use a flag that answers (such as --yes), give the input in the command (printf 'y\\n' | …), or run it with background: true and write the answer with background_command.`;
}

/** Names the folder for an approval, unless it is the root of the only workspace folder. */
export const describeFolder = (
  folder: string,
  roots: readonly string[],
): { readonly where?: string } =>
  roots.length === 1 && folder === roots[0] ? {} : { where: l10n.t('In {0}.', folder) };
