import type { Message, Part } from '../../domain/message.ts';
import { type Share, type WindowShares, SHARES } from '../../domain/models/window-shares.ts';
import type { Tool } from '../tool-call/tool-call.ts';
import { MANUAL_KEEP } from './compaction/scheduled-compaction.ts';
import type { SentWindow } from './builder.ts';
import { safeCutBefore, safeCuts } from './pairs.ts';
import { roughTokens } from './tokens/estimate.ts';
import { sizeOf } from './tokens/message-size.ts';

/** Tokens of a request by what they are for; counted roughly, which is enough to compare them. */
export function windowShares(
  { system, tools: sent, messages, fixed }: SentWindow,
  tools: readonly Tool[],
): WindowShares {
  const tokens = Object.fromEntries(SHARES.map((share) => [share, 0])) as Record<Share, number>;
  const servers = new Set(
    tools.filter(({ server }) => server !== undefined).map(({ name }) => name),
  );
  tokens.instructions = roughTokens(system.join('\n'));
  for (const tool of sent)
    tokens[servers.has(tool.name) ? 'mcp tools' : 'tools'] += roughTokens(JSON.stringify(tool));
  for (const message of messages) for (const part of message.parts) addPart(tokens, message, part);
  const tail = messages.slice(fixed);
  const cut = safeCutBefore(safeCuts(tail), tail.length - MANUAL_KEEP);
  return { tokens, older: tail.slice(0, cut).reduce((sum, one) => sum + tokensOf(one.parts), 0) };
}

function addPart(tokens: Record<Share, number>, { origin }: Message, part: Part): void {
  const media = sizeOf({ parts: [part] }).mediaTokens;
  const text = tokensOf([part]) - media;
  const isMentioned =
    (part.type === 'text' || part.type === 'binary') && part.mention !== undefined;
  tokens[isMentioned ? 'mentions' : 'pictures'] += media;
  if (isMentioned) tokens.mentions += text;
  else if (origin === 'summary') tokens.summary += text;
  else tokens[part.type === 'tool_result' ? 'tool results' : 'messages'] += text;
}

function tokensOf(parts: readonly Part[]): number {
  const { text, mediaTokens } = sizeOf({ parts });
  return roughTokens(text) + mediaTokens;
}
