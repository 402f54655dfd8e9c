import type { RunEventBody } from '../../domain/event.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../../domain/message.ts';
import type { Checkpoint, CheckpointKind, Run, RunEnd } from '../../domain/run.ts';
import type { Compaction } from '../../domain/session/session.ts';
import { type AssistantTurn, streamAssistantTurn } from './assistant-turn.ts';
import { compactionEvent, compactionWarning } from '../context/compaction/compact.ts';
import { runLoop } from '../loop.ts';
import type { LoopRun, LoopState } from '../loop-run.ts';
import { callRecord, callRecordsOf, MOST_CALLS } from '../policies/call-record.ts';
import { WorkTime } from '../policies/work-time.ts';
import { divergenceOf } from '../model-call/divergence.ts';
import type { ModelRequest } from '../model-call/model-call.ts';
import type { RetryWaits } from '../model-call/retry-waits.ts';
import { type CallRecord, type TurnOutcome, type TurnView, PolicyBoard } from '../policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Ids } from '../ports/ids.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';
import { RunContext } from './run-context.ts';
import { RunRecord } from './run-record.ts';
import { leavesCallsOpen, stopReasonOf } from './run-end.ts';
import type { RunParts } from './run-parts.ts';
import { runBatch } from '../tool-call/batch.ts';
import type { ToolContext } from '../tool-call/tool-call.ts';
import type { Transcript } from '../session/transcript.ts';

export interface DriveRunPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly recorder: Recorder;
  readonly emit: (event: RunEventBody) => void;
  readonly takeSteering: (transcript: Transcript) => Promise<readonly Message[]>;
}

export interface DrivenRun {
  readonly run: Run;
  readonly parts: RunParts;
  /** The compaction in force when the run starts. */
  readonly compaction: Compaction | undefined;
  readonly transcript: Transcript;
  readonly abort: AbortController;
  readonly waits: RetryWaits;
  /** The checkpoint that a resumed run goes on from. */
  readonly from?: Checkpoint | undefined;
}

/** Drives a run to its end, within its hard time limit (C5). */
export async function driveRun(driven: DrivenRun, ports: DriveRunPorts): Promise<RunEnd> {
  const { run, parts, abort, from } = driven;
  const time = new WorkTime(ports.clock, from?.loop.activeMs);
  const deadline = time.deadline(parts.hardTimeLimitMs);
  const overtime = (): void => abort.abort('time_limit');
  // A resumed run may have used its time before.
  if (deadline.signal.aborted) overtime();
  else deadline.signal.addEventListener('abort', overtime, { once: true });
  const record = new RunRecord(run, from?.number ?? 0, ports);
  abort.signal.addEventListener('abort', () => noteCancel(abort.signal, record), { once: true });
  try {
    const conductor = new Conductor(driven, ports, { time, record });
    const end = await runLoop(conductor);
    record.change({ state: end.state, end });
    // A run that stops with its calls open can be resumed there.
    if (leavesCallsOpen(abort.signal)) await record.save();
    else {
      record.change({ endedAt: ports.clock.now() });
      await conductor.checkpoint('final', []);
    }
    return end;
  } finally {
    deadline.dispose();
    parts.dispose();
    parts.release();
  }
}

/** The wish to stop is on disk at once: if the process dies while stopping, the run is cancelled, not resumed (C6). */
function noteCancel(signal: AbortSignal, record: RunRecord): void {
  if (stopReasonOf(signal) !== 'canceled') return;
  record.change({ cancelRequested: true });
  record.save().catch(() => undefined); // the loop's next write fails for the same reason, and is awaited
}

