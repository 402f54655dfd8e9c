import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEngine } from './compose.ts';
import type { Engine } from './compose.ts';
import { failureOf } from './domain/failure.ts';
import { settingsFrom } from './domain/settings.ts';
import type { SettingKey } from './domain/settings.ts';
import { AbsentHuman } from './hosts/node/absent-human.ts';
import { ArgumentError, readArguments, USAGE } from './hosts/node/arguments.ts';
import type { HeadlessArguments } from './hosts/node/arguments.ts';
import { SystemClock } from './hosts/node/clock.ts';
import { NodeFileSystem } from './hosts/node/file-system.ts';
import { FileLog } from './hosts/node/log.ts';
import { stopAbandoned } from './hosts/node/process-group.ts';
import { EXIT, runHeadless } from './hosts/node/run-headless.ts';
import { NodeSearch } from './hosts/node/search/search.ts';
import { NodeShell } from './hosts/node/shell.ts';
import { McpHub } from './mcp/hub.ts';

/** The headless host: the same engine on plain Node, for scripts, CI, benchmarks and fault tests. */
async function main(): Promise<number> {
  let request: HeadlessArguments;
  try {
    request = readArguments(process.argv.slice(2));
    checkFolder(request.workspace);
    mkdirSync(request.data, { recursive: true });
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    process.stderr.write(`${USAGE}\n${error.message}\n`);
    return EXIT.badArguments;
  }
  const shell = new NodeShell();
  const clock = new SystemClock();
  const data = realpathSync(request.data);
  const key = process.env['ANTHROPIC_API_KEY'];
  const settings = settingsFrom(
    (name: SettingKey) => {
      if (name === 'model.baseUrl' && request.modelUrl !== undefined) return request.modelUrl;
      return request.settings.get(name);
    },
    () => undefined, // they were checked with the arguments
  );
  const log = new FileLog({
    file: path.join(data, 'belay.log'),
    clock,
    level: () => settings('log.level'),
    secrets: () => (key === undefined ? [] : [key]),
  });
  const human = new AbsentHuman();
  const root = realpathSync(request.workspace);
  const mcp = new McpHub({
    clock,
    log,
    environment: process.env,
    workspaceFolder: root,
    client: { name: 'belay-headless', version: '1' },
    mayStart: async () => Promise.resolve(true),
  });
  mcp.reconfigure([{ origin: 'user', servers: settings('mcp.servers') }]);
  let engine: Engine | undefined;
  const leave = async (): Promise<void> => {
    await engine?.dispose();
    await mcp.dispose();
    shell.dispose();
    await log.flush();
    log.dispose();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void leave().finally(() => process.exit(EXIT.interrupted)));
  }
  try {
    engine = await openEngine({
      clock,
      log,
      settings,
      data,
      ownFolders: [data],
      storeWorker: workerFile(),
      files: new NodeFileSystem(),
      search: new NodeSearch(),
      shell,
      approver: human,
      human,
      apiKey: async () => Promise.resolve(key),
      hash: (text) => createHash('sha256').update(text).digest('hex'),
      random: Math.random,
      roots: () => [root],
      trusted: () => true,
      level: () => 'owner',
      environment: () => ({
        system: `${os.type()} ${os.release()}`,
        date: today(clock.now()),
        roots: [root],
      }),
      mcpTools: async () => mcp.tools(),
      focus: () => [],
      stopAbandoned,
      titlesByModel: false,
    });
    const { agent, broker, store } = engine;
    for (const problem of store.problems) process.stderr.write(`${problem.message}\n`);
    human.suspend = (sessionId) => agent.suspend(sessionId);
    return await runHeadless(
      request,
      {
        service: agent,
        broker,
        transcripts: store.transcripts,
        runs: store.runs,
        waitingFor: () => human.waitingFor,
      },
      {
        out: (line) => process.stdout.write(`${line}\n`),
        error: (line) => process.stderr.write(`${line}\n`),
      },
    );
  } catch (error) {
    log.error('The headless host could not go on.', error);
    process.stderr.write(`${failureOf(error).message.replaceAll(/\s+/gu, ' ')}\n`);
    return EXIT.error;
  } finally {
    await leave();
  }
}

function checkFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ArgumentError(`--workspace ${folder} is not a folder.`);
}

function today(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** Beside the bundle; from source, the worker's source. */
function workerFile(): string | URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('store/worker.ts', import.meta.url)
    : path.join(path.dirname(fileURLToPath(import.meta.url)), 'store-worker.cjs');
}

void main().then((code) => {
  process.exitCode = code;
});
