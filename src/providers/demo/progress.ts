import { resultText } from '../../core/tool-call/result.ts';
import { isRequest } from '../../core/context/window.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import {
  toolCallsOf,
  toolResultsOf,
  type Message,
  type ToolResultState,
} from '../../domain/message.ts';

export interface Done {
  readonly name: string;
  readonly input: JsonObject;
  readonly state: ToolResultState;
  readonly text: string;
}

/** The conversation's state. The demo model keeps none: all of it is in the messages. */
export interface Progress {
  readonly request: string;
  /** The calls since then, in order. */
  readonly done: readonly Done[];
}

export function progressOf(messages: readonly Message[]): Progress {
  const start = messages.findLastIndex(isRequest);
  const part = messages[start]?.parts.find((one) => one.type === 'text');
  const results = new Map<string, { readonly state: ToolResultState; readonly text: string }>();
  for (const message of messages.slice(start + 1)) {
    for (const result of toolResultsOf(message)) {
      results.set(result.callId, { state: result.state, text: resultText(result) });
    }
  }
  const done = messages
    .slice(start + 1)
    .flatMap(toolCallsOf)
    .flatMap(({ id, name, input }): Done[] => {
      const result = results.get(id);
      return result === undefined ? [] : [{ name, input, ...result }];
    });
  return { request: part?.text.trim() ?? '', done };
}

export function lastOf(progress: Progress, name: string): Done | undefined {
  return progress.done.findLast((call) => call.name === name);
}
