import {
  type JSONRPCMessage,
  isJSONRPCResultResponse,
  isSpecType,
} from '@modelcontextprotocol/client';
import { isJsonObject } from '../../domain/data/json.ts';
import { oneLine } from '../status/sentence.ts';

/**
 * Replaces parts of a tool's result that do not follow the protocol, for which the SDK would refuse the whole result:
 * wrong notes beside a good part are dropped, any other part becomes a short text that names its type.
 */
export function repairContent(message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message)) return;
  const { content } = message.result;
  if (content === null) message.result['content'] = [];
  if (Array.isArray(content)) message.result['content'] = content.map(repairBlock);
}

function repairBlock(block: unknown): unknown {
  if (isSpecType.ContentBlock(block)) return block;
  const { annotations: _, _meta, ...plain } = isJsonObject(block) ? block : {};
  if (isSpecType.ContentBlock(plain)) return plain;
  const type = typeof plain['type'] === 'string' ? ` of type “${oneLine(plain['type'])}”` : '';
  return { type: 'text', text: `[A part${type} was left out: it is unknown or incomplete.]` };
}
