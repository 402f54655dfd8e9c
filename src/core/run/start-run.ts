import { told } from '../../domain/text/told.ts';
import { type Failure, failureOf, tells, sentenceOf } from '../../domain/failure.ts';
import { attachmentWrites } from './attached-parts.ts';
import type { RunEventBody } from '../../domain/event.ts';
import type { Journal } from '../../domain/session/journal.ts';
import type { Memory } from '../../domain/memory.ts';
import type { Message } from '../../domain/message.ts';
import type { Checkpoint, Run, RunEnd } from '../../domain/run.ts';
import type { Compaction, Session } from '../../domain/session/session.ts';
import type { ActiveRun } from './active-runs.ts';
import type { SessionOptions } from './agent-service.ts';
import { journalNote } from '../context/prompt/journal.ts';
import { memoriesText } from '../context/prompt/memories.ts';
import type { EventBroker } from '../session/event-broker.ts';
import { driveRun } from './drive-run.ts';
import { type Opening, CONTINUE_TEXT, partsOf } from './opening.ts';
import { patientRecorder } from './patient-recorder.ts';
import { NO_PERSONA } from '../../domain/persona.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Recorder, Write } from '../ports/store/recorder.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import { betweenTurns, newsMessage, noteMessage, toldOf } from './model-notices.ts';
import type { ModelNotice, ModelNotices, Steering } from './model-notices.ts';
import { leavesCallsOpen, runEndOf, stopReasonOf } from './run-end.ts';
import type { PrepareRun } from './run-parts.ts';
import { type NewMessage, Transcript } from '../session/transcript.ts';

export interface StartRunPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly broker: EventBroker;
  readonly recorder: Recorder;
  readonly transcripts: Transcripts;
  readonly prepare: PrepareRun;
  /** The note beside the person's message that comes behind `cursor` (A7); `undefined`: nothing new. */
  readonly environment: (
    sessionId: string,
    previous: string | undefined,
    cursor: number,
  ) => Promise<string | undefined>;
  /** Notes of earlier sessions that fit a message (A12), the best first. Absent, or rejected: none. */
  readonly memories?: (text: string) => Promise<readonly Memory[]>;
  /** The journal of a session, where this opening goes on with something (C10); `undefined`: it does not. */
  readonly journal?: (sessionId: string, opening: Opening['kind']) => Promise<Journal | undefined>;
  /** News beside the run since the model was last told. */
  readonly news?: ModelNotices;
  readonly steering: Steering;
}

/** Messages at a session's start, the person's first among them. */
const OPENING_MESSAGES = 3;

export interface RunStart {
  readonly session: Session;
  readonly options: Required<SessionOptions>;
  readonly opening: Opening;
  readonly active: ActiveRun;
  /** Told when the opening is on disk: from then on nothing of it can be lost. */
  readonly begun: (runId: string) => void;
}

/**
 * Runs one run to its end. Message, row and first checkpoint are one transaction; only then anything is prepared or
 * sent.
 */
export async function startRun(launch: RunStart, ports: StartRunPorts): Promise<RunEnd> {
  const { session, active, opening } = launch;
  const run = newRun(launch, ports);
  active.runId = run.id;
  const emit = (event: RunEventBody): void => ports.broker.publish(session.id, run.id, event);
  const { signal } = active.abort;
  const recorder = patientRecorder(ports.recorder, {
    clock: ports.clock,
    log: ports.log,
    signal: shutdownOf(signal),
    warn: (...sentences) => emit({ type: 'warning', ...tells(...sentences) }),
  });
  const { transcript, compaction } = await loadTranscript(session.id, run.id, ports);
  await open(launch, { run, transcript, recorder, emit }, ports);
  launch.begun(run.id);
  let notes = await lateNotes(opening, transcript, ports);
  let end: RunEnd;
  try {
    const resumed = opening.kind === 'resume';
    const parts = await ports.prepare({
      run,
      options: launch.options,
      compaction,
      resumed,
      recorder,
      emit,
      signal,
    });
    const from = opening.kind === 'resume' ? opening.checkpoint : undefined;
    end = await driveRun(
      {
        run,
        parts,
        compaction,
        transcript,
        abort: active.abort,
        waits: active.waits,
        from,
      },
      {
        clock: ports.clock,
        ids: ports.ids,
        recorder,
        emit,
        takeSteering: async (into) => {
          // Calls have their results, and the model has not been asked: nothing is lost or done twice here.
          if (active.leaves && into.messages.at(-1)?.role === 'tool') {
            active.abort.abort('handover');
            return [];
          }
          const added = await betweenTurns(into, { sessionId: session.id, notes, recorder }, ports);
          notes = [];
          return added;
        },
      },
    );
  } catch (error) {
    end = await endOfBroken(error, run, active.abort.signal, ports);
  }
  const event = endEvent(end, run, signal);
  if (event !== undefined) emit(event);
  return end;
}

