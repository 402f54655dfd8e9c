import { BelayError } from '../domain/failure.ts';
import type { CallProblem } from './problem.ts';

/**
 * What the model and the person read when a call got no answer: what happened, what is known of its
 * effect, what to do. `server` and `tool` as the server names them.
 */
export function callFailure(
  server: string,
  tool: string,
  problem: Pick<CallProblem, 'kind' | 'detail'>,
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
    case 'refused':
      return new BelayError({
        code: 'tool',
        message: `The MCP server “${server}” answered with an error: ${problem.detail}`,
        details,
      });
    default:
      return problem.kind satisfies never;
  }
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
