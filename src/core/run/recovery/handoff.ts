import { toldResult } from '../../tool-call/result.ts';
import { NO_PERSONA } from '../../../domain/persona.ts';
import { type BelayError, fault, tells } from '../../../domain/failure.ts';
import { told, type Told } from '../../../domain/text/told.ts';
import type { Json } from '../../../domain/data/json.ts';
import { currentParts } from '../../../domain/models/replay.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../../domain/message.ts';
import type {
  Checkpoint,
  CheckpointKind,
  LedgerEntry,
  Run,
  RunState,
} from '../../../domain/run.ts';
import { isSamePrompt } from '../../context/prompt-hash.ts';
import type { Handoff, SessionOptions, UnknownDecision } from '../agent-service.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Recorder, Write } from '../../ports/store/recorder.ts';
import type { RunRecords } from '../../ports/store/run-records.ts';
import type { Transcripts } from '../../ports/store/transcripts.ts';
import type { Mode } from '../../tool-call/tool-call.ts';
import { Transcript } from '../../session/transcript.ts';

/** Runs that something may be left of. */
const OPEN_STATES: readonly RunState[] = ['running', 'waiting_on_human', 'timed_out'];

/** Checkpoints from which a run may be resumed by itself (C8). */
const RESUMABLE: Readonly<Record<CheckpointKind, boolean>> = {
  input: true,
  llm_response: true,
  tool_result: true,
  journal_update: true,
  compaction: true,
  human_pause: false,
  final: false,
};

export interface HandoffPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly recorder: Recorder;
  readonly transcripts: Transcripts;
  readonly runs: RunRecords;
  /** The `promptHash` that a run with these options would have now (C8); while servers start without their tools. */
  readonly promptHash: (
    options: Pick<SessionOptions, 'model' | 'mode'>,
    sessionId: string,
  ) => Promise<string>;
}

/** The latest checkpoint's word on going on (C8). */
export function eligibility(checkpoint: Checkpoint | undefined): {
  readonly resumable: boolean;
  readonly asksAgain?: boolean;
  readonly reason?: Told;
} {
  if (checkpoint === undefined)
    return { resumable: false, reason: told`No safe point of this run was recorded.` };
  if (RESUMABLE[checkpoint.kind]) return { resumable: true };
  return checkpoint.kind === 'final'
    ? { resumable: false, reason: told`The run had ended already.` }
    : {
        resumable: false,
        asksAgain: true,
        reason: told`The run was waiting for you; going on asks you again.`,
      };
}

/** The run that was left behind in a session, with what is certain and what is not. */
export async function readHandoff(
  sessionId: string,
  ports: HandoffPorts,
): Promise<Handoff | undefined> {
  const run = await abandonedRun(sessionId, ports);
  if (run === undefined) return undefined;
  const [remains, checkpoint] = await Promise.all([
    abandonedCalls(run, ports),
    ports.runs.latestCheckpoint(run.id),
  ]);
  return {
    run,
    ...remains,
    ...eligibility(checkpoint),
    promptDrift: await hasDrifted(run, checkpoint, ports),
  };
}

/** The newest run of a session that did not end, in the order in which runs were made: clocks jump. */
export async function abandonedRun(
  sessionId: string,
  { runs }: Pick<HandoffPorts, 'runs'>,
): Promise<Run | undefined> {
  return (await runs.runs({ sessionId, states: OPEN_STATES })).at(-1);
}

export type AbandonedCalls = Pick<Handoff, 'written' | 'finished' | 'unknown'>;

export async function abandonedCalls(
  run: Run,
  { runs, transcripts }: Pick<HandoffPorts, 'runs' | 'transcripts'>,
): Promise<AbandonedCalls> {
  const [entries, draft] = await Promise.all([
    runs.ledger({ runId: run.id }),
    transcripts.draftOf(run.sessionId),
  ]);
  const written = draft === undefined ? [] : draftedParts(draft.parts);
  return {
    written,
    finished: entries.filter((entry) => entry.result !== undefined),
    unknown: entries.filter((entry) => isUnknown(entry)),
  };
}

/** True when instructions, prompt or tools changed since the stop; modes are the person's. */
async function hasDrifted(
  run: Run,
  checkpoint: Checkpoint | undefined,
  ports: HandoffPorts,
): Promise<boolean> {
  if (checkpoint === undefined || checkpoint.promptHash === '') return false;
  const { model, persona = NO_PERSONA } = run;
  const options = { model, mode: run.mode as Mode, persona };
  return !isSamePrompt(checkpoint.promptHash, await ports.promptHash(options, run.sessionId));
}

/** It had begun, has side effects, and nobody knows how it ended. */
function isUnknown(entry: LedgerEntry): boolean {
  return (
    !entry.idempotent &&
    (entry.state === 'unknown' || entry.state === 'running') &&
    entry.result === undefined
  );
}

/** Finds the calls of a run that have no result, whether they began or not, with their rows in the ledger. */
export async function findOpenCalls(
  { id: runId, sessionId }: Run,
  { transcripts, runs, ids, clock }: OpenCallPorts,
): Promise<readonly { readonly call: ToolCallPart; readonly row: LedgerEntry | undefined }[]> {
  const [messages, rows] = await Promise.all([
    transcripts.messages({ sessionId, limit: 50 }),
    runs.ledger({ runId }),
  ]);
  return new Transcript({ sessionId, runId }, messages, ids, clock)
    .unanswered()
    .map((call) => ({ call, row: rows.find(({ callId }) => callId === call.id) }))
    .filter(({ row }) => row?.result === undefined);
}

