import type { Message } from '../../domain/message.ts';

/** `result[i]` is true when everything before message `i` can go without parting a call from its result (C3, E4). */
export function safeCuts(messages: readonly Message[]): boolean[] {
  const callAt = new Map<string, number>();
  const safe = Array.from({ length: messages.length + 1 }, () => true);
  for (const [index, message] of messages.entries()) {
    for (const part of message.parts) {
      if (part.type === 'tool_call') callAt.set(part.id, index);
      if (part.type !== 'tool_result') continue;
      const call = callAt.get(part.callId);
      if (call === undefined) continue;
      callAt.delete(part.callId);
      for (let cut = call + 1; cut <= index; cut += 1) safe[cut] = false;
    }
  }
  // A call that still waits for its result keeps it with it.
  for (const open of callAt.values()) {
    for (let cut = open + 1; cut <= messages.length; cut += 1) safe[cut] = false;
  }
  return safe;
}

/** The last safe cut at or before `index`: at least as much is kept. */
export function safeCutBefore(safe: readonly boolean[], index: number): number {
  let cut = Math.max(0, Math.min(index, safe.length - 1));
  while (cut > 0 && safe[cut] !== true) cut -= 1;
  return cut;
}

/** The first safe cut at or after `index` that still keeps something; else the last one before it. */
export function safeCutAfter(safe: readonly boolean[], index: number): number {
  for (let cut = Math.max(0, index); cut < safe.length - 1; cut += 1) {
    if (safe[cut] === true) return cut;
  }
  return safeCutBefore(safe, index);
}
