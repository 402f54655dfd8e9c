import type { Tool, ToolOutput } from '../../src/core/tool-call/tool-call.ts';
import type { ApprovalQuestion } from '../../src/core/ports/person/approval.ts';
import type { Json, JsonObject } from '../../src/domain/data/json.ts';
import type { ToolResultPart } from '../../src/domain/message.ts';
import { NodeWeb } from '../../src/hosts/node/web/node-web.ts';

import { TestEngine, type TestHost } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Answer, Fixture } from './surface.ts';

/** One call that the model makes. */
export interface PlannedCall {
  readonly name: string;
  readonly input: JsonObject;
}

export interface SessionOptions {
  readonly calls: readonly PlannedCall[];
  readonly prompt?: string;
  readonly tools?: readonly Tool[];
  /** What the person says; the default is no to everything. */
  readonly person?: (
    question: ApprovalQuestion,
    earlier: readonly ApprovalQuestion[],
  ) => Partial<{ allowed: boolean; hash: string; questionId: string }>;
  readonly host?: Partial<TestHost>;
  /** Hosts that the person's own rules allow. */
  readonly allowedHosts?: readonly string[];
}

/** What came of a session. */
export interface SessionOutcome {
  /** All that the model was sent, request by request. */
  readonly sent: readonly Json[];
  readonly results: readonly ToolResultPart[];
  readonly questions: readonly ApprovalQuestion[];
  /** What Belay did with the last call. */
  readonly last: Answer;
}

/**
 * A whole run of the engine in the workspace of a case, in the mode of the policy (edits without a
 * question): the model is scripted behind real HTTP, the person is played, everything else is real.
 */
export async function runSession(
  fixture: Fixture,
  options: SessionOptions,
): Promise<SessionOutcome> {
  const { person = () => ({ allowed: false }), tools = [] } = options;
  const known = new Set(tools.map(({ name }) => name));
  await using test = await TestEngine.open({
    script: inOrder(
      ...options.calls.map(({ name, input }) =>
        calls(
          name === 'fetch_url' && !known.has(name)
            ? call('use_tool', { tool: name, input })
            : call(name, input),
        ),
      ),
      say('done'),
    ),
    settings: {
      'permissions.mode': 'edit',
      ...(options.allowedHosts === undefined
        ? {}
        : {
            'permissions.rules': options.allowedHosts.map((host) => ({ effect: 'allow', host })),
          }),
    },
    tools,
    host: { roots: () => [fixture.ws], web: new NodeWeb(), ...options.host },
  });
  test.human.decide = async (question) => {
    const earlier = test.human.approvals.slice(0, -1);
    return person(question, earlier);
  };
  const { sessionId } = await test.run(options.prompt ?? 'Go on.');
  const messages = await test.messages(sessionId);
  const results = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );
  const questions = test.human.approvals;
  const final = results.at(-1);
  return {
    sent: test.server.requests.map(({ body }) => body as unknown as Json),
    results,
    questions,
    last: answerOf(final, questions),
  };
}

function answerOf(
  result: ToolResultPart | undefined,
  questions: readonly ApprovalQuestion[],
): Answer {
  const note = JSON.stringify(result?.content ?? 'no call was made').slice(0, 400);
  if (result === undefined) return { decision: 'refuse', note };
  if (result.state === 'denied')
    return {
      decision: questions.some(({ callId }) => callId === result.callId) ? 'ask' : 'refuse',
      note,
    };
  return { decision: result.state === 'done' ? 'allow' : 'refuse', note };
}

/** A tool of a stranger, as an MCP server's: what it says goes to the model. */
export function strangersTool(
  name: string,
  answer: (input: JsonObject) => string,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: 'A tool of a server.',
    inputSchema: { type: 'object' },
    sideEffects: false,
    level: 'user',
    module: 'server',
    permission: 'execute',
    outbound: true,
    check: (input) => ({ input }),
    run: async (input): Promise<ToolOutput> => ({
      content: [{ type: 'text', text: answer(input) }],
    }),
    ...more,
  };
}