const isPersona = (name: string): boolean => name !== '' && name !== NO_PERSONA;

function newRun({ session, options, opening }: RunStart, { clock, ids }: StartRunPorts): Run {
  const now = clock.now();
  const fresh = {
    state: 'running',
    model: options.model,
    mode: options.mode,
    ...(isPersona(options.persona) ? { persona: options.persona } : {}),
    cancelRequested: false,
    resumeAvailable: false,
    heartbeatAt: now,
  } as const;
  if (opening.kind !== 'resume') {
    return { ...fresh, id: ids.next('run'), sessionId: session.id, iteration: 0, startedAt: now };
  }
  const { id, sessionId, iteration, startedAt } = opening.run;
  return { ...fresh, id, sessionId, iteration, startedAt };
}

/** The messages that a run needs: the first of the session, and all that no summary stands for. */
async function loadTranscript(
  sessionId: string,
  runId: string,
  { transcripts, ids, clock }: StartRunPorts,
): Promise<{ transcript: Transcript; compaction: Compaction | undefined }> {
  const compaction = (await transcripts.compactions(sessionId)).findLast((made) => !made.undone);
  const afterSeq = compaction?.throughSeq ?? 0;
  const [head, tail] = await Promise.all([
    afterSeq === 0
      ? []
      : transcripts.messages({ sessionId, beforeSeq: Math.min(afterSeq, OPENING_MESSAGES) + 1 }),
    transcripts.messages({ sessionId, afterSeq }),
  ]);
  return {
    transcript: new Transcript({ sessionId, runId }, [...head, ...tail], ids, clock),
    compaction,
  };
}

interface Opened {
  readonly run: Run;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly emit: (event: RunEventBody) => void;
}

async function open(
  { opening }: RunStart,
  { run, transcript, recorder, emit }: Opened,
  ports: StartRunPorts,
): Promise<void> {
  const { messages, news } = await openingMessages(opening, transcript, ports);
  const writes: Write[] = messages.map((message) => ({ kind: 'message', message }));
  if (opening.kind === 'message')
    writes.push(...attachmentWrites(run.sessionId, opening.attachments));
  writes.push(...toldOf(news));
  if (opening.kind === 'message' && opening.queuedId !== undefined)
    writes.push({ kind: 'dequeued', id: opening.queuedId });
  writes.push({ kind: 'run', run });
  if (opening.kind !== 'resume')
    writes.push({ kind: 'checkpoint', checkpoint: firstCheckpoint(run, transcript) });
  await recorder.commit(writes);
  emit({ type: 'agent_run.started', model: run.model, resumed: opening.kind === 'resume' });
  for (const message of messages) emit({ type: 'message.added', message });
}

/** Decisions made meanwhile come first: the first answer knows them. */
async function openingMessages(
  opening: Opening,
  transcript: Transcript,
  ports: StartRunPorts,
): Promise<{ readonly messages: readonly Message[]; readonly news: readonly ModelNotice[] }> {
  // Behind calls that are open nothing but their results may come.
  const isOpen = transcript.unanswered().length > 0;
  const isMessage = opening.kind === 'message';
  const [environment, memories, news, journal] = await Promise.all([
    isMessage ? environmentOf(transcript, ports) : [],
    // A task comes with all that it needs.
    isMessage && opening.origin !== 'parent' ? memoriesOf(opening.text, transcript, ports) : [],
    isOpen ? [] : (ports.news?.review(transcript.sessionId) ?? []),
    isOpen ? [] : journalOf(opening, transcript, ports),
  ]);
  const told = news.length === 0 ? [] : [newsMessage(news)];
  const said = [...told, ...environment, ...memories, ...journal, ...saidIn(opening, transcript)];
  return { messages: said.map((message) => transcript.append(message)), news };
}

async function environmentOf(
  transcript: Transcript,
  ports: StartRunPorts,
): Promise<readonly NewMessage[]> {
  const previous = transcript.messages.findLast((message) => message.origin === 'environment');
  const noted = previous?.parts[0]?.type === 'text' ? previous.parts[0].text : undefined;
  const text = await ports.environment(transcript.sessionId, noted, transcript.cursor);
  return text === undefined
    ? []
    : [{ role: 'user', origin: 'environment', parts: [{ type: 'text', text }] }];
}

