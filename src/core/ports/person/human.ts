import type { ServerRequest } from '../../../domain/mcp/server-request.ts';

export interface Human {
  ask(question: HumanQuestion, signal: AbortSignal): Promise<string>;
}

export interface HumanQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  readonly question: string;
  readonly choices: readonly string[];
  /** Advice for where nobody can be asked. Absent: it can only be answered in VS Code. */
  readonly unattended?: string;
  /** Several of the choices may be picked; the answer has one on a line. */
  readonly several?: boolean;
  /** A form or page of an MCP server: the answer is a `RequestAnswer` as JSON. */
  readonly request?: ServerRequest;
}
