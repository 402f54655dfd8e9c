import type { Agent } from '../../../core/run/agent.ts';
import type { SessionOptions } from '../../../core/run/agent-service.ts';
import type { EventBroker } from '../../../core/session/event-broker.ts';
import type { RunRecords } from '../../../core/ports/store/run-records.ts';
import type { Transcripts } from '../../../core/ports/store/transcripts.ts';
import { failureOf, fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { RunEvent } from '../../../domain/event.ts';
import { textOf, typedTextOf } from '../../../domain/message.ts';
import { COMMAND_LINE, type Session } from '../../../domain/session/session.ts';
import type { Run, RunEnd } from '../../../domain/run.ts';
import type { HeadlessArguments } from './arguments.ts';

/** Exit codes: a documented part of the product, for scripts. */
export const EXIT = {
  done: 0,
  error: 1,
  badArguments: 2,
  needsHuman: 3,
  interrupted: 130,
} as const;

export interface HeadlessEngine {
  readonly service: Pick<Agent, 'sessions' | 'runs' | 'handoffs' | 'send' | 'continueRun'>;
  readonly broker: EventBroker;
  readonly transcripts: Transcripts;
  readonly runs: RunRecords;
  readonly waitingFor: () => string | undefined;
  /** Damage of the record when it was opened; told already. */
  readonly damaged: () => boolean;
  /** Notes that the caller knows of the loss. */
  readonly acknowledgeLoss: () => Promise<void>;
  readonly interrupted: () => boolean;
}

export interface HeadlessOutput {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Hears which session it is. */
  readonly session?: (sessionId: string) => void;
}

/** Runs one prompt, or resumes one run, to its end. Gives the exit code; never rejects. */
export async function runHeadless(
  request: HeadlessArguments,
  engine: HeadlessEngine,
  output: HeadlessOutput,
): Promise<number> {
  const listening = engine.broker.listen((event) => report(event, request.json, output));
  try {
    const { sessionId, finished } = await begin(request, engine);
    output.session?.(sessionId);
    const end = finished ?? (await engine.service.runs.settled(sessionId));
    if (engine.interrupted()) return EXIT.interrupted;
    if (end === undefined) throw fault('unexpected', told`The run ended without saying how.`);
    return await conclude(sessionId, end, request, engine, output);
  } catch (error) {
    if (engine.interrupted()) return EXIT.interrupted;
    output.error(oneLine(failureOf(error).message));
    return EXIT.error;
  } finally {
    listening.dispose();
  }
}

/** C8: the instructions or the tools changed while the run lay still; a human decides. */
const DRIFTED: RunEnd = {
  reason: 'needs_human',
  state: 'waiting_on_human',
  canContinue: false,
  failure: {
    code: 'resume_unsafe',
    message:
      'The instructions of the project or the tools changed since the run stopped, so it is not resumed by itself. Resume it in VS Code, put them back, or start anew without --resume.',
  },
};

/** The last actions are unknown: to go on or start anew might repeat them. */
const LOST: Begun = {
  sessionId: '',
  finished: {
    reason: 'needs_human',
    state: 'waiting_on_human',
    canContinue: false,
    failure: {
      code: 'resume_unsafe',
      message:
        'A part of what Belay recorded is lost, so it is not known what was done last, and nothing was started. See what was done already; then add --accept-loss to go on from what is known, or leave --resume out to start anew.',
    },
  },
};

interface Begun {
  readonly sessionId: string;
  /** The very same request has been carried out already, or must not be. */
  readonly finished?: RunEnd;
}

/** Starts the run. */
async function begin(request: HeadlessArguments, engine: HeadlessEngine): Promise<Begun> {
  if (request.resume !== false) {
    if (engine.damaged() && !request.acceptLoss) return LOST;
    await engine.service.handoffs.reconcile();
    const begun = (await takeUp(request, engine)) ?? (await goOn(request, engine));
    if (begun !== undefined) {
      if (engine.damaged()) await engine.acknowledgeLoss();
      return begun;
    }
  }
  if (request.prompt === undefined) {
    throw fault(
      'not_found',
      told`There is nothing to resume. Give a --prompt to start something new.`,
    );
  }
  const known =
    typeof request.resume === 'string'
      ? await engine.transcripts.session(request.resume)
      : undefined;
  refuseUnknown(request, known !== undefined);
  const options = optionsOf(request);
  if (engine.damaged()) await engine.acknowledgeLoss();
  const { sessions } = engine.service;
  const { id: sessionId } = known ?? (await sessionFor(request, engine));
  await sessions.setOptions(sessionId, options);
  await engine.service.send(sessionId, { text: request.prompt });
  return { sessionId };
}

/** The session of the thread, else a new one. */
async function sessionFor(
  { thread }: HeadlessArguments,
  { service: { sessions } }: HeadlessEngine,
): Promise<Session> {
  const { platform, channel } = COMMAND_LINE;
  return thread === undefined ? sessions.create() : sessions.forChannel(platform, channel, thread);
}

function refuseUnknown(request: HeadlessArguments, known: boolean): void {
  if (typeof request.resume === 'string' && !known) {
    throw fault('not_found', told`There is no session ${request.resume} in the data folder.`);
  }
}

function optionsOf({ mode, model }: HeadlessArguments): SessionOptions {
  return { mode, ...(model === undefined ? {} : { model }) };
}

/** Takes up the newest run that did not end. */
async function takeUp(
  request: HeadlessArguments,
  engine: HeadlessEngine,
): Promise<Begun | undefined> {
  const left = await leftBehind(request, engine);
  if (left === undefined) return undefined;
  const { sessionId } = left;
  const handoff = await engine.service.handoffs.of(sessionId);
  if (handoff?.promptDrift === true) return { sessionId, finished: DRIFTED };
  await engine.service.sessions.setOptions(sessionId, optionsOf(request));
  await engine.service.handoffs.resume(left.id, {});
  return { sessionId };
}

/** The newest run that did not end, of the given session or of all; never one that somebody works on. */
async function leftBehind(
  request: HeadlessArguments,
  { runs, service, transcripts }: HeadlessEngine,
): Promise<Run | undefined> {
  const open = await withoutChildren(
    await runs.runs({
      states: ['running', 'waiting_on_human', 'timed_out'],
      ...ofSession(request),
    }),
    transcripts,
  );
  for (const run of open.toReversed())
    if (!(await service.runs.lease.isElsewhere(run.sessionId))) return run;
  const newest = open.at(-1);
  if (newest === undefined) return undefined;
  const message = told`Another process is at work on session ${newest.sessionId}. Nothing was changed: wait until it has ended, or give another --data folder.`;
  throw fault('busy', message);
}

/**
 * Goes on with the newest run if it ended: continues it, or gives the answer of a complete one. A
 * process killed between the two is started again with the same request.
 */
async function goOn(
  request: HeadlessArguments,
  { runs, transcripts, service }: HeadlessEngine,
): Promise<Begun | undefined> {
  const last = (await withoutChildren(await runs.runs(ofSession(request)), transcripts)).at(-1);
  if (last?.end === undefined) return undefined;
  const isPaused = last.state === 'failed' && last.end.canContinue;
  if (last.state !== 'completed' && !isPaused) return undefined;
  const { sessionId, end } = last;
  if (request.prompt !== undefined) {
    const messages = await transcripts.messages({ sessionId });
    const asked = messages.findLast((message) => message.origin === 'person');
    if (asked === undefined || typedTextOf(asked) !== request.prompt) return undefined;
  }
  if (last.state === 'completed') return { sessionId, finished: end };
  await service.sessions.setOptions(sessionId, optionsOf(request));
  await service.continueRun(sessionId);
  return { sessionId };
}

/** Runs of sub-agents go on with who waits for them. */
async function withoutChildren(
  runs: readonly Run[],
  { session }: Pick<Transcripts, 'session'>,
): Promise<readonly Run[]> {
  const types = await Promise.all(
    runs.map(async ({ sessionId }) => (await session(sessionId))?.type),
  );
  return runs.filter((_, index) => types[index] !== 'task');
}

/** In the order in which runs were made, whatever the clock said then. */
function ofSession({ resume }: HeadlessArguments): { readonly sessionId?: string } {
  return typeof resume === 'string' ? { sessionId: resume } : {};
}

async function conclude(
  sessionId: string,
  end: RunEnd,
  request: HeadlessArguments,
  engine: HeadlessEngine,
  output: HeadlessOutput,
): Promise<number> {
  if (!request.json) {
    const messages = await engine.transcripts.messages({ sessionId, limit: 20 });
    const answer = messages.findLast(
      (message) => message.role === 'assistant' && textOf(message) !== '',
    );
    if (answer !== undefined) output.out(textOf(answer));
  }
  if (end.reason === 'done') return EXIT.done;
  if (end.reason === 'needs_human') {
    output.error(
      oneLine(engine.waitingFor() ?? end.failure?.message ?? 'The run waits for a human.'),
    );
    return EXIT.needsHuman;
  }
  output.error(
    oneLine(
      end.failure?.message ?? 'The run was stopped. Everything finished is kept; --resume goes on.',
    ),
  );
  return EXIT.error;
}

/** With `--json` every event; without, what a person must know while it works. */
function report(event: RunEvent, json: boolean, output: HeadlessOutput): void {
  if (json) {
    output.out(JSON.stringify(event));
    return;
  }
  if (event.type === 'warning') output.error(oneLine(event.message));
  if (event.type === 'model.waiting') {
    const seconds = Math.max(0.1, Math.round((event.until - event.at) / 100) / 10);
    output.error(
      `${oneLine(event.reason)}. Waiting ${seconds} s, then retry ${event.attempt} of ${event.attempts}.`,
    );
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
