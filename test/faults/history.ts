import type { Part } from '../../src/domain/message.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

export const toolCall = (id: string, name = 'read'): Part => ({
  type: 'tool_call',
  id,
  name,
  input: { path: id },
});
export const toolResult = (
  callId: string,
  text = 'content',
  more: Partial<Extract<Part, { type: 'tool_result' }>> = {},
): Part => ({
  type: 'tool_result',
  callId,
  name: 'read',
  state: 'done',
  content: [{ type: 'text', text }],
  ...more,
});
export const image = (data: string, name = 'shot.png'): Part => ({
  type: 'binary',
  mediaType: 'image/png',
  data,
  name,
});

type WireBlock = { readonly type: string; readonly [key: string]: unknown };
export const blocks = (request: WireRequest | undefined): readonly WireBlock[] =>
  (request?.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  ) as unknown as WireBlock[];
export const count = (request: WireRequest | undefined, type: string): number =>
  blocks(request).filter((block) => block.type === type).length;

/** What was said to the person on the way. */
export const warnings = (
  events: readonly { readonly type: string; readonly message?: string }[],
): string =>
  events
    .filter(({ type }) => type === 'warning')
    .map((event) => event.message)
    .join('\n');
