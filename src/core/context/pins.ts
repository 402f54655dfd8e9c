import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts';
import { canonicalJson } from '../../domain/data/json.ts';
import { shorten } from './compaction/shorten.ts';

/** The latest successful result of a tool, kept as text through a compaction (C3). */
export interface Pin {
  readonly tool: string;
  /** Canonical JSON of the arguments, cut. */
  readonly input: string;
  readonly text: string;
}

/** Characters. */
export interface PinLimits {
  readonly each: number;
  readonly total: number;
}

const INPUT_CHARACTERS = 200;

function textOfResult(result: ToolResultPart): string {
  return result.content
    .map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`))
    .join('\n')
    .trim();
}

/**
 * The latest successful result of each tool, newest first, then earlier pins of tools not used since; without space the
 * oldest go. Failed ones would say "this is what you know" of something that is not so.
 */
export function pinsOf(
  messages: readonly Message[],
  earlier: readonly Pin[],
  limits: PinLimits,
): Pin[] {
  const calls = new Map<string, ToolCallPart>();
  const latest = new Map<string, Pin>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool_call') calls.set(part.id, part);
      if (part.type !== 'tool_result' || part.state !== 'done') continue;
      const text = textOfResult(part);
      const call = calls.get(part.callId);
      if (text === '' || call === undefined) continue;
      latest.delete(call.name);
      latest.set(call.name, { tool: call.name, input: canonicalJson(call.input), text });
    }
  }
  const all = [...latest.values()]
    .toReversed()
    .concat(earlier.filter((pin) => !latest.has(pin.tool)));
  const pins: Pin[] = [];
  let left = limits.total;
  for (const pin of all) {
    const space = Math.min(limits.each, left);
    if (space < 100) break;
    const text = shorten(pin.text, space);
    pins.push({ tool: pin.tool, input: shorten(pin.input, INPUT_CHARACTERS), text });
    left -= text.length;
  }
  return pins;
}
