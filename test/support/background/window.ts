import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DetachedRuns } from '../../../src/core/run/detached-runs.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { BackgroundOrder } from '../../../src/hosts/node/headless/background-order.ts';
import { BackgroundProcess } from '../../../src/hosts/node/headless/background-process.ts';
import { BackgroundRuns, type EndedRun } from '../../../src/window/background-runs.ts';
import { TestEngine, type TestHost } from '../engine/test-engine.ts';
import { headlessProgram } from '../headless/program.ts';
import { silentLog } from '../memory-recorder.ts';
import type { ModelServer } from '../model-server/server.ts';

/** The key that a window hands over: it must be found nowhere but in requests. */
export const KEY = 'sk-ant-handed-over-by-the-window';

export interface BackgroundWindowOptions {
  readonly server: ModelServer;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  readonly after?: { readonly folder: string };
  readonly host?: Partial<TestHost>;
  /** The order names a folder that is not there. */
  readonly wrongOrder?: true;
}

/** A window as far as runs in the background go: an engine, and real processes of the bundled headless host. */
export class BackgroundWindow implements AsyncDisposable {
  readonly test: TestEngine;
  readonly away: BackgroundRuns;
  readonly detached: DetachedRuns;
  readonly ended: EndedRun[] = [];
  readonly failed: string[] = [];
  readonly #watching: { dispose(): void };
  /** The folder is that of an earlier one, which removes it. */
  readonly #isLater: boolean;

  private constructor(
    test: TestEngine,
    settings: BackgroundOrder['settings'],
    { wrongOrder, after }: BackgroundWindowOptions,
  ) {
    this.test = test;
    this.#isLater = after !== undefined;
    const { agent, store } = test.engine;
    const listeners = new Set<() => void>();
    this.#watching = store.watch(() => {
      void agent.queue.refresh();
      for (const listener of listeners) listener();
    });
    this.detached = new DetachedRuns(store);
    this.away = new BackgroundRuns({
      agent,
      detached: this.detached,
      runs: store.runs,
      start: async (sessionId) => {
        const order = (): BackgroundOrder => ({
          ...orderFor(test, settings, sessionId),
          ...(wrongOrder === true ? { roots: ['/not-there'] } : {}),
        });
        const process = await BackgroundProcess.start(await headlessProgram(), order());
        return { goOn: async () => process.goOn(order()), end: () => process.end() };
      },
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
      'model.retryBase': 0.01,
      'permissions.mode': 'auto',
      'permissions.rules': [{ effect: 'allow', command: 'sh add.sh *' }],
      ...options.settings,
    };
    const test = await TestEngine.open({
      script: () => {
        throw new Error('Its own server is asked for nothing.');
      },
      settings,
      files: { 'add.sh': 'sleep "${2:-0}"\necho "$1" >> out.txt\nsleep "${3:-0}"\n' },
      ...(options.after === undefined ? {} : { after: options.after }),
      host: { apiKey: async () => KEY, reviewed: true, unattended: false, ...options.host },
    });
    return new BackgroundWindow(test, settings, options);
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

function orderFor(
  { folder, workspace }: TestEngine,
  settings: BackgroundOrder['settings'],
  sessionId: string,
): BackgroundOrder {
  return {
    sessionId,
    settings,
    sessionRules: [],
    keys: { anthropic: KEY },
    keyed: [],
    searchKeys: {},
    roots: [workspace],
    ownFolders: [path.join(folder, 'data')],
    person: { folder, name: 'workspace' },
    ripgrep: [],
    serversOff: [],
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
