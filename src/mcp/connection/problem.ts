import { saidBy } from '../../domain/failure.ts';
import { type Told, told, withValues } from '../../domain/text/told.ts';
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { SignInError } from '../auth/sign-in-error.ts';
import { replacedAnswer } from '../transport/message-limit.ts';
import type { ProcessExit } from '../transport/server-process.ts';
import { UnsentError } from '../transport/unsent-error.ts';
import { endOf, oneLine } from '../status/sentence.ts';

export interface ConnectProblem {
  /** One or two sentences for the person: what is wrong and what to do. */
  readonly reason: Told;
  readonly retry: boolean;
  /** The person has to sign in first. */
  readonly signIn?: boolean;
}

export interface CallProblem {
  /**
   * `refused`: an error as answer. `lost`: the connection ended. `unreachable`: this exchange over
   * HTTP failed. `dropped`: a partial answer. `session`: unknown to the server, and the tool not
   * run. `invalid`: no sense. `unsent`: the server never saw the call. `sign_in`: the
   * server wants a sign-in. Only `refused`, `session`, `unsent` and `sign_in` tell the tool's effect.
   */
  readonly kind:
    | 'refused'
    | 'lost'
    | 'unsent'
    | 'unreachable'
    | 'dropped'
    | 'session'
    | 'sign_in'
    | 'invalid';
  /** The other side's or the system's words; a part of a sentence. */
  readonly detail: Told;
  /** Of `unreachable`: what kind of failure it is; those that may pass are tried again for tools that only read. */
  readonly code?: 'network' | 'timeout' | 'rate_limited' | 'overloaded' | 'tool' | undefined;
}

export interface LocalCircumstances {
  readonly command: string;
  readonly exit: ProcessExit | undefined;
  /** The last line of the standard error. */
  readonly lastError: string | undefined;
}

export function localProblem(thrown: unknown, circumstances: LocalCircumstances): ConnectProblem {
  const { command, exit, lastError } = circumstances;
  switch (systemCode(thrown)) {
    case 'ENOENT':
      return no(
        told`The command “${command}” was not found. Install it, or check \`command\` and the PATH.`,
      );
    case 'EACCES':
    case 'EPERM':
      return no(told`The command “${command}” may not be run. Check its permissions.`);
    case undefined:
    default:
  }
  if (exit !== undefined)
    return maybe(told`${endOf(exit, lastError)} Check the command and its arguments.`);
  return protocolProblem(thrown);
}

export function remoteProblem(thrown: unknown, url: string): ConnectProblem {
  const refused = signInErrorIn(thrown);
  if (refused !== undefined)
    return refused.needed ? { ...no(refused.said), signIn: true } : no(refused.said);
  const status = statusOf(thrown);
  if (status !== undefined && status >= 300 && status < 400) {
    return no(told`It answers with a redirect, which is not followed: ${describe(thrown)}.`);
  }
  if (status !== undefined) return statusProblem(status, url);
  const code = systemCode(thrown);
  const host = new URL(url).host;
  switch (code) {
    case undefined:
      return protocolProblem(thrown);
    case 'ECONNREFUSED':
      return maybe(told`Nothing answers at ${host}. Check \`url\`, and that the server runs.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return maybe(told`The name ${host} is not known. Check \`url\` and the network.`);
    default:
      return maybe(
        told`The connection to ${host} failed (${code}). Check \`url\` and the network.`,
      );
  }
}

export function callProblem(thrown: unknown): CallProblem {
  const status = statusOf(thrown);
  const detail = describe(thrown);
  return {
    kind: kindOf(thrown),
    detail: status === undefined ? detail : told`HTTP ${String(status)}: ${detail}`,
    code: codeOf(thrown, status),
  };
}

function codeOf(thrown: unknown, status: number | undefined): NonNullable<CallProblem['code']> {
  if (isTimeout(thrown) || status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limited';
  if (status !== undefined && status >= 500) return 'overloaded';
  return status === undefined ? 'network' : 'tool';
}

const isTimeout = (thrown: unknown): boolean =>
  thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout;

function kindOf(thrown: unknown): CallProblem['kind'] {
  if (signInErrorIn(thrown) !== undefined) return 'sign_in';
  if (thrown instanceof UnsentError || systemCode(thrown) === 'ECONNREFUSED') return 'unsent';
  // Answers of our own stand in the place of ones that did not come whole.
  if (thrown instanceof ProtocolError)
    return thrown.code === replacedAnswer ? 'dropped' : 'refused';
  const status = statusOf(thrown);
  if (status !== undefined) return status === 404 || status === 400 ? 'session' : 'unreachable';
  if (isTimeout(thrown)) return 'unreachable';
  if (thrown instanceof SdkError) {
    return thrown.code === SdkErrorCode.ConnectionClosed ? 'lost' : 'invalid';
  }
  return 'unreachable';
}

/** The HTTP status that a server answered with, when that was the failure. */
export function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof SdkHttpError) return thrown.status;
  return thrown instanceof SseError ? thrown.code : undefined;
}

function statusProblem(status: number, url: string): ConnectProblem {
  if (status === 401) {
    return no(
      told`The server asks for authorization (HTTP 401). Put a valid token into \`headers\`.`,
    );
  }
  if (status === 403)
    return no(told`The server refuses access (HTTP 403). Check the token in \`headers\`.`);
  if (status >= 500) return maybe(told`The server has a problem (HTTP ${String(status)}).`);
  return no(
    told`There is no MCP server at ${new URL(url).host} (HTTP ${String(status)}). Check \`url\`.`,
  );
}

function protocolProblem(thrown: unknown): ConnectProblem {
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    return maybe(told`It did not answer in time.`);
  }
  return maybe(told`It does not speak the Model Context Protocol as expected: ${describe(thrown)}`);
}

function signInErrorIn(thrown: unknown): SignInError | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth += 1) {
    if (error instanceof SignInError) return error;
    error = error.cause;
  }
  return undefined;
}

/** The system's code (`ENOENT` …) of an error or of what caused it. */
function systemCode(thrown: unknown): string | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth += 1) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && !(error instanceof SdkError)) return code;
    error = error.cause;
  }
  return undefined;
}

function describe(thrown: unknown): Told {
  return signInErrorIn(thrown)?.said ?? withValues(saidBy(thrown), oneLine);
}

function no(reason: Told): ConnectProblem {
  return { reason, retry: false };
}

function maybe(reason: Told): ConnectProblem {
  return { reason, retry: true };
}
