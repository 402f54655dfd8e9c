import assert from 'node:assert/strict';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf } from '../../../src/domain/failure.ts';
import {
  toolCallsOf,
  toolResultsOf,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../../src/domain/message.ts';
import type { ToolChoice } from '../../../src/domain/models/model.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import { throwIfAborted } from '../../../src/domain/lifetime/abort.ts';
import type { ModelAnswer, ModelRequest } from '../../../src/core/model-call/model-call.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import { textResult, type Tool, type ToolContext } from '../../../src/core/tool-call/tool-call.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileOperations } from '../../../src/hosts/node/files/file-operations.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';
import { createDemoProvider } from '../../../src/providers/demo/demo-provider.ts';
import { ReadState } from '../../../src/tools/editing/read-state.ts';
import { MapValues } from '../../support/map-values.ts';
import { createTools } from '../../../src/tools/registry.ts';
import { journalsInMemory } from '../../support/journals-in-memory.ts';
import { NO_MEMORIES } from '../../support/no-memories.ts';
import { callContext } from '../../support/model-call.ts';
import { CountingIds } from '../context/story.ts';

const SAMPLE = fileURLToPath(new URL('../../fixtures/sample-workspace', import.meta.url));

/** A clock on which nobody waits. */
class HastyClock extends SystemClock implements Clock {
  override sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    return Promise.resolve();
  }
}

export interface ConversationOptions {
  /** Tools that are not offered. */
  readonly without?: readonly string[];
  /** Tools the person says no to. */
  readonly denied?: readonly string[];
  /** What the person answers to questions, in order. */
  readonly answers?: readonly string[];
  /** No folder is open. */
  readonly noFolder?: boolean;
}

/** A session with the demo model and the real tools in a copy of the sample workspace. */
export class Conversation {
  readonly messages: Message[] = [];
  readonly root: string;
  readonly tools: readonly Tool[];
  readonly questions: string[] = [];
  readonly #denied: ReadonlySet<string>;
  readonly #roots: readonly string[];
  readonly #shell: NodeShell;
  readonly #clock = new HastyClock();

  private constructor(root: string, options: ConversationOptions) {
    this.root = root;
    this.#roots = options.noFolder === true ? [] : [root];
    this.#denied = new Set(options.denied);
    this.#shell = new NodeShell();
    const answers = [...(options.answers ?? [])];
    const tools = createTools({
      disk: {
        files: new NodeFileSystem(),
        operations: new NodeFileOperations(path.join(root, '.removed')),
        search: new NodeSearch([], {}),
        ignored: new NodeIgnoredPaths(),
      },
      commands: { shell: this.#shell, blobs: { result: () => Promise.resolve(undefined) } },
      human: {
        ask: ({ question }) => {
          this.questions.push(question);
          return Promise.resolve(answers.shift() ?? assert.fail(`nobody answers: ${question}`));
        },
      },
      clock: this.#clock,
      ids: new CountingIds(),
      readState: new ReadState(new MapValues(), new SystemClock()),
      records: {
        attachments: { attachment: async () => Promise.resolve(undefined) },
        todos: { writeByModel: async (_sessionId, _runId, items) => ({ kept: true, items }) },
        journals: journalsInMemory(),
        memories: NO_MEMORIES,
      },
      settings: settingsFrom(
        () => undefined,
        () => undefined,
      ),
    });
    this.tools = tools.filter((tool) => options.without?.includes(tool.name) !== true);
  }

  static async open(options: ConversationOptions = {}): Promise<Conversation> {
    const root = path.join(
      await realpath(await mkdtemp(path.join(tmpdir(), 'belay-demo-'))),
      'hike',
    );
    await cp(SAMPLE, root, { recursive: true });
    return new Conversation(root, options);
  }

  async close(): Promise<void> {
    this.#shell.dispose();
    await rm(path.dirname(this.root), { recursive: true, force: true });
  }

  /** Sends a message and runs the turn to its end; gives the last answer's text. */
  async send(text: string): Promise<string> {
    this.#append({ role: 'user', origin: 'person', parts: [{ type: 'text', text }] });
    for (let turns = 0; turns < 20; turns += 1) {
      const answer = await this.next();
      this.#append({ role: 'assistant', parts: answer.parts });
      const calls = toolCallsOf(answer);
      if (calls.length === 0) return textOfParts(answer.parts);
      const results: ToolResultPart[] = [];
      for (const call of calls) results.push(await this.#run(call));
      this.#append({ role: 'tool', parts: results });
    }
    return assert.fail('the conversation does not end');
  }

  /** The model's next answer to the messages so far. */
  async next(toolChoice: ToolChoice = { type: 'auto' }): Promise<ModelAnswer> {
    const request: ModelRequest = {
      model: 'demo',
      system: ['You are Belay.'],
      messages: this.messages,
      tools: this.tools,
      toolChoice,
      thinking: 'off',
    };
    const { call } = createDemoProvider({ clock: this.#clock });
    for await (const event of call(request, callContext())) {
      if (event.type === 'complete') return event.answer;
      if (event.type === 'failed') assert.fail(event.failure.message);
    }
    return assert.fail('the call did not end');
  }

  /** Names of the calls of the last message, one list a turn. */
  get turns(): readonly (readonly string[])[] {
    const start = this.messages.findLastIndex((message) => message.origin === 'person');
    return this.messages
      .slice(start)
      .map((message) => toolCallsOf(message).map((call) => call.name))
      .filter((names) => names.length > 0);
  }

  get states(): readonly string[] {
    return this.messages.flatMap(toolResultsOf).map((result) => `${result.name} ${result.state}`);
  }

  /** Everything the model has said. */
  get said(): readonly string[] {
    return this.messages
      .filter((message) => message.role === 'assistant')
      .map((message) => textOfParts(message.parts));
  }

  #append(message: Pick<Message, 'role' | 'parts'> & Partial<Message>): void {
    const seq = this.messages.length + 1;
    this.messages.push({
      id: `m${seq}`,
      sessionId: 's',
      runId: 'r',
      seq,
      createdAt: 0,
      ...message,
    });
  }

  async #run(call: ToolCallPart): Promise<ToolResultPart> {
    const tool = this.tools.find((one) => one.name === call.name);
    if (tool === undefined) return textResult(call, 'failed', `There is no tool ${call.name}.`);
    if (this.#denied.has(tool.name)) return textResult(call, 'denied', 'The user denied it.');
    const checked = tool.check(call.input);
    if ('problem' in checked) return assert.fail(`${call.name}: ${checked.problem}`);
    try {
      const output = await tool.run(checked.input, this.#context(call));
      return {
        type: 'tool_result',
        callId: call.id,
        name: call.name,
        state: output.isError === true ? 'failed' : 'done',
        content: output.content,
      };
    } catch (thrown) {
      const failure = failureOf(thrown);
      assert.notEqual(failure.code, 'unexpected', failure.message);
      return textResult(call, 'failed', failure.message);
    }
  }

  #context(call: ToolCallPart): ToolContext {
    return {
      callId: call.id,
      runId: 'r',
      sessionId: 's',
      roots: this.#roots,
      signal: new AbortController().signal,
      emit: () => undefined,
      recordProcess: () => Promise.resolve(),
    };
  }
}

export function textOfParts(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
