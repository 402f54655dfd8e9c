import { createHash } from 'node:crypto';
import { inEnglish } from '../../../src/domain/text/told.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openEngine } from '../../../src/compose/engine.ts';
import type { Engine, EngineHost } from '../../../src/compose/engine.ts';
import type { RunEvent, RunEventType } from '../../../src/domain/event.ts';
import type { Message } from '../../../src/domain/message.ts';
import type { RunEnd } from '../../../src/domain/run.ts';
import { COMMAND_LINE } from '../../../src/domain/session/session.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileOperations } from '../../../src/hosts/node/files/file-operations.ts';
import { FileSpool } from '../../../src/hosts/node/files/file-spool.ts';
import { pinFolder } from '../../../src/hosts/node/files/pin-folder.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { NodeWorktrees } from '../../../src/hosts/node/git/worktrees.ts';
import { NodeGit } from '../../../src/hosts/node/git/git.ts';
import { stopAbandoned } from '../../../src/hosts/node/processes/process-group.ts';
import { NodeIgnoredPaths } from '../../../src/hosts/node/search/ignore/belay-ignore.ts';
import { NodeSearch } from '../../../src/hosts/node/search/search.ts';
import { NodeShell } from '../../../src/hosts/node/processes/shell.ts';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import { startModelServer } from '../model-server/server.ts';
import type { ModelServer } from '../model-server/server.ts';
import type { Script } from '../model-server/turn.ts';
import { silentLog } from '../memory-recorder.ts';
import { ScriptedHuman } from './scripted-human.ts';
import { workerFile } from '../worker-file.ts';

/** What a host has, in one: a test names only what is different. */
export type TestHost = Pick<EngineHost, 'clock' | 'log' | 'settings' | 'hash' | 'random'> &
  EngineHost['store'] &
  EngineHost['model'] &
  EngineHost['disk'] &
  EngineHost['commands'] &
  EngineHost['person'] &
  EngineHost['workspace'] &
  EngineHost['tools'];

/** The host with each of its parts. */
export function engineHost(all: TestHost): EngineHost {
  const { clock, log, settings, hash, random } = all;
  const shared = { clock, log, settings, hash, random };
  return {
    ...shared,
    store: all,
    model: all,
    disk: all,
    commands: all,
    person: all,
    workspace: all,
    tools: all,
  };
}

export interface TestEngineOptions {
  readonly script: Script;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  /** Settings may be wrong; else a wrong one fails the test. */
  readonly wrongSettings?: true;
  /** Files of the workspace: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly tools?: readonly Tool[];
  readonly host?: Partial<TestHost>;
  /** An earlier engine whose folders are used again: a restart, or a second window. */
  readonly after?: { readonly folder: string };
}

/** The whole engine as both hosts run it, with a scripted model behind real HTTP and a scripted human. */
export class TestEngine implements AsyncDisposable {
  readonly engine: Engine;
  readonly server: ModelServer;
  readonly human: ScriptedHuman;
  readonly folder: string;
  readonly workspace: string;
  readonly events: RunEvent[] = [];
  readonly #shell: NodeShell;
  #closed = false;

  private constructor(
    engine: Engine,
    server: ModelServer,
    human: ScriptedHuman,
    shell: NodeShell,
    folder: string,
  ) {
    this.engine = engine;
    this.server = server;
    this.human = human;
    this.folder = folder;
    this.workspace = path.join(folder, 'workspace');
    this.#shell = shell;
    engine.broker.listen((event) => this.events.push(event));
  }

  static async open(options: TestEngineOptions): Promise<TestEngine> {
    const folder =
      options.after?.folder ?? (await mkdtemp(path.join(os.tmpdir(), 'belay-engine-')));
    const workspace = path.join(folder, 'workspace');
    await mkdir(workspace, { recursive: true });
    for (const [name, text] of Object.entries(options.files ?? {})) {
      await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
      await writeFile(path.join(workspace, name), text);
    }
    const server = await startModelServer({ script: options.script });
    const human = new ScriptedHuman();
    const shell = new NodeShell();
    const values: Partial<Record<SettingKey, unknown>> = {
      'model.baseUrl': server.url,
      'model.name': 'claude-sonnet-4-5',
      'advanced.modelRetryDelaySeconds': 0.01,
      'permissions.mode': 'auto',
      ...options.settings,
    };
    const data = path.join(folder, 'data');
    const host: TestHost = {
      clock: new SystemClock(),
      log: silentLog,
      settings: settingsFrom(
        // What a test changes meanwhile counts at once.
        (key) => options.settings?.[key] ?? values[key],
        (problem) => {
          if (options.wrongSettings !== true) throw new Error(inEnglish(problem.message));
        },
      ),
      data,
      ownFolders: [data],
      person: { folder, name: 'workspace' },
      channel: COMMAND_LINE,
      storeWorker: options.host?.storeWorker ?? workerFile('store/worker.ts'),
      files: new NodeFileSystem(),
      pinFolder,
      operations: new NodeFileOperations(path.join(data, 'removed')),
      search: new NodeSearch([], {}),
      ignored: new NodeIgnoredPaths(),
      git: new NodeGit(),
      worktrees: new NodeWorktrees(new NodeGit()),
      shell,
      platform: process.platform === 'win32' ? 'windows' : 'posix',
      backgroundShell: shell,
      spool: new FileSpool(path.join(data, 'outputs')),
      approver: human,
      human,
      apiKey: async () => Promise.resolve('test-key'),
      hash: (text) => createHash('sha256').update(text).digest('hex'),
      random: () => 0.5,
      roots: () => [workspace],
      trusted: () => true,
      level: () => 'owner',
      environment: () => ({ system: 'Test', date: '2026-11-21', roots: [workspace] }),
      mcpTools: async () => Promise.resolve(options.tools ?? []),
      focus: () => [],
      stopAbandoned,
      titlesByModel: false,
      unattended: values['permissions.mode'] === 'auto',
      ...options.host,
    };
    const engine = await openEngine(engineHost(host));
    return new TestEngine(engine, server, human, shell, folder);
  }

  /** Starts a session with a message; gives its id when the message is on disk. */
  async start(text: string): Promise<string> {
    const { id } = await this.engine.agent.sessions.create();
    await this.engine.agent.send(id, { text });
    return id;
  }

  /** Sends a message to a new session and waits for the end of its run. */
  async run(
    text: string,
  ): Promise<{ readonly sessionId: string; readonly end: RunEnd | undefined }> {
    const sessionId = await this.start(text);
    return { sessionId, end: await this.engine.agent.runs.settled(sessionId) };
  }

  async messages(sessionId: string): Promise<readonly Message[]> {
    return this.engine.store.transcripts.messages({ sessionId });
  }

  /** Resolves with the first event of a type, seen already or yet to come. */
  async event<Type extends RunEventType>(type: Type): Promise<Extract<RunEvent, { type: Type }>> {
    const matches = (event: RunEvent): event is Extract<RunEvent, { type: Type }> =>
      event.type === type;
    const seen = this.events.find(matches);
    if (seen !== undefined) return seen;
    return new Promise((resolve) => {
      const listening = this.engine.broker.listen((event) => {
        if (!matches(event)) return;
        listening.dispose();
        resolve(event);
      });
    });
  }

  ofType<Type extends RunEventType>(type: Type): Extract<RunEvent, { type: Type }>[] {
    return this.events.filter(
      (event): event is Extract<RunEvent, { type: Type }> => event.type === type,
    );
  }

  /** Ends engine and server, keeps the folders: for a restart. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.engine.dispose();
    } finally {
      this.#shell.dispose();
      await this.server.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
