import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { JsonObject } from '../../domain/data/json.ts';
import type { ResultContent } from '../../domain/message.ts';
import type { Ids } from '../ports/ids.ts';
import type { Tool, ToolCall, ToolContext, ToolOutput } from './tool-call.ts';

export interface MentionReaderParts {
  /** The wrappers of calls that the person's message makes. */
  readonly call: ToolCall;
  readonly tools: () => Promise<readonly Tool[]>;
  readonly ids: Ids;
  readonly roots: () => readonly string[];
}

/**
 * Takes what messages mention, as a call of the model would: the same rules, questions, masks and limits. What could
 * not be taken is a sentence in its place.
 */
export class MentionReader {
  readonly #parts: MentionReaderParts;

  constructor(parts: MentionReaderParts) {
    this.#parts = parts;
  }

  /** By a tool that is on offer. */
  async byTool(
    name: string,
    input: JsonObject,
    sessionId: string,
  ): Promise<readonly ResultContent[]> {
    const tool = (await this.#parts.tools()).find((one) => one.name === name);
    if (tool === undefined)
      return [
        { type: 'text', text: `It was not included: the tool ${name} is not available here.` },
      ];
    const checked = tool.check(input);
    if ('problem' in checked)
      return [{ type: 'text', text: `It was not included: ${checked.problem}` }];
    return this.#run(tool, checked.input, sessionId);
  }

  /** By a reader of its own, for what no tool reads. */
  async bySource(
    name: string,
    read: (context: ToolContext) => Promise<ToolOutput>,
    sessionId: string,
  ): Promise<readonly ResultContent[]> {
    const tool: Tool = {
      name,
      description: '',
      inputSchema: {},
      sideEffects: false,
      level: 'guest',
      module: 'mentions',
      permission: 'none',
      check: (input) => ({ input }),
      run: async (_, context) => read(context),
    };
    return this.#run(tool, {}, sessionId);
  }

  async #run(tool: Tool, input: JsonObject, sessionId: string): Promise<readonly ResultContent[]> {
    const { call, ids, roots } = this.#parts;
    const id = ids.next('call');
    const { result } = await call({
      part: { type: 'tool_call', id, name: tool.name, input },
      tool,
      context: {
        callId: id,
        runId: id,
        sessionId,
        roots: roots(),
        signal: new AbortController().signal,
        emit: () => undefined,
        recordProcess: () => Promise.reject(fault('invalid', told`A mention starts no command.`)),
      },
    });
    return result.content;
  }
}
