import {
  type JSONRPCMessage,
  isJSONRPCResultResponse,
  isSpecType,
} from '@modelcontextprotocol/client';
import { isJsonObject } from '../../domain/data/json.ts';
import { MAX_JSON_LEVELS, MAX_JSON_VALUES, isOverLimits } from '../../domain/data/json-limits.ts';
import { oneLine } from '../status/sentence.ts';

/** Parts of a result that the SDK checks; with two notes of ours as many as a result keeps. */
const MAX_CONTENT_PARTS = 998;

const LIMITS = `${MAX_JSON_VALUES.toLocaleString('en')} values or ${MAX_JSON_LEVELS} levels`;

/**
 * Replaces parts of a tool's result that do not follow the protocol, for which the SDK would refuse the whole result:
 * wrong notes beside a good part are dropped, any other part becomes a short text that names its type.
 */
export function repairContent(message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message)) return;
  const { result } = message;
  if (isOverLimits(result['_meta'])) delete result['_meta'];
  if (result['content'] === null) result['content'] = [];
  const isStructureCut = isOverLimits(result['structuredContent']);
  if (isStructureCut) delete result['structuredContent'];
  const content: unknown = result['content'] ?? (isStructureCut ? [] : undefined);
  if (!Array.isArray(content)) return;
  const parts: unknown[] = content.slice(0, MAX_CONTENT_PARTS).map(repairBlock);
  if (content.length > MAX_CONTENT_PARTS)
    parts.push(toText(`[${content.length - MAX_CONTENT_PARTS} more parts were left out.]`));
  if (isStructureCut)
    parts.push(
      toText(
        `[The answer's structured content has more than ${LIMITS} and was left out; the text is complete.]`,
      ),
    );
  result['content'] = parts;
}

function repairBlock(block: unknown): unknown {
  if (isSpecType.ContentBlock(block)) return block;
  const { annotations: _, _meta, ...plain } = isJsonObject(block) ? block : {};
  if (isSpecType.ContentBlock(plain)) return plain;
  const type = typeof plain['type'] === 'string' ? ` of type “${oneLine(plain['type'])}”` : '';
  const kind = isOverLimits(block) ? `more than ${LIMITS}` : 'unknown or incomplete';
  return toText(`[A part${type} was left out: ${kind}.]`);
}

const toText = (text: string): { type: 'text'; text: string } => ({ type: 'text', text });