async function memoriesOf(
  message: string,
  transcript: Transcript,
  { memories, log }: StartRunPorts,
): Promise<readonly NewMessage[]> {
  try {
    const found = (await memories?.(message)) ?? [];
    const text = memoriesText(found, transcript.messages);
    return text === undefined
      ? []
      : [{ role: 'user', origin: 'memory', parts: [{ type: 'text', text }] }];
  } catch (error) {
    log.warn('The notes of earlier sessions could not be read.', { reason: String(error) });
    return [];
  }
}

/** The whole journal before what a run that goes on sees first. */
async function journalOf(
  opening: Opening,
  { sessionId, messages }: Transcript,
  { journal, log }: StartRunPorts,
): Promise<readonly NewMessage[]> {
  try {
    const found = await journal?.(sessionId, opening.kind);
    const text = found === undefined ? undefined : journalNote(found, messages);
    return text === undefined
      ? []
      : [{ role: 'user', origin: 'journal', parts: [{ type: 'text', text }] }];
  } catch (error) {
    log.warn('The journal could not be read.', { reason: String(error) });
    return [];
  }
}

function saidIn(opening: Opening, transcript: Transcript): readonly NewMessage[] {
  switch (opening.kind) {
    case 'message': {
      const parts = partsOf(opening.text, opening.attachments);
      return [{ role: 'user', origin: opening.origin ?? 'person', parts }];
    }
    case 'continue':
      return transcript.messages.at(-1)?.role === 'assistant' ? [noteMessage(CONTINUE_TEXT)] : [];
    case 'resume':
      return opening.note === undefined || transcript.unanswered().length > 0
        ? []
        : [noteMessage(opening.note)];
    default:
      return opening satisfies never;
  }
}

/** Notes for a resumed run that has calls open: they go in behind their results. */
async function lateNotes(
  opening: Opening,
  transcript: Transcript,
  ports: StartRunPorts,
): Promise<readonly NewMessage[]> {
  if (opening.kind !== 'resume' || transcript.unanswered().length === 0) return [];
  const journal = await journalOf(opening, transcript, ports);
  return opening.note === undefined ? journal : [...journal, noteMessage(opening.note)];
}

function firstCheckpoint(run: Run, transcript: Transcript): Checkpoint {
  return {
    runId: run.id,
    sessionId: run.sessionId,
    number: 0,
    kind: 'input',
    iteration: 0,
    messageCursor: transcript.cursor,
    messageCount: transcript.messages.length,
    promptHash: '',
    finishedCallIds: [],
    policyStates: {},
    loop: { activeMs: 0 },
  };
}

/** Fires when the process is about to end; else a stopped run waits for room on the disk. */
function shutdownOf(signal: AbortSignal): AbortSignal {
  const shutdown = new AbortController();
  const look = (): void => {
    if (stopReasonOf(signal) === 'shutdown') shutdown.abort();
  };
  if (signal.aborted) look();
  else signal.addEventListener('abort', look, { once: true });
  return shutdown.signal;
}

/** Anything unexpected ends the run with a sentence and a logged stack, never with a dead panel (A14). */
async function endOfBroken(
  error: unknown,
  run: Run,
  signal: AbortSignal,
  ports: StartRunPorts,
): Promise<RunEnd> {
  const failure: Failure = failureOf(error);
  if (failure.code !== 'canceled') ports.log.error(`The run ${run.id} broke off.`, error);
  const end = signal.aborted
    ? runEndOf(signal)
    : runEndOf({ kind: 'stop', reason: 'failure', failure });
  const endedAt = leavesCallsOpen(signal) ? {} : { endedAt: ports.clock.now() };
  const row: Run = { ...run, state: end.state, end, ...endedAt };
  try {
    await ports.recorder.commit([{ kind: 'run', run: row }]);
  } catch (refused) {
    ports.log.error(`The end of run ${run.id} could not be recorded.`, refused);
    const words = tells(
      told`How this run ended could not be recorded: ${sentenceOf(failureOf(refused))} It is offered for resume when the window is opened again.`,
    );
    if (end.state !== 'running')
      ports.broker.publish(run.sessionId, run.id, { type: 'warning', ...words });
  }
  return end;
}

/** A run that stops for the human, or for another process, says so; one that stops with its window says nothing. */
function endEvent(end: RunEnd, run: Run, signal: AbortSignal): RunEventBody | undefined {
  switch (end.state) {
    case 'completed':
      return { type: 'agent_run.completed', end };
    case 'cancelled':
      return { type: 'agent_run.cancelled', end };
    case 'failed':
    case 'timed_out':
      return { type: 'agent_run.failed', end };
    case 'waiting_on_human':
      return { type: 'agent_run.waiting', for: 'resume', questionId: run.id };
    case 'queued':
    case 'running':
      return stopReasonOf(signal) === 'handover' ? { type: 'agent_run.handed_over' } : undefined;
    default:
      return end.state satisfies never;
  }
}
