import type { CallToolResult } from '@modelcontextprotocol/client';
import { BelayError } from '../../domain/failure.ts';
import type { CallProblem } from '../connection/problem.ts';

/** A call without an answer, for model and person: what happened, its effect, what to do. */
export function callFailure(
  server: string,
  tool: string,
  problem: Omit<CallProblem, 'kind'> & { readonly kind: Exclude<CallProblem['kind'], 'refused'> },
): BelayError {
  const unknown = `Whether “${tool}” did its work is not known: check before you call it again.`;
  const details = { server, tool };
  switch (problem.kind) {
    case 'lost':
      return new BelayError({
        code: 'network',
        message: `The connection to the MCP server “${server}” ended during the call: ${problem.detail} ${unknown} The server is started again when it is needed.`,
        details,
      });
    case 'unsent':
      return new BelayError({
        code: 'network',
        message: `The call did not reach the MCP server “${server}”: ${problem.detail}. “${tool}” was not run.`,
        details,
      });
    case 'sign_in':
      return new BelayError({
        code: 'auth',
        message: `The MCP server “${server}” wants a sign-in: ${problem.detail} “${tool}” was not run. The person can restart the server to sign in.`,
        details,
      });
    case 'unreachable':
      return new BelayError({
        code: problem.code ?? 'network',
        message: `The call did not get through to the MCP server “${server}”, or its answer did not get back: ${problem.detail}. ${unknown}`,
        details,
      });
    case 'dropped':
      return new BelayError({
        code: 'tool',
        message: `The MCP server “${server}” answered, but ${problem.detail}. “${tool}” may have done its work.`,
        details,
      });
    case 'session':
      return new BelayError({
        code: 'network',
        message: `The MCP server “${server}” refused the call: ${problem.detail}. “${tool}” was not run. If it goes on, the person can restart the server.`,
        details,
      });
    case 'invalid':
      return new BelayError({
        code: 'tool',
        message: `The answer of the MCP server “${server}” does not follow the protocol: ${problem.detail}. ${unknown}`,
        details,
      });
    default:
      return problem.kind satisfies never;
  }
}

/** The server's refusal of a call, for the model to act on. */
export function refusal(server: string, detail: string): CallToolResult {
  const text = `The MCP server “${server}” answered with an error: ${detail}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The server lists the tool in another form than the run was given, or no longer. */
export function toolChanged(server: string, tool: string, isGone: boolean): BelayError {
  const how = isGone ? 'no longer offers' : 'changed';
  return new BelayError({
    code: 'tool',
    message: `The MCP server “${server}” ${how} the tool “${tool}” since this run began, so what was allowed does not hold for it. It was not called. Go on without it${isGone ? '' : '; the next message gets it as it is now'}.`,
    details: { server, tool },
  });
}

/** The server is not there, and a call cannot bring it back. */
export function notAvailable(server: string, reason: string | undefined): BelayError {
  const why = reason === undefined ? 'It was stopped.' : reason;
  return new BelayError({
    code: 'config',
    message: `The MCP server “${server}” is not available. ${why} Nothing was done. The person can restart it; go on without it.`,
    details: { server },
  });
}
