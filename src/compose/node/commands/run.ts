import { text } from 'node:stream/consumers';
import { type Engine, openEngine } from '../../engine.ts';
import { type HeadlessArguments, runArguments } from '../../../hosts/node/headless/arguments.ts';
import { printed, printedJson, printedProblem } from '../../../hosts/node/headless/printed.ts';
import { ended } from '../../../domain/lifetime/ended.ts';
import { EXIT, runHeadless } from '../../../hosts/node/headless/run-headless.ts';
import { KEY_VARIABLES } from '../../../providers/anthropic/instance.ts';
import { openTelemetry } from '../../telemetry/telemetry.ts';
import { type HeadlessHost, oneLine, openHost } from '../headless-host.ts';
import { inEnglish } from '../../../domain/text/told.ts';
import { findUnknownFallbacks } from '../../unknown-fallbacks.ts';
import { printProblems } from '../print-problems.ts';
import { writePatch, writeSession } from '../session-files.ts';
import type { CarryOut } from './command.ts';

/** Carries out one request, or goes on with one that was cut off. */
export const carryOut: CarryOut = async (given, program) => {
  const request = runArguments(given);
  const host = openHost(request, program, request);
  let engine: Engine | undefined;
  let telemetry: { dispose(): Promise<void> } | undefined;
  let leaving: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    leaving ??= ended(
      async () => telemetry?.dispose(),
      async () => engine?.dispose(),
      async () => host.dispose(),
    );
    return leaving;
  };
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted = true;
      process.stderr.write('Interrupted. Everything finished is kept; --resume goes on.\n');
      void leave().finally(() => process.exit(EXIT.interrupted));
    });
  }
  try {
    engine = await openEngine(host.engine);
    telemetry = openTelemetry(engine, host.telemetry);
    printProblems(engine);
    await tellKey(request, host, engine);
    for (const one of await findUnknownFallbacks(host.engine, engine)) tell(inEnglish(one));
    return await run(request, host, engine, () => interrupted);
  } catch (error) {
    if (interrupted) return EXIT.interrupted;
    host.engine.log.error('The headless host could not go on.', error);
    tell(oneLine(error));
    return EXIT.error;
  } finally {
    await leave().catch((error: unknown) => {
      process.stderr.write(
        `What was still to be recorded could not be: ${printedProblem(oneLine(error))}\n`,
      );
    });
  }
};

function tell(sentence: string): void {
  process.stderr.write(`${printedProblem(sentence)}\n`);
}

/** Tells that there is no key. */
async function tellKey(
  request: HeadlessArguments,
  host: HeadlessHost,
  engine: Engine,
): Promise<void> {
  const hasKey = (await host.engine.model.apiKey()) !== undefined;
  if (
    request.model === undefined &&
    engine.catalog.lookup(engine.modelFor(hasKey)).offline === true
  )
    tell(`${KEY_VARIABLES[0]} is not set: the built-in demo model answers.`);
}

async function run(
  request: HeadlessArguments,
  host: HeadlessHost,
  engine: Engine,
  interrupted: () => boolean,
): Promise<number> {
  const { agent, broker, store } = engine;
  const { human, servers } = host;
  // Without `--json` the line on standard error is all.
  if (request.json)
    servers.listener = (message) => {
      for (const { sessionId, runId } of agent.runs.all())
        if (runId !== undefined) broker.publish(sessionId, runId, { type: 'warning', message });
    };
  human.suspend = (sessionId) => agent.runs.suspend(sessionId);
  let done = '';
  const code = await runHeadless(
    await withStandardInput(request),
    {
      service: agent,
      broker,
      transcripts: store.transcripts,
      runs: store.runs,
      waitingFor: () => human.waitingFor,
      damaged: () => engine.isDamaged(),
      acknowledgeLoss: async () => store.acknowledgeLoss(),
      interrupted,
    },
    {
      out: (line) => process.stdout.write(`${request.json ? printedJson(line) : printed(line)}\n`),
      error: tell,
      session: (sessionId) => {
        done = sessionId;
      },
    },
  );
  if (done === '' || interrupted()) return code;
  const { patch, export: file } = request;
  if (patch !== undefined) await writePatch(engine, host.engine, done, patch);
  if (file !== undefined) await writeSession(engine, host.engine, done, file);
  return code;
}

/** `--prompt -` reads the prompt from standard input. */
async function withStandardInput(request: HeadlessArguments): Promise<HeadlessArguments> {
  return request.prompt === '-' ? { ...request, prompt: await text(process.stdin) } : request;
}