/** A run's world, as its loop has it. */
class Conductor implements LoopRun {
  readonly signal: AbortSignal;
  readonly state: LoopState;
  readonly transcript: Transcript;
  readonly policies: PolicyBoard;
  readonly #parts: RunParts;
  readonly #ports: DriveRunPorts;
  readonly #context: RunContext;
  readonly #time: WorkTime;
  readonly #record: RunRecord;
  readonly #retryWaits: RetryWaits;
  readonly #waits = new Map<string, Disposable>();
  readonly #children = new Map<string, Disposable>();
  readonly #calls: CallRecord[];
  /** Since the last checkpoint. */
  #journalWritten = false;
  #requests: { readonly last?: ModelRequest; readonly before?: ModelRequest } = {};

  constructor(
    { run, parts, compaction, transcript, abort, waits, from }: DrivenRun,
    ports: DriveRunPorts,
    { time, record }: { readonly time: WorkTime; readonly record: RunRecord },
  ) {
    this.#time = time;
    this.#record = record;
    this.#parts = parts;
    this.#ports = ports;
    this.transcript = transcript;
    this.signal = abort.signal;
    this.#retryWaits = waits;
    this.state = { iteration: from?.iteration ?? 0, forceTool: from?.loop.forceTool };
    this.policies = new PolicyBoard(parts.policies, from?.policyStates);
    this.#calls = callRecordsOf(transcript.messages, run.id, (name) => this.#isIdempotent(name));
    this.#context = new RunContext(
      { ...parts, emit: this.emit },
      transcript,
      compaction,
      from?.loop.lastCompaction,
    );
  }

  /** Waiting for the human stops the time and shows in the run's row; the loop does not wait for that write. */
  readonly emit = (event: RunEventBody): void => {
    if (event.type === 'agent_run.waiting') {
      this.#waits.set(event.questionId, this.#time.pause());
      this.#noteWaiting('human_pause');
    }
    if (event.type === 'agent_run.answered') {
      this.#waits.get(event.questionId)?.dispose();
      this.#waits.delete(event.questionId);
      if (!leavesCallsOpen(this.signal)) this.#noteWaiting('llm_response');
    }
    if (event.type === 'journal_update') this.#journalWritten = true;
    // A child has a time of its own.
    if (event.type === 'agent.child.started') this.#children.set(event.childId, this.#time.pause());
    if (event.type === 'agent.child.ended') this.#children.get(event.childId)?.dispose();
    this.#ports.emit(event);
    if (event.type === 'model.usage') this.#count(event);
  };

  async view(moment: 'before' | 'after', turn?: TurnOutcome): Promise<TurnView> {
    if (moment === 'before') {
      await this.#parts.tools.refresh();
      await this.#context.prepare(this.state.forceTool);
      this.#context.considerCompaction();
    }
    const { lastCompaction, estimatedTokens, contextLimit } = this.#context;
    return {
      iteration: this.state.iteration,
      activeMs: this.#time.activeMs,
      contextTokens: estimatedTokens,
      contextLimit,
      messageCount: this.transcript.messages.length,
      calls: this.#calls,
      tools: this.#parts.tools.current.map(({ name }) => name),
      ...(lastCompaction === undefined ? {} : { lastCompaction }),
      ...(turn === undefined ? {} : { turn }),
    };
  }

  async callModel(): Promise<AssistantTurn> {
    const { request, estimatedTokens, contextLimit } = await this.#context.prepare(
      this.state.forceTool,
    );
    const { iteration } = this.state;
    const { last } = this.#requests;
    this.#requests = { last: request, ...(last === undefined ? {} : { before: last }) };
    this.emit({ type: 'agent_run.iteration', iteration, activeMs: this.#time.activeMs });
    this.emit({
      type: 'model.request',
      iteration,
      model: request.model,
      estimatedTokens,
      contextLimit,
    });
    return streamAssistantTurn(
      this.#parts.modelCall,
      request,
      {
        signal: this.signal,
        sessionId: this.#record.run.sessionId,
        runId: this.#record.run.id,
        purpose: 'turn',
        emit: this.emit,
        estimatedTokens,
        waits: this.#retryWaits,
      },
      { seq: this.transcript.cursor + 1, nextId: () => this.#ports.ids.next('message') },
    );
  }

  async runBatch(calls: readonly ToolCallPart[]): Promise<readonly ToolResultPart[]> {
    return runBatch(calls, {
      toolCall: this.#parts.toolCall,
      tools: this.#parts.tools.current,
      parallel: this.#parts.parallelCalls,
      contextOf: (call) => this.#contextOf(call),
      signal: this.signal,
    });
  }

  recordOf(call: ToolCallPart, result: ToolResultPart): CallRecord {
    const record = callRecord(call, result, this.#isIdempotent(call.name), this.state.iteration);
    this.#calls.push(record);
    if (this.#calls.length > MOST_CALLS) this.#calls.shift();
    return record;
  }

  async compact(verdict: Parameters<LoopRun['compact']>[0]): Promise<void> {
    const result = await this.#context.compact(verdict, this.state.iteration, this.signal);
    if (result.compaction === undefined) return;
    await this.#commit('compaction', [{ kind: 'compaction', compaction: result.compaction }]);
    this.emit(compactionEvent(result));
    const warning = compactionWarning(result);
    if (warning !== undefined) this.emit(warning);
  }

  async takeSteering(): Promise<readonly Message[]> {
    return this.#ports.takeSteering(this.transcript);
  }

  async checkpoint(kind: CheckpointKind, messages: readonly Message[]): Promise<void> {
    for (const message of messages)
      if (message.role === 'assistant') this.#context.observe(message);
    const written = this.#journalWritten && kind === 'tool_result';
    if (written) this.#journalWritten = false;
    await this.#commit(
      written ? 'journal_update' : kind,
      messages.map((message) => ({ kind: 'message', message })),
    );
  }

  #isIdempotent(name: string): boolean {
    return this.#parts.tools.current.find((tool) => tool.name === name)?.sideEffects === false;
  }

  /** Counts a call's cost, and the share of it that the prompt cache held. */
  #count({ usage, purpose }: Extract<RunEventBody, { type: 'model.usage' }>): void {
    const total = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
    const { last, before } = this.#requests;
    if (purpose !== 'turn' || last === undefined) return;
    const divergence = before === undefined ? undefined : divergenceOf(before, last);
    this.#ports.emit({
      type: 'model.prefix',
      iteration: this.state.iteration,
      cacheReadTokens: usage.cacheReadTokens,
      totalInputTokens: total,
      ...(divergence === undefined ? {} : { divergence }),
    });
  }

  #noteWaiting(kind: 'human_pause' | 'llm_response'): void {
    if (this.signal.aborted) return;
    this.#record.change({ state: this.#waits.size > 0 ? 'waiting_on_human' : 'running' });
    this.#commit(kind, []).catch(() => undefined); // the loop's next write fails for the same reason, and is awaited
  }

  async #commit(kind: CheckpointKind, writes: readonly Write[]): Promise<void> {
    const { iteration, forceTool } = this.state;
    const { lastCompaction, promptHash } = this.#context;
    await this.#record.checkpoint(kind, writes, {
      iteration,
      messageCursor: this.transcript.cursor,
      messageCount: this.transcript.messages.length,
      promptHash,
      finishedCallIds: this.#calls.map((call) => call.callId),
      policyStates: this.policies.states,
      loop: {
        activeMs: this.#time.activeMs,
        ...(forceTool === undefined ? {} : { forceTool }),
        ...(lastCompaction === undefined ? {} : { lastCompaction }),
      },
    });
  }

  #contextOf(call: ToolCallPart): ToolContext {
    const request = this.transcript.request;
    return {
      callId: call.id,
      runId: this.#record.run.id,
      turn: this.state.iteration,
      sessionId: this.#record.run.sessionId,
      ...(request === undefined ? {} : { messageId: request.id }),
      ...this.#parts.context,
      signal: this.signal,
      emit: this.emit,
      recordProcess: async () => undefined, // the ledger wrapper puts in its own
    };
  }
}
