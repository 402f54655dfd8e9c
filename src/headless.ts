import { mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Engine, type EngineHost, openEngine } from './compose/engine.ts';
import { NODE_NUMBERS, nodeDisk, sandboxedShell } from './compose/node/node-ports.ts';
import { failureOf } from './domain/failure.ts';
import type { SettingKey } from './domain/settings/settings.ts';
import { settingsFrom } from './domain/settings/read-settings.ts';
import { AbsentHuman } from './hosts/node/headless/absent-human.ts';
import { ArgumentError, readArguments, USAGE } from './hosts/node/headless/arguments.ts';
import type { HeadlessArguments } from './hosts/node/headless/arguments.ts';
import { SystemClock } from './hosts/node/clock.ts';
import { FileSpool } from './hosts/node/files/file-spool.ts';
import { NodeGit } from './hosts/node/git/git.ts';
import { FileLog } from './hosts/node/log.ts';
import { stopAbandoned } from './hosts/node/processes/process-group.ts';
import { EXIT, runHeadless } from './hosts/node/headless/run-headless.ts';
import { environmentSecrets } from './core/secrets/secret-book.ts';
import { printed, printedJson, printedProblem } from './hosts/node/headless/printed.ts';
import { NodeWeb } from './hosts/node/web/node-web.ts';
import { headlessServers } from './compose/node/headless-servers.ts';
import { environmentModel } from './compose/node/environment-model.ts';
import { KEY_VARIABLES } from './providers/anthropic/instance.ts';

/** As MCP servers and clients are told it. */
const VERSION = '1';

/** The headless host: the same engine on plain Node, for scripts, CI, benchmarks and fault tests. */
async function main(): Promise<number> {
  let request: HeadlessArguments;
  try {
    request = readArguments(process.argv.slice(2));
    checkFolder(request.workspace);
    mkdirSync(request.data, { recursive: true });
  } catch (error) {
    process.stderr.write(
      error instanceof ArgumentError
        ? `${USAGE}\n${printedProblem(error.message)}\n`
        : `${printedProblem(oneLine(error))}\n`,
    );
    return EXIT.badArguments;
  }
  const host = openHost(request);
  let engine: Engine | undefined;
  let leaving: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    leaving ??= (async () => {
      await engine?.dispose();
      await host.dispose();
    })();
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
    if (request.servesContext) {
      const { serveContext } = await import('./compose/node/serve-context.ts');
      await serveContext(host.engine, VERSION);
      return EXIT.done;
    }
    const opened = await openEngine(host.engine);
    engine = opened;
    const { agent, broker, store } = opened;
    const tell = ({ message }: { readonly message: string }): void =>
      void process.stderr.write(`${printedProblem(message)}\n`);
    store.problems.forEach(tell);
    const hasKey = (await host.engine.model.apiKey()) !== undefined;
    if (
      request.model === undefined &&
      engine.catalog.lookup(engine.modelFor(hasKey)).offline === true
    ) {
      tell({ message: `${KEY_VARIABLES[0]} is not set: the built-in demo model answers.` });
    }
    store.onProblem(tell);
    host.human.suspend = (sessionId) => agent.runs.suspend(sessionId);
    return await runHeadless(
      await withStandardInput(request),
      {
        service: agent,
        broker,
        transcripts: store.transcripts,
        runs: store.runs,
        waitingFor: () => host.human.waitingFor,
        damaged: () => opened.isDamaged(),
        acknowledgeLoss: async () => store.acknowledgeLoss(),
        interrupted: () => interrupted,
      },
      {
        out: (line) =>
          process.stdout.write(`${request.json ? printedJson(line) : printed(line)}\n`),
        error: (line) => process.stderr.write(`${printedProblem(line)}\n`),
      },
    );
  } catch (error) {
    if (interrupted) return EXIT.interrupted;
    host.engine.log.error('The headless host could not go on.', error);
    process.stderr.write(`${printedProblem(oneLine(error))}\n`);
    return EXIT.error;
  } finally {
    await leave().catch((error: unknown) => {
      process.stderr.write(
        `What was still to be recorded could not be: ${printedProblem(oneLine(error))}\n`,
      );
    });
  }
}

interface HeadlessHost {
  readonly engine: EngineHost;
  readonly human: AbsentHuman;
  dispose(): Promise<void>;
}

/** The ports of plain Node, and a person who is not there. */
function openHost(request: HeadlessArguments): HeadlessHost {
  const clock = new SystemClock();
  const human = new AbsentHuman();
  const data = realpathSync(request.data);
  const root = realpathSync(request.workspace);
  const settings = settingsFrom(
    (name: SettingKey) =>
      name === 'model.baseUrl' && request.modelUrl !== undefined
        ? request.modelUrl
        : request.settings.get(name),
    () => undefined, // they were checked with the arguments
  );
  const { key, model } = environmentModel(settings, process.env);
  const own = { data, ownFolders: [data] };
  const shell = sandboxedShell(settings, () => [root], own);
  /** Secrets that MCP servers got. */
  const served: string[] = [];
  const log = new FileLog({
    file: path.join(data, 'belay.log'),
    clock,
    level: () => settings('log.level'),
    secrets: () => [...(key === undefined ? [] : [key]), ...served],
  });
  const secrets = [...environmentSecrets(process.env)];
  const mcp = headlessServers({
    clock,
    log,
    settings,
    folder: root,
    version: VERSION,
    onSecret: (value, what) => {
      secrets.push([value, what]);
      served.push(value);
    },
    tell: (sentence) => void process.stderr.write(`${printedProblem(sentence)}\n`),
  });
  return {
    human,
    engine: {
      clock,
      log,
      settings,
      ...NODE_NUMBERS,
      store: {
        data,
        storeWorker: workerFile('store/worker.ts', 'store-worker.cjs'),
        person: { folder: request.person ?? path.dirname(data), name: path.basename(root) },
      },
      model: { ...model, secrets: () => secrets },
      disk: nodeDisk(own, workerFile('hosts/node/pdf/pdf-worker.ts', 'pdf-worker.cjs')),
      commands: {
        shell,
        backgroundShell: shell,
        platform: process.platform === 'win32' ? 'windows' : 'posix',
        spool: new FileSpool(path.join(data, 'outputs')),
        stopAbandoned,
      },
      person: {
        approver: human,
        human,
        level: () => 'owner',
        home: os.homedir(),
        unattended: request.unattended,
      },
      workspace: {
        roots: () => [root],
        trusted: () => true,
        focus: () => [],
        environment: () => ({
          system: `${os.type()} ${os.release()}`,
          date: today(clock.now()),
          roots: [root],
        }),
      },
      tools: { git: new NodeGit(), web: new NodeWeb(), mcpTools: async () => mcp.tools() },
    },
    dispose: async () => {
      await mcp.dispose();
      shell.dispose();
      await log.flush();
      log.dispose();
    },
  };
}

/** `--prompt -` reads the prompt from standard input. */
async function withStandardInput(request: HeadlessArguments): Promise<HeadlessArguments> {
  return request.prompt === '-' ? { ...request, prompt: await text(process.stdin) } : request;
}

function oneLine(error: unknown): string {
  return failureOf(error).message.replaceAll(/\s+/gu, ' ');
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArgumentError(`--workspace ${folder} is not a folder.`);
}

function today(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Beside the bundle; from source, the worker's source. */
function workerFile(source: string, bundle: string): string | URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(source, import.meta.url)
    : path.join(path.dirname(fileURLToPath(import.meta.url)), bundle);
}

void (async () => {
  process.exitCode = await main();
})();
