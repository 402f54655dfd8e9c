import { inEnglish, told, type Told } from '../../domain/text/told.ts';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { BelayError } from '../../domain/failure.ts';
import { fault } from '../../domain/failure.ts';
import type { CallProblem } from '../connection/problem.ts';

/** A call without an answer, for model and person: what happened, its effect, what to do. */
export function callFailure(
  server: string,
  tool: string,
  problem: Omit<CallProblem, 'kind'> & { readonly kind: Exclude<CallProblem['kind'], 'refused'> },
): BelayError {
  const unknown = told`Whether “${tool}” did its work is not known: check before you call it again.`;
  const details = { server, tool };
  switch (problem.kind) {
    case 'lost':
      return fault(
        'network',
        told`The connection to the MCP server “${server}” ended during the call: ${problem.detail} ${unknown} The server is started again when it is needed.`,
        { details },
      );
    case 'unsent':
      return fault(
        'network',
        told`The call did not reach the MCP server “${server}”: ${problem.detail}. “${tool}” was not run.`,
        { details },
      );
    case 'sign_in':
      return fault(
        'auth',
        told`The MCP server “${server}” wants a sign-in: ${problem.detail} “${tool}” was not run. The person can restart the server to sign in.`,
        { details },
      );
    case 'unreachable':
      return fault(
        problem.code ?? 'network',
        told`The call did not get through to the MCP server “${server}”, or its answer did not get back: ${problem.detail}. ${unknown}`,
        { details },
      );
    case 'dropped':
      return fault(
        'tool',
        told`The MCP server “${server}” answered, but ${problem.detail}. “${tool}” may have done its work.`,
        { details },
      );
    case 'session':
      return fault(
        'network',
        told`The MCP server “${server}” refused the call: ${problem.detail}. “${tool}” was not run. If it goes on, the person can restart the server.`,
        { details },
      );
    case 'invalid':
      return fault(
        'tool',
        told`The answer of the MCP server “${server}” does not follow the protocol: ${problem.detail}. ${unknown}`,
        { details },
      );
    default:
      return problem.kind satisfies never;
  }
}

/** The server's refusal of a call, for the model to act on. */
export function refusal(server: string, detail: Told): CallToolResult {
  const text = `The MCP server “${server}” answered with an error: ${inEnglish(detail)}`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** The server lists the tool in another form than the model was offered, or no longer. */
export function toolChanged(server: string, tool: string, isGone: boolean): BelayError {
  const said = isGone
    ? told`The MCP server “${server}” no longer offers the tool “${tool}”. It was not called. Go on without it.`
    : told`The MCP server “${server}” changed the tool “${tool}” since it was offered, so what was allowed does not hold for it. It was not called. The next request offers it as it is now.`;
  return fault('tool', said, { details: { server, tool } });
}

/** The server is not there, and a call cannot bring it back. */
export function notAvailable(server: string, reason = told`It was stopped.`): BelayError {
  return fault(
    'config',
    told`The MCP server “${server}” is not available. ${reason} Nothing was done. The person can restart it; go on without it.`,
    { details: { server } },
  );
}
