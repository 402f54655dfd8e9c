import { verbatim } from '../../domain/text/told.ts';
import { fault } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import { resultText } from '../../core/tool-call/result.ts';
import type { Tool, ToolContext } from '../../core/tool-call/tool-call.ts';
import type { McpTool } from '../../mcp/tools/tool-proxy.ts';
import type { EngineHost } from '../engine-host.ts';
import { type ToolCallParts, createAppCall } from '../order.ts';

/** The call whose app asks for another one; the question stands on its card. */
export type AppOrigin = Pick<ToolContext, 'sessionId' | 'callId'>;

/** Calls a tool for an app, with the person's yes or a rule's. Gives the server's own result; rejects with `BelayError`, code `permission`: it was denied. */
export type AppCall = (tool: McpTool, input: JsonObject, origin: AppOrigin) => Promise<JsonObject>;

export function appCalls(
  host: EngineHost,
  parts: Pick<ToolCallParts, 'store' | 'permissions' | 'egress'>,
): AppCall {
  return async (mcp, input, { sessionId, callId }) => {
    let given: JsonObject | undefined;
    const tool: Tool = {
      ...mcp,
      run: async (checked, context) => {
        given = (await mcp.call(checked, context)) as unknown as JsonObject;
        return { content: [] };
      },
    };
    const call = createAppCall(host, parts, tool);
    const { result } = await call({
      part: { type: 'tool_call', id: callId, name: mcp.name, input },
      context: {
        callId,
        sessionId,
        runId: `app-of-${callId}`,
        roots: host.workspace.roots(),
        signal: new AbortController().signal,
        emit: () => undefined,
        recordProcess: () => Promise.resolve(),
      },
    });
    if (given !== undefined) return given;
    const code = result.state === 'denied' ? 'permission' : 'tool';
    throw fault(code, result.told ?? verbatim(resultText(result)));
  };
}
