import { type Json, isJsonObject } from '../../domain/data/json.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { ShellRequest } from '../ports/commands/shell.ts';
import type { Values } from '../ports/store/values.ts';
import type { BackgroundShell } from '../ports/commands/background-shell.ts';
import type { StartedProcess } from '../../domain/run.ts';
import { type BackgroundOrigin, BackgroundCommand } from './background-command.ts';
import { endText } from './end-text.ts';

/** Commands that run at the same time, in all sessions. */
const MOST_RUNNING = 24;
/** Ended commands of a session that are remembered with what they printed last. */
const MOST_ENDED = 16;
/** Records of what runs, so that a later process finds what a crash left behind (durability, rule 6). */
const RECORD = 'background/';
/** Characters of a command line in a note. */
const SHOWN = 80;

export interface BackgroundPorts {
  readonly shell: BackgroundShell;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly values: Values;
  readonly stopAbandoned: (group: StartedProcess) => Promise<boolean>;
}

export interface BackgroundStart extends Omit<BackgroundOrigin, 'id'> {
  /** Absolute. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onStarted: NonNullable<ShellRequest['onStarted']>;
  readonly unsandboxed?: boolean;
}

export type BackgroundChange =
  | { readonly kind: 'started' | 'ended'; readonly command: BackgroundCommand }
  | { readonly kind: 'output'; readonly command: BackgroundCommand; readonly text: string };

/**
 * Commands that go on beside the runs, until they end, are stopped, their session is deleted or the
 * window closes; a guard or the next process stops those of a process that died.
 */
export class BackgroundCommands {
  readonly #ports: BackgroundPorts;
  readonly #commands = new Map<string, BackgroundCommand>();
  readonly #listeners = new Set<(change: BackgroundChange) => void>();
  /** Ended commands of which the model was not told yet. */
  readonly #untold = new Set<BackgroundCommand>();
  #starting = 0;

  constructor(ports: BackgroundPorts) {
    this.#ports = ports;
  }

