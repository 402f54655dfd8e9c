import { textOf, toolCallsOf, toolResultsOf, type Message } from '../../../domain/message.ts';
import { canonicalJson } from '../../../domain/data/json.ts';
import { shorten } from './shorten.ts';

const MOST_CALLS = 40;
const MOST_TEXTS = 8;
const TEXT_CHARACTERS = 400;
const ARGUMENT_CHARACTERS = 120;
/** Share of the text that an earlier summary may take. */
const EARLIER_SHARE = 0.4;

/** Files that calls changed or results named, in the order they came up. */
function filesIn(messages: readonly Message[]): string[] {
  const files = new Set<string>();
  for (const message of messages) {
    for (const call of toolCallsOf(message)) {
      if (typeof call.input['path'] === 'string') files.add(call.input['path']);
    }
    for (const result of toolResultsOf(message)) {
      for (const file of result.files ?? []) files.add(file.path);
    }
  }
  return [...files];
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}\n${items.map((item) => `- ${item}`).join('\n')}`;
}

/** A summary without a model (C3): last words, calls and their ends, files. Deterministic. */
export function truncationOf(
  messages: readonly Message[],
  earlier: string | undefined,
  limit: number,
): string {
  const states = new Map<string, string>();
  for (const message of messages) {
    for (const result of toolResultsOf(message)) states.set(result.callId, result.state);
  }
  const calls = messages
    .flatMap(toolCallsOf)
    .map(
      (call) =>
        `${call.name} ${shorten(canonicalJson(call.input), ARGUMENT_CHARACTERS).replace(/\s+/gu, ' ')}: ${states.get(call.id) ?? 'no result'}`,
    );
  const said = messages
    .filter((message) => message.role === 'assistant')
    .map((message) => shorten(textOf(message).trim(), TEXT_CHARACTERS))
    .filter((text) => text !== '');
  const sections = [
    earlier === undefined
      ? ''
      : `Before that:\n${shorten(earlier, Math.floor(limit * EARLIER_SHARE))}`,
    list('What the assistant said, newest last:', said.slice(-MOST_TEXTS)),
    list('Files that came up:', filesIn(messages).slice(-MOST_CALLS)),
    list(
      calls.length > MOST_CALLS
        ? `Tool calls, the last ${MOST_CALLS} of ${calls.length}:`
        : 'Tool calls:',
      calls.slice(-MOST_CALLS),
    ),
  ];
  const text = sections.filter((section) => section !== '').join('\n\n');
  return shorten(text === '' ? 'Nothing of note happened.' : text, limit);
}