type OpenCallPorts = Pick<HandoffPorts, 'clock' | 'ids' | 'runs' | 'transcripts'>;

/**
 * Finds the calls without a result whose end a damaged record may have lost. That the record says nothing of a call, or
 * that it never began, proves nothing then.
 */
export async function findLostCalls(
  run: Run,
  ports: OpenCallPorts,
): Promise<readonly LedgerEntry[]> {
  const { id: runId, sessionId } = run;
  const open = await findOpenCalls(run, ports);
  return open.flatMap(({ call: { id: callId, name, input }, row }): LedgerEntry[] => {
    if (row?.idempotent === true) return [];
    const call = { runId, sessionId, callId, name, input, idempotent: false, attempts: 0 };
    return [{ ...call, ...row, state: 'unknown' }];
  });
}

/** Records what the person decided about each unknown call; the ledger then replays, repeats or tells the model. */
export async function applyDecisions(
  handoff: Pick<Handoff, 'unknown'>,
  decisions: Readonly<Record<string, UnknownDecision>>,
  ports: HandoffPorts,
): Promise<void> {
  const writes = handoff.unknown.map((entry): Write => {
    const decision = Object.hasOwn(decisions, entry.callId)
      ? decisions[entry.callId]
      : 'let_model_check';
    return {
      kind: 'ledger',
      entry: decided(entry, decision ?? 'let_model_check', ports.clock.now()),
    };
  });
  if (writes.length > 0) await ports.recorder.commit(writes);
}

function decided(entry: LedgerEntry, decision: UnknownDecision, at: number): LedgerEntry {
  const part = { id: entry.callId, name: entry.name };
  const ended = (state: 'done' | 'unknown', said: Told): LedgerEntry => ({
    ...entry,
    state,
    completedAt: at,
    result: toldResult(part, state, said) as unknown as Json,
  });
  switch (decision) {
    case 'happened':
      return ended(
        'done',
        told`${entry.name} was interrupted, but the person says that it happened. Its output was lost.`,
      );
    case 'let_model_check':
      return ended(
        'unknown',
        told`${entry.name} was interrupted when Belay stopped. Its outcome is unknown: it may have happened, in part or whole. Check the present state before you do it again.`,
      );
    case 'run_again': {
      const {
        startedAt: _startedAt,
        completedAt: _completedAt,
        result: _result,
        process: _process,
        ...rest
      } = entry;
      return { ...rest, state: 'pending' };
    }
    default:
      return decision satisfies never;
  }
}

export type ClosePorts = Pick<HandoffPorts, 'clock' | 'ids' | 'recorder' | 'transcripts'>;

/** Gives a run up: open calls get results (D4), whole parts stay. Gives the added messages. */
export async function closeRun(
  run: Run,
  remains: AbandonedCalls,
  ports: ClosePorts,
): Promise<readonly Message[]> {
  const messages = await ports.transcripts.messages({ sessionId: run.sessionId, limit: 50 });
  const transcript = new Transcript(
    { sessionId: run.sessionId, runId: run.id },
    messages,
    ports.ids,
    ports.clock,
  );
  const results = transcript.unanswered().map((call) => resultOfOpenCall(call, remains));
  const added: Message[] = [];
  if (results.length > 0) added.push(...transcript.answer(results));
  if (remains.written.length > 0) {
    const { message: detail, told: said } = tells(
      told`Belay ended while this was written; what is here is what had been recorded.`,
    );
    const end: Part = { type: 'finish', reason: 'canceled', detail, told: said };
    const parts: Part[] = [...remains.written, end];
    added.push(transcript.append({ role: 'assistant', parts, model: run.model }));
    const notBegun = transcript
      .unanswered()
      .map((call) =>
        toldResult(call, 'canceled', told`Not run: Belay ended before the answer was complete.`),
      );
    if (notBegun.length > 0) added.push(transcript.append({ role: 'tool', parts: notBegun }));
  }
  await ports.recorder.commit([
    ...added.map((message): Write => ({ kind: 'message', message })),
    { kind: 'run', run: givenUp(run, ports.clock.now()) },
  ]);
  return added;
}

/** The row of a run that nobody goes on with. */
function givenUp(run: Run, at: number): Run {
  const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
  return { ...run, state: 'cancelled', end, resumeAvailable: false, endedAt: at };
}

function resultOfOpenCall(
  call: { readonly id: string; readonly name: string },
  { finished, unknown }: AbandonedCalls,
): ToolResultPart {
  const result = finished.find((entry) => entry.callId === call.id)?.result;
  if (result !== undefined) return result as unknown as ToolResultPart;
  const begun = unknown.some((entry) => entry.callId === call.id);
  return begun
    ? toldResult(
        call,
        'unknown',
        told`${call.name} was interrupted; its outcome is unknown. Check before you repeat it.`,
      )
    : toldResult(call, 'canceled', told`Canceled by the user before it began.`);
}

/** Parts of a draft that can be kept: text, whole calls, thinking that can be sent again. */
function draftedParts(parts: Json): readonly Part[] {
  if (!Array.isArray(parts)) return [];
  return currentParts((parts as unknown as (Part | null)[]).filter((part) => part !== null)).filter(
    (part) => {
      if (part.type === 'text') return part.text.trim() !== '';
      if (part.type === 'reasoning') return part.replay !== undefined;
      return part.type === 'tool_call';
    },
  );
}

/** The failure for a run that nothing is left of. */
export function nothingToResume(): BelayError {
  return fault(
    'not_found',
    told`There is nothing to resume in this session. Send a message to go on.`,
  );
}
