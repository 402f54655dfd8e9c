import type { Message } from '../../domain/message.ts';
import type { ModelRequest } from './model-call.ts';

/**
 * The first place, in the order of the prompt cache, where a request differs from the one before;
 * `undefined` when it only adds. Cheap: unchanged objects are not looked into.
 */
export function divergenceOf(before: ModelRequest, after: ModelRequest): string | undefined {
  if (before.model !== after.model) return `model: ${before.model} became ${after.model}`;
  return (
    ofTools(before, after) ??
    ofSystem(before, after) ??
    ofMode(before, after) ??
    ofMessages(before.messages, after.messages)
  );
}

function ofTools(before: ModelRequest, after: ModelRequest): string | undefined {
  const length = Math.max(before.tools.length, after.tools.length);
  for (let index = 0; index < length; index += 1) {
    const [was, is] = [before.tools[index], after.tools[index]];
    if (was === is) continue;
    if (was === undefined) return `tools: ${is?.name ?? ''} was added`;
    if (is === undefined) return `tools: ${was.name} is gone`;
    if (was.name !== is.name) return `tools: ${was.name} became ${is.name} at place ${index + 1}`;
    if (JSON.stringify(was) !== JSON.stringify(is))
      return `tools: the description of ${is.name} changed`;
  }
  return undefined;
}

function ofSystem(before: ModelRequest, after: ModelRequest): string | undefined {
  const length = Math.max(before.system.length, after.system.length);
  for (let index = 0; index < length; index += 1) {
    const [was = '', is = ''] = [before.system[index], after.system[index]];
    if (was !== is)
      return `system prompt: block ${index + 1}, character ${firstDifference(was, is) + 1}`;
  }
  return undefined;
}

/** Thinking and forced tools keep tools and system cached, not the messages. */
function ofMode(before: ModelRequest, after: ModelRequest): string | undefined {
  if (before.thinking !== after.thinking)
    return `thinking: ${before.thinking} became ${after.thinking}`;
  const [was, is] = [JSON.stringify(before.toolChoice), JSON.stringify(after.toolChoice)];
  return was === is
    ? undefined
    : `tool choice: ${before.toolChoice.type} became ${after.toolChoice.type}`;
}

function ofMessages(before: readonly Message[], after: readonly Message[]): string | undefined {
  for (const [index, was] of before.entries()) {
    const is = after[index];
    if (is === was) continue;
    const place = `message ${index + 1} of ${after.length} (${was.role})`;
    if (is === undefined) return `messages: ${before.length - after.length} fewer than before`;
    if (is.role !== was.role || JSON.stringify(is.parts) !== JSON.stringify(was.parts))
      return place;
  }
  return undefined;
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at += 1;
  return at;
}
