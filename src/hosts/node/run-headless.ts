import type { AgentService } from '../../core/agent-service.ts';
import type { EventBroker } from '../../core/broker.ts';
import type { RunRecords, Transcripts } from '../../core/ports.ts';
import { BelayError, failureOf } from '../../domain/failure.ts';
import type { RunEvent } from '../../domain/event.ts';
import { textOf } from '../../domain/message.ts';
import type { Run, RunEnd } from '../../domain/run.ts';
import type { HeadlessArguments } from './arguments.ts';

/** Exit codes: a documented part of the product, for scripts. */
export const EXIT = {
  done: 0,
  error: 1,
  badArguments: 2,
  needsHuman: 3,
  interrupted: 130,
} as const;

/** What the headless host drives; made by the composition. */
export interface HeadlessEngine {
  readonly service: AgentService & { reconcile(): Promise<void> };
  readonly broker: EventBroker;
  readonly transcripts: Transcripts;
  readonly runs: RunRecords;
  /** What the run waits for, when it ended because it needs a human. */
  readonly waitingFor: () => string | undefined;
}

export interface HeadlessOutput {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
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
    const end = finished ?? (await engine.service.settled(sessionId));
    if (end === undefined)
      throw new BelayError({ code: 'unexpected', message: 'The run ended without saying how.' });
    return await conclude(sessionId, end, request, engine, output);
  } catch (error) {
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

/** Starts the run; `finished`: the very same request has been carried out already. */
async function begin(
  request: HeadlessArguments,
  engine: HeadlessEngine,
): Promise<{ readonly sessionId: string; readonly finished?: RunEnd }> {
  const options = {
    mode: request.mode,
    ...(request.model === undefined ? {} : { model: request.model }),
  };
  if (request.resume !== false) {
    await engine.service.reconcile();
    const left = await leftBehind(request, engine);
    if (left !== undefined) {
      const handoff = await engine.service.handoff(left.sessionId);
      if (handoff?.promptDrift === true) {
        return { sessionId: left.sessionId, finished: DRIFTED };
      }
      await engine.service.setOptions(left.sessionId, options);
      await engine.service.resume(left.id, {});
      return { sessionId: left.sessionId };
    }
    const done = await alreadyDone(request, engine);
    if (done?.end !== undefined) return { sessionId: done.sessionId, finished: done.end };
  }
  if (request.prompt === undefined) {
    throw new BelayError({
      code: 'not_found',
      message: 'There is nothing to resume. Give a --prompt to start something new.',
    });
  }
  const known =
    typeof request.resume === 'string'
      ? await engine.transcripts.session(request.resume)
      : undefined;
  if (typeof request.resume === 'string' && known === undefined) {
    throw new BelayError({
      code: 'not_found',
      message: `There is no session ${request.resume} in the data folder.`,
    });
  }
  const sessionId = known?.id ?? (await engine.service.createSession(options)).id;
  if (known !== undefined) await engine.service.setOptions(sessionId, options);
  await engine.service.send(sessionId, { text: request.prompt });
  return { sessionId };
}

/** The newest run that did not end, of the given session or of all. */
async function leftBehind(
  request: HeadlessArguments,
  { runs }: HeadlessEngine,
): Promise<Run | undefined> {
  const open = await runs.runs({
    states: ['running', 'waiting_on_human', 'timed_out'],
    ...(typeof request.resume === 'string' ? { sessionId: request.resume } : {}),
  });
  return newest(open);
}

/**
 * A process that is killed between the end of its run and its exit is started again with the same
 * request: then the answer is there, and doing everything once more would be wrong.
 */
async function alreadyDone(
  request: HeadlessArguments,
  { runs, transcripts }: HeadlessEngine,
): Promise<Run | undefined> {
  const all = await runs.runs(
    typeof request.resume === 'string' ? { sessionId: request.resume } : {},
  );
  const last = newest(all);
  if (last?.state !== 'completed') return undefined;
  if (request.prompt === undefined) return last;
  const messages = await transcripts.messages({ sessionId: last.sessionId });
  const asked = messages.findLast(
    (message) => message.runId === last.id && message.origin === 'person',
  );
  return asked !== undefined && textOf(asked) === request.prompt ? last : undefined;
}

function newest(runs: readonly Run[]): Run | undefined {
  return runs.reduce<Run | undefined>(
    (best, next) => (best === undefined || next.startedAt >= best.startedAt ? next : best),
    undefined,
  );
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
  if (event.type === 'model.waiting')
    output.error(
      `Waiting before attempt ${event.attempt} of ${event.attempts}: ${oneLine(event.reason)}`,
    );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
