import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startInBackground, type StartHost } from '../../../src/compose/vscode/background-start.ts';
import { DetachedRuns } from '../../../src/core/run/detached-runs.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { settingsFrom } from '../../../src/domain/settings/read-settings.ts';
import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';
import { BackgroundRuns, type EndedRun } from '../../../src/window/background-runs.ts';
import { MapMemento } from '../memento.ts';
import { TestEngine, type TestHost } from '../engine/test-engine.ts';
import { headlessProgram } from '../headless/program.ts';
import { silentLog } from '../memory-recorder.ts';
import type { ModelServer } from '../model-server/server.ts';

/** The key that a window hands over: it must be found nowhere but in requests. */
export const KEY = 'sk-ant-handed-over-by-the-window';

export interface BackgroundWindowOptions {
  readonly server: Pick<ModelServer, 'url'>;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  readonly after?: { readonly folder: string };
  readonly host?: Partial<TestHost>;
  /** The workspace is another one than that of the engine. */
  readonly workspace?: Partial<StartHost['workspace']>;
  /** Its questions wait at its desk; else they are answered at once. */
  readonly asksHere?: true;
  readonly proxy?: StartHost['settings']['proxy'];
  /** Another program than the bundled headless host. */
  readonly program?: string;
}

/** A window as far as runs in the background go: an engine, and real processes of the bundled headless host. */
export class BackgroundWindow implements AsyncDisposable {
  readonly test: TestEngine;
  readonly away: BackgroundRuns;
  readonly detached: DetachedRuns;
  readonly ended: EndedRun[] = [];
  readonly failed: string[] = [];
  /** Questions that this window asks, where its engine is given it. */
  readonly desk: ApprovalQueue;
  /** What is changed here counts at once. */
  readonly settings: Partial<Record<SettingKey, unknown>>;
  readonly #watching: { dispose(): void };
  /** The folder is that of an earlier one, which removes it. */
  readonly #isLater: boolean;

  private constructor(
    test: TestEngine,
    settings: Partial<Record<SettingKey, unknown>>,
    desk: ApprovalQueue,
    options: BackgroundWindowOptions,
  ) {
    this.test = test;
    this.desk = desk;
    this.settings = settings;
    this.#isLater = options.after !== undefined;
    const { agent, store } = test.engine;
    const listeners = new Set<() => void>();
    this.#watching = store.watch(() => {
      void agent.queue.refresh();
      for (const listener of listeners) listener();
    });
    this.detached = new DetachedRuns(store);
    const host = hostOf(test, settings, desk, options);
    this.away = new BackgroundRuns({
      agent,
      detached: this.detached,
      runs: store.runs,
      start: async (sessionId) =>
        startInBackground(
          host,
          test.engine,
          test.engine,
          sessionId,
          options.program ?? (await headlessProgram()),
        ),
      onChange: (listener) => {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
      clock: new SystemClock(),
      log: silentLog,
    });
    this.away.onEnded((one) => this.ended.push(one));
    this.away.onFailed((sentence) => this.failed.push(sentence));
  }

  static async open(options: BackgroundWindowOptions): Promise<BackgroundWindow> {
    const settings = {
      'model.baseUrl': options.server.url,
      'model.name': 'claude-sonnet-4-5',
      'advanced.modelRetryDelaySeconds': 0.01,
      'permissions.mode': 'auto',
      'permissions.rules': [{ effect: 'allow', command: 'sh add.sh *' }],
      ...options.settings,
    };
    const desk = new ApprovalQueue(() => undefined);
    const test = await TestEngine.open({
      script: () => {
        throw new Error('Its own server is asked for nothing.');
      },
      settings,
      files: { 'add.sh': 'sleep "${2:-0}"\necho "$1" >> out.txt\nsleep "${3:-0}"\n' },
      ...(options.after === undefined ? {} : { after: options.after }),
      host: {
        apiKey: async () => KEY,
        reviewed: true,
        unattended: false,
        ...(options.asksHere === true ? { approver: desk, human: desk } : {}),
        ...options.host,
      },
    });
    return new BackgroundWindow(test, settings, desk, options);
  }

  /** Lines of a file of the workspace; none when it is not there. */
  async lines(name = 'out.txt'): Promise<readonly string[]> {
    const text = await readFile(path.join(this.test.workspace, name), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  /** The process that owns a session. */
  async owner(sessionId: string): Promise<number | undefined> {
    const owner = await this.test.engine.store.leases.owner(sessionId);
    return owner?.alive === true ? owner.processId : undefined;
  }

  /** Closes it as VS Code does; the folder stays for the next one. */
  async close(): Promise<void> {
    this.away.dispose();
    this.#watching.dispose();
    await this.test.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    if (!this.#isLater) await this.test[Symbol.asyncDispose]();
  }
}

/** What of VS Code such a window has. */
function hostOf(
  { folder, workspace }: TestEngine,
  settings: Partial<Record<SettingKey, unknown>>,
  desk: ApprovalQueue,
  options: BackgroundWindowOptions,
): StartHost {
  const get = settingsFrom(
    (key) => settings[key],
    () => undefined,
  );
  const nothing = async (): Promise<undefined> => undefined;
  return {
    settings: { get, proxy: options.proxy } as StartHost['settings'],
    desk,
    keys: {
      read: async () => KEY,
      keyed: { has: () => false, add: nothing } as unknown as StartHost['keys']['keyed'],
    },
    workspace: { trusted: true, roots: [workspace], name: 'workspace', ...options.workspace },
    extension: {
      secrets: { get: nothing, store: nothing, delete: nothing },
      state: new MapMemento(),
      sharedState: new MapMemento(),
    },
    folders: {
      data: path.join(folder, 'data'),
      shared: path.join(folder, 'data'),
      earlier: path.join(folder, 'data'),
      logs: path.join(folder, 'logs'),
      editor: '/no-editor',
    },
  };
}

/** Waits for a fact. */
export async function until(what: string, fact: () => Promise<boolean> | boolean): Promise<void> {
  const over = performance.now() + 20_000;
  while (!(await fact())) {
    if (performance.now() > over) throw new Error(`In 20 seconds it did not happen: ${what}.`);
    await delay(20);
  }
}

export function isAlive(pid = 0): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
