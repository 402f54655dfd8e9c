import { wordSet } from '../../../domain/text/words.ts';
import type { Json, JsonObject } from '../../../domain/data/json.ts';
import { toolOf } from './lookup.ts';
import type { Tool, ToolContext, WrapToolCall } from '../tool-call.ts';

/**
 * Names of arguments that mean an identity. The convention: a tool takes its ids from the context.
 * One whose schema has to carry an id declares it in `identity`, and the id of the run goes there;
 * one of these names that a tool's schema does not know is dropped; one that a foreign schema
 * declares as its own (a browser's session, say) is the tool's business and stays.
 */
const RESERVED = wordSet(`
  session_id sessionId run_id runId call_id callId tool_call_id user_id userId workspace_id
  workspaceId
`);

/** Between lookup and validation: ids are given to tools, never chosen by the model (A13). */
export function withIdentity(): WrapToolCall {
  return (next) => (request) => {
    const input = prefixed(request.part.input, toolOf(request), request.context);
    return next({ ...request, part: { ...request.part, input } });
  };
}

/** The input with forged ids overwritten or dropped; the same object when there is nothing to do. */
function prefixed(
  input: JsonObject,
  tool: Tool,
  context: Pick<ToolContext, 'sessionId' | 'runId' | 'callId' | 'userId' | 'workspaceId'>,
): JsonObject {
  const given = tool.identity ?? {};
  const declared = propertiesOf(tool.inputSchema);
  const foreign = Object.keys(input).filter(
    (key) => RESERVED.has(key) && !declared.has(key) && !Object.hasOwn(given, key),
  );
  if (foreign.length === 0 && Object.keys(given).length === 0) return input;
  const kept = Object.entries(input).filter(([key]) => !foreign.includes(key));
  const filled = Object.entries(given).map(([key, source]): [string, Json | undefined] => [
    key,
    context[source],
  ]);
  // An id that is not known: then the model's word for it is not taken either.
  const all = Object.entries(Object.fromEntries<Json | undefined>([...kept, ...filled]));
  return Object.fromEntries(all.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function propertiesOf(schema: JsonObject): ReadonlySet<string> {
  const properties = schema['properties'];
  return new Set(
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [],
  );
}
