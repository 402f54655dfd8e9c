import { createHash } from 'node:crypto';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolCallPart } from '../../../src/domain/message.ts';
import type { PermissionRule } from '../../../src/domain/permissions/permission-rule.ts';
import type { LedgerEntry } from '../../../src/domain/run.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import type { Log } from '../../../src/core/ports/log.ts';
import type { Recorder } from '../../../src/core/ports/store/recorder.ts';
import type { RunRecords } from '../../../src/core/ports/store/run-records.ts';
import type { Decision } from '../../../src/core/permissions/decide.ts';
import { withCatchAll } from '../../../src/core/tool-call/wrappers/catch-all.ts';
import { withDeadline } from '../../../src/core/tool-call/wrappers/deadline.ts';
import { withHygiene } from '../../../src/core/tool-call/wrappers/hygiene.ts';
import { withIdentity } from '../../../src/core/tool-call/wrappers/identity.ts';
import { withLedger } from '../../../src/core/tool-call/wrappers/ledger.ts';
import { withLookup } from '../../../src/core/tool-call/wrappers/lookup.ts';
import { withPermission } from '../../../src/core/tool-call/wrappers/permission.ts';
import type { Decide } from '../../../src/core/tool-call/wrappers/approvals.ts';
import { resultText } from '../../../src/core/tool-call/result.ts';
import { withRetry } from '../../../src/core/tool-call/wrappers/retry.ts';
import { RunLedger } from '../../../src/core/tool-call/run-ledger.ts';
import { runTool } from '../../../src/core/tool-call/run-tool.ts';
import { withSizeLimit } from '../../../src/core/tool-call/wrappers/size-limit.ts';
import { withStarted } from '../../../src/core/tool-call/wrappers/started.ts';
import { wrapAll } from '../../../src/core/tool-call/tool-call.ts';
import type {
  Tool,
  ToolCall,
  ToolContext,
  ToolOutcome,
  ToolOutput,
} from '../../../src/core/tool-call/tool-call.ts';
import { withValidation } from '../../../src/core/tool-call/wrappers/validate.ts';
import type { Store } from '../../../src/store/store.ts';
import { open, run, session, temporaryFolder } from '../../contract/store/support.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** Characters of a result in these tests. */
export const LIMIT = 1000;

/** `editedAfter`: the text that the user made of the first file. */
type Given = Partial<ApprovalAnswer> & { readonly editedAfter?: string };

export type Answer = Given | Error | ((question: ApprovalQuestion) => Given | Promise<Given>);

let shared: Promise<{ readonly store: Store; readonly remove: () => void }> | undefined;
let rigs = 0;

async function openShared(): Promise<{ readonly store: Store; readonly remove: () => void }> {
  const folder = temporaryFolder();
  return { store: await open(folder.path), remove: () => folder.remove() };
}

after(async () => {
  const opened = await shared;
  shared = undefined;
  await opened?.store.close();
  opened?.remove();
});

/** A tool call as it is composed, over a real store; only time and the human are played. */
export class Rig {
  readonly clock = new FakeClock();
  readonly events: RunEventBody[] = [];
  readonly errors: string[] = [];
  readonly questions: ApprovalQuestion[] = [];
  /** What the human answers, in order; yes when nothing is prepared. */
  readonly answers: Answer[] = [];
  readonly tools: Tool[] = [];
  readonly abort = new AbortController();
  /** What was kept of a yes. */
  readonly kept: { where: string; rules: readonly PermissionRule[]; sessionId: string }[] = [];
  keepFails: Error | undefined;
  /** Tells what waits that the mode or the rules are others. */
  change: (what: 'mode' | 'rules') => void = () => undefined;
  /** What the ledger writes with. */
  commit: Recorder['commit'] = (writes) => this.store.recorder.commit(writes);
  /** What the ledger reads with. */
  readLedger: RunRecords['ledger'] = (filter) => this.store.runs.ledger(filter);
  decision: (tool: Tool) => Decision = (tool) => ({
    verdict: tool.permission === 'none' ? 'allow' : 'ask',
    judged: new Map(),
  });
  runs: RunLedger;
  toolCall: ToolCall;
  roots: readonly string[] = ['/ws'];
  /** Decides with everything that is known; `decision` is the short form. */
  decide: Decide = async (tool) => this.decision(tool);
  readonly session: string;
  readonly run: string;
  readonly #store: Store;

  private constructor(store: Store, number: number) {
    this.#store = store;
    this.session = `session-${number}`;
    this.run = `run-${number}`;
    this.runs = this.#newLedger();
    this.toolCall = this.#compose();
  }

