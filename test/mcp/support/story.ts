import assert from 'node:assert/strict';
import type { Engine } from '../../../src/compose/engine.ts';
import { mcpPerson } from '../../../src/compose/mcp/mcp-person.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { toolResultsOf } from '../../../src/domain/message.ts';
import type { McpHubOptions } from '../../../src/mcp/hub.ts';
import { serverWords } from '../../../src/mcp/status/server-words.ts';
import { TestEngine } from '../../support/engine/test-engine.ts';
import { call, calls, say } from '../../support/model-server/turn.ts';
import { Harness } from './harness.ts';

/** One call that the model makes in a turn of its own. */
export interface Step {
  readonly server: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** Resolves when the model may make it. */
  readonly after?: () => Promise<void>;
}

/** The whole engine in mode Ask with real servers. The person says yes to calls, and no to forms. */
export class Story implements AsyncDisposable {
  readonly test: TestEngine;
  readonly harness: Harness;
  /** Opens a page in the browser; `false`: it could not be. */
  openPage: (url: string) => Promise<boolean> = async () => Promise.resolve(false);
  #plan: Step[] = [];

  private constructor(test: TestEngine, harness: Harness) {
    this.test = test;
    this.harness = harness;
  }

  static async open(
    servers: Readonly<Record<string, JsonObject>>,
    options: Partial<McpHubOptions> = {},
  ): Promise<Story> {
    const engine = Promise.withResolvers<Engine>();
    let ids = 0;
    const harness = new Harness({
      ...options,
      support: {
        person: mcpPerson({
          human: {
            ask: async (question, signal) => story.test.human.ask(question, signal),
          },
          nextId: async () => `q${(ids += 1)}`,
          modelOf: async (id) => (await engine.promise).runs.running.modelOf(id),
          lend: async () => assert.fail('no model was to be lent'),
          openPage: async (url) => story.openPage(url),
          signIn: async (_server, url) => browse(url),
        }),
      },
    });
    harness.configure(servers);
    const test = await TestEngine.open({
      script: async () => {
        const step = story.#plan.shift();
        if (step === undefined) return say('Done.');
        await step.after?.();
        const { name } = await harness.tool(step.tool, step.server);
        return calls(call(name, step.input));
      },
      settings: { 'permissions.mode': 'ask', 'advanced.deferMcpToolsAbovePercent': 100 },
      host: { mcpTools: async (moment) => harness.hub.tools(moment) },
    });
    const story = new Story(test, harness);
    test.human.answer = async () => JSON.stringify({ action: 'decline' });
    engine.resolve(test.engine);
    return story;
  }

  /** A run with these calls, in a new session or one that goes on; the results as the model got them. */
  async run(
    plan: readonly Step[],
    sessionId?: string,
  ): Promise<{ readonly sessionId: string; readonly results: readonly string[] }> {
    this.#plan = [...plan];
    const { test } = this;
    const before = sessionId === undefined ? 0 : (await this.#results(sessionId)).length;
    const id = sessionId ?? (await test.start('go'));
    if (sessionId !== undefined) await test.engine.agent.send(id, { text: 'again' });
    const end = await test.engine.agent.runs.settled(id);
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    return { sessionId: id, results: (await this.#results(id)).slice(before) };
  }

  /** A server's state, as the Control Center says it. */
  words(name: string): string {
    const view = this.harness.hub.servers().find((server) => server.name === name);
    assert.ok(view, name);
    return serverWords(view, true);
  }

  async #results(sessionId: string): Promise<string[]> {
    const messages = await this.test.messages(sessionId);
    return messages
      .flatMap((message) => toolResultsOf(message))
      .map(({ content }) => JSON.stringify(content));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test[Symbol.asyncDispose]();
    await this.harness.hub.dispose();
    assert.deepEqual(this.harness.processes(), [], 'processes are left');
  }
}

/** A browser that goes where it is sent. */
async function browse(address: URL): Promise<boolean> {
  for (let next: string | null = address.href; next !== null;) {
    const response: Response = await fetch(next, { redirect: 'manual' });
    next = response.headers.get('location');
  }
  return true;
}
