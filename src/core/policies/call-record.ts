import { type JsonObject, canonicalJson } from '../../domain/data/json.ts';
import {
  toolCallsOf,
  toolResultsOf,
  type Message,
  type ToolCallPart,
  type ToolResultPart,
} from '../../domain/message.ts';
import type { CallRecord } from '../policy.ts';
import { fingerprint } from '../context/fingerprint.ts';
import { plainCommand } from './plain-command.ts';

/** Calls a policy sees; `TurnView.calls` is at most this long. */
export const MOST_CALLS = 50;

/** A result's hash, files included: two searches without a match are the same finding. */
function resultHash(result: ToolResultPart): string {
  if (foundNothing(result)) return fingerprint('nothing found');
  const content = result.content.map((part) =>
    part.type === 'text' ? part.text : `${part.mediaType} ${part.data}`,
  );
  const files = (result.files ?? []).map((file) => `${file.path}:${file.line ?? 0}`);
  return fingerprint(JSON.stringify([content, files]));
}

/** A search without a match, whose text names what was looked for. */
function foundNothing({ state, display }: ToolResultPart): boolean {
  if (state !== 'done') return false;
  return (
    (display?.['kind'] === 'matches' && display['matches'] === 0) ||
    (display?.['kind'] === 'files' && display['count'] === 0)
  );
}

/** The arguments as policies compare them: a command that is only written otherwise is the same. */
function comparedArgs(input: JsonObject): string {
  const { command } = input;
  return canonicalJson(
    typeof command === 'string' ? { ...input, command: plainCommand(command) } : input,
  );
}

/** Makes the record of one finished call for the policies (C2). */
export function callRecord(
  call: ToolCallPart,
  result: ToolResultPart,
  idempotent: boolean,
  iteration: number,
): CallRecord {
  return {
    callId: call.id,
    name: call.name,
    args: call.invalid === undefined ? comparedArgs(call.input) : call.invalid.raw,
    idempotent,
    state: result.state,
    resultHash: resultHash(result),
    iteration,
  };
}

/** The records of a run so far, from its stored messages: what a resumed run starts with. */
export function callRecordsOf(
  messages: readonly Message[],
  runId: string,
  isIdempotent: (tool: string) => boolean,
): CallRecord[] {
  const results = new Map<string, ToolResultPart>();
  for (const message of messages) {
    for (const result of toolResultsOf(message)) results.set(result.callId, result);
  }
  const records: CallRecord[] = [];
  let iteration = 0;
  for (const message of messages) {
    if (message.runId !== runId || message.role !== 'assistant') continue;
    iteration += 1;
    for (const call of toolCallsOf(message)) {
      const result = results.get(call.id);
      if (result !== undefined)
        records.push(callRecord(call, result, isIdempotent(call.name), iteration));
    }
  }
  return records.slice(-MOST_CALLS);
}
