import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunEvent, RunEventType } from '../../../src/domain/event.ts';
import type { SettingKey } from '../../../src/domain/settings/settings.ts';
import type { Agent } from '../../../src/core/run/agent.ts';
import type { Reviews } from '../../../src/core/review/service/reviews.ts';
import { startModelServer } from '../model-server/server.ts';
import type { Script } from '../model-server/turn.ts';

/** What this process asks the other one to do. */
export interface Ask {
  readonly id: number;
  readonly method: keyof Asks;
  readonly args: readonly unknown[];
}

/** What the other process says. */
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'refusal';
      readonly id: number;
      readonly code: string;
      readonly message: string;
    };

type Asks = Pick<Agent, 'send'> &
  Pick<Agent['sessions'], 'create' | 'setOptions'> &
  Pick<Agent['runs'], 'cancel' | 'settled'> &
  Pick<Agent['queue'], 'list'> &
  Pick<Agent['handoffs'], 'discard' | 'of' | 'reconcile' | 'resume'> &
  Pick<Reviews['owner'], 'takeOver'>;

export interface OtherWindowOptions {
  /** The folder of its data and workspace. */
  readonly at: { readonly folder: string };
  readonly modelUrl: string;
  /** Absent: the Messages API at `modelUrl`. */
  readonly chatUrl?: string;
  readonly settings?: Partial<Record<SettingKey, unknown>>;
  /** What its human does with approvals: says yes at once, or never answers. */
  readonly human?: 'says yes' | 'stays silent';
  /** Its edits are pending until the user decides. */
  readonly reviewed?: true;
  /** It decides about them, as the first window does. */
  readonly decides?: true;
}

/** Refused by the other process. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A whole engine in a process of its own: another window on the same workspace, or one that is killed. */
export class OtherWindow implements AsyncDisposable {
  readonly events: RunEvent[] = [];
  readonly #child: ChildProcess;
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<() => void>();
  #asked = 0;
  #ready = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: Answer) => this.#hear(answer));
    child.on('exit', () => {
      for (const open of this.#open.values()) open.reject(new Error('The other window has ended.'));
      this.#open.clear();
    });
  }

  static async open(options: OtherWindowOptions): Promise<OtherWindow> {
    const program = fileURLToPath(new URL('other-window-main.ts', import.meta.url));
    const child = fork(
      program,
      [JSON.stringify({ ...options, at: { folder: options.at.folder } })],
      { detached: true },
    );
    const window = new OtherWindow(child);
    await window.#until(() => window.#ready);
    return window;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async ask<Method extends keyof Asks>(
    method: Method,
    ...args: Parameters<Asks[Method]>
  ): Promise<Awaited<ReturnType<Asks[Method]>>> {
    this.#asked += 1;
    const open = Promise.withResolvers<unknown>();
    this.#open.set(this.#asked, open);
    this.#child.send({ id: this.#asked, method, args } satisfies Ask);
    return open.promise as Promise<Awaited<ReturnType<Asks[Method]>>>;
  }

  /** Starts a session with a message; gives its id when the message is on disk. */
  async start(text: string): Promise<string> {
    const { id } = await this.ask('create');
    await this.ask('send', id, { text });
    return id;
  }

  /** Resolves when so many events of a type have come. */
  async seen(type: RunEventType, count = 1): Promise<void> {
    await this.#until(() => this.events.filter((event) => event.type === type).length >= count);
  }

  /** Kills it as a crash would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #hear(answer: Answer): void {
    switch (answer.kind) {
      case 'ready':
        this.#ready = true;
        break;
      case 'event':
        this.events.push(answer.event);
        break;
      case 'answer':
        this.#take(answer.id)?.resolve(answer.value);
        break;
      case 'refusal':
        this.#take(answer.id)?.reject(new Refusal(answer.code, answer.message));
        break;
      default:
        answer satisfies never;
    }
    for (const listener of this.#listeners) listener();
  }

  #take(id: number): PromiseWithResolvers<unknown> | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open;
  }

  async #until(condition: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (condition()) resolve();
    };
    const gone = (): void => reject(new Error('The other window has ended.'));
    this.#listeners.add(look);
    this.#child.once('exit', gone);
    look();
    await promise.finally(() => {
      this.#listeners.delete(look);
      this.#child.off('exit', gone);
    });
  }
}

/** What a crash left: the folder, and the session that was at work. */
export interface Crash extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  readonly sessionId: string;
  /** Lines of a file of the workspace; none when it is not there. */
  lines(name: string): Promise<readonly string[]>;
}

export interface CrashOptions extends Omit<OtherWindowOptions, 'at' | 'modelUrl'> {
  readonly script: Script;
  /** Files of the workspace: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** What happens until the kill. */
  readonly until: (window: OtherWindow, place: Omit<Crash, 'sessionId'>) => Promise<unknown>;
}

/** Starts a session in another window and kills that window in the middle of it. */
export async function crash(options: CrashOptions): Promise<Crash> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-crash-'));
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace);
  for (const [name, text] of Object.entries(options.files ?? {}))
    await writeFile(path.join(workspace, name), text);
  const place = {
    folder,
    workspace,
    lines: async (name: string) => {
      const text = await readFile(path.join(workspace, name), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
  const server = await startModelServer({ script: options.script });
  try {
    await using window = await OtherWindow.open({ ...options, at: place, modelUrl: server.url });
    const sessionId = await window.start('write the lines');
    await options.until(window, place);
    return { ...place, sessionId };
  } finally {
    await server.close();
  }
}
