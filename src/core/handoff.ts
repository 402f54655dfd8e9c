import { BelayError } from '../domain/failure.ts';
import type { Json } from '../domain/json.ts';
import type { Message, Part, ToolResultPart } from '../domain/message.ts';
import type { Checkpoint, CheckpointKind, LedgerEntry, Run, RunState } from '../domain/run.ts';
import type { Handoff, SessionOptions, UnknownDecision } from './agent-service.ts';
import type { Clock, Ids, Recorder, RunRecords, Transcripts, Write } from './ports.ts';
import { textResult } from './tool-call/tool-call.ts';
import type { Mode } from './tool-call/tool-call.ts';
import { Transcript } from './transcript.ts';

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
  /** Hash of system prompt and tools as a run with these options would have them now (C8). */
  readonly promptHash: (
    options: Pick<SessionOptions, 'model' | 'mode'>,
    sessionId: string,
  ) => Promise<string>;
}

/** What the latest checkpoint says about going on (C8). */
export function eligibility(checkpoint: Checkpoint | undefined): {
  readonly resumable: boolean;
  readonly reason?: string;
} {
  if (checkpoint === undefined)
    return { resumable: false, reason: 'No safe point of this run was recorded.' };
  if (RESUMABLE[checkpoint.kind]) return { resumable: true };
  const reason =
    checkpoint.kind === 'final'
      ? 'The run had ended already.'
      : 'The run was waiting for you; going on asks you again.';
  return { resumable: false, reason };
}

/** The run that was left behind in a session, with what is certain and what is not. */
export async function readHandoff(
  sessionId: string,
  ports: HandoffPorts,
): Promise<Handoff | undefined> {
  const open = await ports.runs.runs({ sessionId, states: OPEN_STATES });
  const run = open.reduce<Run | undefined>(
    (newest, next) => (newest === undefined || next.startedAt >= newest.startedAt ? next : newest),
    undefined,
  );
  if (run === undefined) return undefined;
  const [entries, checkpoint, draft] = await Promise.all([
    ports.runs.ledger({ runId: run.id }),
    ports.runs.latestCheckpoint(run.id),
    ports.transcripts.draftOf(sessionId),
  ]);
  const text = draft === undefined ? '' : draftText(draft.parts);
  return {
    run,
    ...(text === '' ? {} : { draft: text }),
    finished: entries.filter((entry) => entry.result !== undefined),
    unknown: entries.filter((entry) => isUnknown(entry)),
    ...eligibility(checkpoint),
    promptDrift: await hasDrifted(run, checkpoint, ports),
  };
}

/** Whether instructions, prompt or tools are others than when the run stopped. A changed mode is the person's own doing. */
async function hasDrifted(
  run: Run,
  checkpoint: Checkpoint | undefined,
  ports: HandoffPorts,
): Promise<boolean> {
  if (checkpoint === undefined || checkpoint.promptHash === '') return false;
  const options = { model: run.model, mode: run.mode as Mode };
  return (await ports.promptHash(options, run.sessionId)) !== checkpoint.promptHash;
}

/** It had begun, has side effects, and nobody knows how it ended. */
export function isUnknown(entry: LedgerEntry): boolean {
  return (
    !entry.idempotent &&
    (entry.state === 'unknown' || entry.state === 'running') &&
    entry.result === undefined
  );
}

/** Records what the person decided about each unknown call; the ledger then replays, repeats or tells the model. */
export async function applyDecisions(
  handoff: Handoff,
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
  const ended = (state: 'done' | 'unknown', text: string): LedgerEntry => ({
    ...entry,
    state,
    completedAt: at,
    result: textResult(part, state, text) as unknown as Json,
  });
  switch (decision) {
    case 'happened':
      return ended(
        'done',
        `${entry.name} was interrupted, but the person says that it happened. Its output was lost.`,
      );
    case 'let_model_check':
      return ended(
        'unknown',
        `${entry.name} was interrupted; its outcome is unknown: it may have happened, in part or whole. Check the present state before you do it again.`,
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

/**
 * Gives a run up: every open call gets a result in the transcript, so that the session can go on (D4).
 * What has finished keeps its real result.
 */
export async function closeRun(handoff: Handoff, ports: HandoffPorts): Promise<readonly Message[]> {
  const { run } = handoff;
  const messages = await ports.transcripts.messages({ sessionId: run.sessionId, limit: 50 });
  const transcript = new Transcript(
    { sessionId: run.sessionId, runId: run.id },
    messages,
    ports.ids,
    ports.clock,
  );
  const results = transcript.unanswered().map((call) => resultOfOpenCall(call, handoff));
  const added = results.length === 0 ? [] : [transcript.append({ role: 'tool', parts: results })];
  const end = { reason: 'canceled', state: 'cancelled', canContinue: false } as const;
  const closed: Run = {
    ...run,
    state: 'cancelled',
    end,
    resumeAvailable: false,
    endedAt: ports.clock.now(),
  };
  await ports.recorder.commit([
    ...added.map((message): Write => ({ kind: 'message', message })),
    { kind: 'run', run: closed },
  ]);
  return added;
}

function resultOfOpenCall(
  call: { readonly id: string; readonly name: string },
  handoff: Handoff,
): ToolResultPart {
  const finished = handoff.finished.find((entry) => entry.callId === call.id)?.result;
  if (finished !== undefined) return finished as unknown as ToolResultPart;
  const begun = handoff.unknown.some((entry) => entry.callId === call.id);
  return begun
    ? textResult(
        call,
        'unknown',
        `${call.name} was interrupted; its outcome is unknown. Check before you repeat it.`,
      )
    : textResult(call, 'canceled', 'Canceled by the user before it began.');
}

function draftText(parts: Json): string {
  if (!Array.isArray(parts)) return '';
  return (parts as unknown as Part[])
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

/** The failure for a run that nothing is left of. */
export function nothingToResume(): BelayError {
  return new BelayError({
    code: 'not_found',
    message: 'There is nothing to resume in this session. Send a message to go on.',
  });
}