  /** Those of a session, or all; in the order in which they began. */
  list(sessionId?: string): readonly BackgroundCommand[] {
    const all = [...this.#commands.values()];
    return sessionId === undefined
      ? all
      : all.filter(({ origin }) => origin.sessionId === sessionId);
  }

  /** Fails with `not_found`; a session knows only its own. */
  find(sessionId: string, id: string): BackgroundCommand {
    const found = this.#commands.get(id);
    if (found?.origin.sessionId === sessionId) return found;
    const known = this.list(sessionId).map(({ origin }) => origin.id);
    const rest =
      known.length === 0 ? 'None was started in this window.' : `There is ${known.join(', ')}.`;
    const message = told`There is no background command ${JSON.stringify(id)}. ${rest} It may have been stopped when Belay was closed: start it again if it is needed.`;
    throw fault('not_found', message);
  }

  onChange(listener: (change: BackgroundChange) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Starts a command; it has begun, and its record is on disk, when this resolves. */
  async start({
    folder,
    signal,
    onStarted,
    unsandboxed = false,
    ...origin
  }: BackgroundStart): Promise<BackgroundCommand> {
    const { shell, clock, ids, values } = this.#ports;
    const running = this.list().filter((command) => command.running).length + this.#starting;
    if (running >= MOST_RUNNING) {
      const message = told`${running} commands run in the background already. Stop one that is not needed with background_command first.`;
      throw fault('tool', message);
    }
    const command = new BackgroundCommand({ ...origin, id: ids.next('background') }, clock);
    const { id } = command.origin;
    this.#starting += 1;
    try {
      const process = await shell.start({
        command: origin.command,
        cwd: folder,
        signal,
        unsandboxed,
        onOutput: (text) => {
          command.add(text);
          this.#tell({ kind: 'output', command, text });
        },
        onStarted: async (group) => {
          await values.set(`${RECORD}${id}`, {
            group: { ...group },
            owner: { ...(await shell.self()) },
          });
          await onStarted(group);
        },
      });
      this.#commands.set(id, command);
      void command.follow(process).then(() => this.#ended(command));
    } catch (thrown) {
      await this.#forgetRecord(id);
      throw thrown;
    } finally {
      this.#starting -= 1;
    }
    this.#tell({ kind: 'started', command });
    return command;
  }

  told(command: BackgroundCommand): void {
    this.#untold.delete(command);
  }

  /** A sentence for each command of the session that ended since the model was last told. */
  takeNews(sessionId: string): readonly string[] {
    const ended = [...this.#untold].filter(({ origin }) => origin.sessionId === sessionId);
    return ended.map((command) => {
      this.#untold.delete(command);
      const unread = command.hasUnread ? ' It printed more: read it with background_command.' : '';
      return `${nameOf(command)} ${endText(command.state)}.${unread}`;
    });
  }

  /** Running commands of a session, a line each, for the note beside the person's message. */
  running(sessionId: string): readonly string[] {
    return this.list(sessionId)
      .filter((command) => command.running)
      .map((command) => `${nameOf(command)} runs`);
  }

  /** Stops what runs: of a session, or all. Resolves when it is gone. */
  async stopAll(sessionId: string | undefined, by: 'model' | 'person'): Promise<void> {
    const running = this.list(sessionId).filter((command) => command.running);
    await Promise.all(running.map(async (command) => command.stop(by)));
  }

  /** The session is deleted: what runs in it stops, and nothing of it is remembered. */
  async forget(sessionId: string): Promise<void> {
    await this.stopAll(sessionId, 'person');
    for (const command of this.list(sessionId)) {
      this.#commands.delete(command.origin.id);
      this.#untold.delete(command);
    }
  }

  /** Stops what a dead process left running; tells by id whether it was found. Never rejects. */
  async stopAbandoned(): Promise<ReadonlyMap<string, boolean>> {
    const { values, shell, log } = this.#ports;
    const stopped = new Map<string, boolean>();
    try {
      for (const { key, value } of await values.list(RECORD)) {
        const { group, owner } = recordOf(value);
        if (owner !== undefined && (await shell.isAlive(owner))) continue;
        const wasRunning = group !== undefined && (await this.#ports.stopAbandoned(group));
        if (wasRunning)
          log.info('A background command that a crash had left running was stopped.', { key });
        stopped.set(key.slice(RECORD.length), wasRunning);
        await values.set(key, null);
      }
    } catch (error) {
      log.error('Background commands of an earlier process could not be looked for.', error);
    }
    return stopped;
  }

  async dispose(): Promise<void> {
    await this.stopAll(undefined, 'person');
    this.#listeners.clear();
  }

  async #ended(command: BackgroundCommand): Promise<void> {
    this.#untold.add(command);
    this.#tell({ kind: 'ended', command });
    const ended = this.list(command.origin.sessionId).filter(({ running }) => !running);
    for (const old of ended.slice(0, -MOST_ENDED)) {
      this.#commands.delete(old.origin.id);
      this.#untold.delete(old);
    }
    await this.#forgetRecord(command.origin.id);
  }

  /** A record that stays is found at the next start, where its process is gone. */
  async #forgetRecord(id: string): Promise<void> {
    try {
      await this.#ports.values.set(`${RECORD}${id}`, null);
    } catch (error) {
      this.#ports.log.debug('The record of a background command stays.', { reason: String(error) });
    }
  }

  #tell(change: BackgroundChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function nameOf({ origin: { id, command } }: BackgroundCommand): string {
  const line = command.replaceAll(/\s+/gu, ' ').trim();
  return `${id} (${line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line})`;
}

interface BackgroundRecord {
  readonly group?: StartedProcess;
  readonly owner?: StartedProcess;
}

function recordOf(value: Json): BackgroundRecord {
  return isJsonObject(value) ? value : {};
}
