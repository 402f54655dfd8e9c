import type { ChangeTestRun, CheckedFile } from '../../../domain/review/evidence.ts';
import type { JsonObject } from '../../../domain/data/json.ts';
import { isBeside, type Message, type ToolResultPart } from '../../../domain/message.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { checkedIn } from './checked-files.ts';

/** Characters of what the model said before a call: its end; and of a request: its beginning. */
const MAX_SAID_CHARS = 300;
const MAX_REQUEST_CHARS = 160;

/** A run of tests as a session's record has it. */
export interface TestFact extends Omit<ChangeTestRun, 'covers'> {
  /** The order of the calls of a session; those that change something never overlap. */
  readonly position: number;
}

/** A call: its place, and the words before it. */
export interface CallFact {
  readonly position: number;
  readonly said: string;
}

export interface CheckFact {
  readonly callId: string;
  readonly file: CheckedFile;
}

/** A message as far as it is evidence; results of tools are not kept. */
export interface Note {
  readonly seq: number;
  readonly calls: readonly { readonly callId: string; readonly said: string }[];
  /** Words behind the last call, for the calls of the messages that follow. */
  readonly said: string;
  /** A message of the person: nothing that was said before is about what follows. */
  readonly request: { readonly id: string; readonly text: string } | undefined;
  readonly checks: readonly { readonly callId: string; readonly file: CheckedFile }[];
  readonly tests: readonly Omit<TestFact, 'position'>[];
}

/** Everything that the messages of a session say about its changes. */
export interface SessionFacts {
  readonly calls: ReadonlyMap<string, CallFact>;
  /** By path, oldest first. */
  readonly checks: ReadonlyMap<string, readonly CheckFact[]>;
  /** Oldest first. */
  readonly tests: readonly TestFact[];
  /** How messages of the person begin, by their ids. */
  readonly requests: ReadonlyMap<string, string>;
}

/** @param startedAt when a call began; `undefined`: it is not on record */
export function noteOf(message: Message, startedAt: (callId: string) => number | undefined): Note {
  const calls: { callId: string; said: string }[] = [];
  let said = '';
  const results: ToolResultPart[] = [];
  for (const part of message.parts) {
    if (part.type === 'text' && message.role === 'assistant') said = endOf(part.text) || said;
    if (part.type === 'tool_call') calls.push({ callId: part.id, said });
    if (part.type === 'tool_result') results.push(part);
  }
  const isRequest = message.role === 'user' && !isBeside(message);
  return {
    seq: message.seq,
    calls,
    said,
    request: isRequest ? { id: message.id, text: beginOf(message) } : undefined,
    checks: results.flatMap(({ callId, display }) =>
      checkedIn(display).map((file) => ({ callId, file })),
    ),
    tests: results.flatMap((result) =>
      testRunIn(result, startedAt(result.callId) ?? message.createdAt - (result.elapsedMs ?? 0)),
    ),
  };
}

/** @param notes in the order of the session */
export function factsOf(notes: readonly Note[]): SessionFacts {
  const calls = new Map<string, CallFact>();
  const checks = new Map<string, CheckFact[]>();
  const tests: TestFact[] = [];
  const requests = new Map<string, string>();
  let said = '';
  for (const note of notes) {
    if (note.request !== undefined) {
      requests.set(note.request.id, note.request.text);
      said = '';
    }
    for (const call of note.calls) {
      said = call.said || said;
      calls.set(call.callId, { position: calls.size, said });
    }
    said = note.said || said;
    for (const check of note.checks) {
      const known = checks.get(check.file.path) ?? [];
      checks.set(check.file.path, known);
      known.push(check);
    }
    for (const test of note.tests)
      tests.push({ ...test, position: calls.get(test.callId)?.position ?? -Infinity });
  }
  return { calls, checks, tests, requests };
}

/** The last paragraph, in one line. */
function endOf(text: string): string {
  const last = text
    .split(/\n\s*\n/u)
    .map((paragraph) => paragraph.replaceAll(/\s+/gu, ' ').trim())
    .findLast((paragraph) => /\p{L}/u.test(paragraph));
  const line = makeVisible(last ?? '');
  return line.length <= MAX_SAID_CHARS ? line : `…${line.slice(1 - MAX_SAID_CHARS)}`;
}

function beginOf({ parts }: Message): string {
  const text = parts.flatMap((part) =>
    part.type === 'text' && part.mention === undefined ? [part.text] : [],
  );
  return makeVisible(text.join('').replaceAll(/\s+/gu, ' ').trim().slice(0, MAX_REQUEST_CHARS));
}

/** True when a result is of a call that ran tests. */
export function isTestRun({ name, display }: ToolResultPart): boolean {
  if (name === 'run_tests') return display?.['kind'] === 'tests';
  return (
    name === 'run_command' && display?.['kind'] === 'command' && display['tests'] !== undefined
  );
}

function testRunIn(result: ToolResultPart, at: number): readonly Omit<TestFact, 'position'>[] {
  const { callId, display = {} } = result;
  if (!isTestRun(result)) return [];
  const command = display['command'];
  const counts = {
    ...counted(display, 'exitCode'),
    ...counted(display, 'passed'),
    ...counted(display, 'failed'),
    ...counted(display, 'skipped'),
  };
  const run = {
    callId,
    command: typeof command === 'string' ? command : result.name,
    at,
    timedOut: display['timedOut'] === true,
    hidden: display['tests'] === 'hidden',
    ...counts,
  };
  return [{ ...run, result: resultOf(run) }];
}

function counted<Key extends string>(
  display: JsonObject,
  key: Key,
): { readonly [K in Key]?: number } {
  const value = display[key];
  return typeof value === 'number' ? ({ [key]: value } as { readonly [K in Key]: number }) : {};
}

/** Passed only with what proves it: a test was counted, none failed, and it ended well by its own exit code. */
function resultOf(
  run: Pick<TestFact, 'timedOut' | 'hidden' | 'exitCode' | 'passed' | 'failed'>,
): ChangeTestRun['result'] {
  const { timedOut, hidden, exitCode, passed = 0, failed = 0 } = run;
  if (failed > 0 || timedOut || exitCode === undefined) return 'failed';
  if (hidden) return 'unclear';
  if (exitCode !== 0) return 'failed';
  return passed > 0 ? 'passed' : 'unclear';
}