  /** A run and a session of its own in a store that all tests share. */
  static async open(): Promise<Rig> {
    shared ??= openShared();
    const { store } = await shared;
    rigs += 1;
    const rig = new Rig(store, rigs);
    await store.recorder.commit([
      { kind: 'session', session: session(rig.session) },
      { kind: 'run', run: run(rig.run, rig.session) },
    ]);
    return rig;
  }

  get store(): Store {
    return this.#store;
  }

  readonly log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (message, thrown) => {
      this.errors.push(`${message} ${thrown instanceof Error ? (thrown.stack ?? '') : ''}`);
    },
  };

  /** Forgets what is in memory, as a new process does; the store stays. */
  async restart(): Promise<void> {
    await this.store.recorder.flush();
    this.runs = this.#newLedger();
    this.toolCall = this.#compose();
  }

  /** Adds a tool; it counts its runs. */
  tool(
    name: string,
    behaviour: (
      input: JsonObject,
      context: ToolContext,
    ) => Promise<ToolOutput | string> | ToolOutput | string,
    more: Partial<Tool> = {},
  ): { runs: number } {
    const count = { runs: 0 };
    this.tools.push({
      name,
      description: name,
      inputSchema: { type: 'object', properties: {} },
      sideEffects: false,
      level: 'guest',
      module: 'test',
      permission: more.sideEffects === true ? 'execute' : 'none',
      check: (input) => ({ input }),
      run: async (input, context) => {
        count.runs += 1;
        const output = await behaviour(input, context);
        return typeof output === 'string' ? { content: [{ type: 'text', text: output }] } : output;
      },
      ...more,
    });
    return count;
  }

  context(callId: string, more: Partial<ToolContext> = {}): ToolContext {
    return {
      callId,
      runId: this.run,
      sessionId: this.session,
      roots: this.roots,
      signal: this.abort.signal,
      emit: (event) => this.events.push(event),
      recordProcess: async () => undefined,
      ...more,
    };
  }

  call(
    name: string,
    input: JsonObject = {},
    { id = 'call-1', ...context }: Partial<ToolContext> & { readonly id?: string } = {},
  ): Promise<ToolOutcome> {
    return this.toolCall({ part: part(name, input, id), context: this.context(id, context) });
  }

  /** The row as it is on disk. */
  async row(callId = 'call-1'): Promise<LedgerEntry | undefined> {
    await this.store.recorder.flush();
    return this.store.runs.ledgerEntry(this.run, callId);
  }

  eventTypes(): string[] {
    return this.events.map((event) => event.type);
  }

  #newLedger(): RunLedger {
    return new RunLedger(
      { commit: (writes) => this.commit(writes) },
      { ledger: (filter) => this.readLedger(filter) },
      this.log,
    );
  }

  #compose(): ToolCall {
    const { clock, runs, log } = this;
    let ids = 0;
    const counting = { next: (kind: string) => `${kind}-${(ids += 1)}` };
    return wrapAll(runTool(log), [
      withCatchAll(log),
      withLookup(() => this.tools),
      withIdentity(),
      withValidation(),
      withLedger(runs, clock),
      withPermission({
        decide: (tool, request) => this.decide(tool, request),
        approver: { approve: (question, signal) => this.#answer(question, signal) },
        ids: counting,
        hash: (text) => createHash('sha256').update(text).digest('hex'),
        runs,
        keep: async (where, rules, sessionId) => {
          if (this.keepFails !== undefined) throw this.keepFails;
          this.kept.push({ where, rules, sessionId });
        },
        onChange: (listener) => {
          this.change = listener;
          return { dispose: () => undefined };
        },
      }),
      withStarted(runs, clock),
      withSizeLimit(
        { putResult: (...args) => this.store.blobs.putResult(...args) },
        counting,
        () => LIMIT,
      ),
      withHygiene(),
      withRetry(clock, runs, () => 500),
      withDeadline(clock, () => 120_000),
    ]);
  }

  async #answer(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.questions.push(question);
    const answer = this.answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    const given =
      typeof answer === 'function'
        ? await Promise.race([answer(question), untilAborted(signal)])
        : answer;
    if (given.reason === 'wait') await untilAborted(signal);
    const { editedAfter, ...rest } = given;
    const path = question.edits?.[0]?.path ?? '';
    return {
      questionId: question.id,
      hash: question.hash,
      allowed: true,
      ...(editedAfter === undefined ? {} : { edited: new Map([[path, editedAfter]]) }),
      ...rest,
    };
  }
}

export function part(name: string, input: JsonObject = {}, id = 'call-1'): ToolCallPart {
  return { type: 'tool_call', id, name, input };
}

export function textOf(outcome: ToolOutcome): string {
  return resultText(outcome.result);
}

/** What a wait does when its signal fires. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  throw new DOMException('stopped', 'AbortError');
}

/** Waits until something has happened; the store's thread takes real time. */
export async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('It did not happen within 4 s.');
}
