import type { AgentChanges } from '../restore/agent-changes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { FileSystem } from '../ports/files/file-system.ts';
import type { Log } from '../ports/log.ts';
import type { Values } from '../ports/store/values.ts';
import type {
  FolderChanges,
  LeafRecord,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../ports/files/workspace-snapshots.ts';
import type { CommandGroups, Moment } from '../review/commands/command-groups.ts';
import type { BackgroundCommand } from './background-command.ts';
import type { BackgroundChange, BackgroundCommands } from './background-commands.ts';
import { type StoredSeam, diedWithout, isSeam, SEAM, withoutLater } from './background-seams.ts';
import { placeKey, sinceCalls } from './interval-changes.ts';

/** Milliseconds between two looks while nothing else is a reason for one; the workspace is read only after output. */
const BEAT = 30_000;

export interface BackgroundChangesParts {
  readonly commands: Pick<BackgroundCommands, 'onChange' | 'stopAbandoned'>;
  readonly snapshots: Pick<WorkspaceSnapshots, 'take' | 'changes'>;
  readonly changes: Pick<AgentChanges, 'record' | 'onRecord' | 'list'>;
  readonly values: Values;
  readonly files: Pick<FileSystem, 'stat'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Folders of the workspace, absolute. */
  readonly roots: () => readonly string[];
  readonly enabled: () => boolean;
  /** A snapshot that is on no record yet stays until this is called. */
  readonly hold: (snapshot: WorkspaceSnapshot) => () => void;
  readonly sessions: () => Promise<readonly string[]>;
  /** Lists what changed during commands; absent: nobody reviews. */
  readonly groups?: Pick<CommandGroups, 'moment' | 'withoutKnownEdits' | 'add'> | undefined;
}

/** The moment up to which it is known who changed what. */
interface Seam {
  readonly snapshot: WorkspaceSnapshot;
  readonly moment: Moment | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The person's last message of each session. */
  readonly since: ReadonlyMap<string, string>;
  readonly release: () => void;
}

/**
 * Records what changes beside calls while commands run in the background. From seam to seam (a call
 * begins, a run or a command ends, the person sends) the workspace is compared; what no call is on
 * record for becomes a record and is listed with the command. What the user typed or saved in this
 * window is left out.
 */
export class BackgroundChanges implements Disposable {
  readonly #parts: BackgroundChangesParts;
  readonly #listening: readonly Disposable[];
  readonly #active = new Set<BackgroundCommand>();
  readonly #latest = new Map<string, string>();
  /** Changes that calls left at paths since the seam. */
  #left = new Map<string, LeafRecord>();
  #seam: Seam | undefined;
  /** Calls that are under way, until it is on record what they changed. */
  #calls = 0;
  /** A look that waits for these calls. */
  #isDue = false;
  #hasPrinted = false;
  #work: Promise<void> = Promise.resolve();
  #beat: Disposable | undefined;

  constructor(parts: BackgroundChangesParts) {
    this.#parts = parts;
    this.#listening = [
      parts.commands.onChange((change) => this.#commandChanged(change)),
      parts.changes.onRecord(({ folders }) => {
        if (this.#active.size === 0) return;
        for (const { root, changes } of folders)
          for (const { path, after } of changes) this.#left.set(placeKey(root, path), after);
      }),
    ];
  }

  /** Notes what changed before a call; returns what is called when its own changes are on record. */
  callBegins(): { readonly looked: Promise<void>; end(after?: WorkspaceSnapshot): void } {
    const looked = this.look();
    this.#calls += 1;
    let isOver = false;
    return {
      looked,
      end: (after) => {
        if (isOver) return;
        isOver = true;
        this.#calls -= 1;
        if (this.#seam === undefined && this.#active.size > 0) {
          if (after === undefined) this.#isDue = true;
          else this.#begin(after, this.#parts.groups?.moment());
        }
        if (this.#calls === 0 && this.#isDue) void this.look();
      },
    };
  }

  /** The person has sent something: what changed before was not an answer to it. */
  messageAdded(sessionId: string, messageId: string): void {
    this.#latest.set(sessionId, messageId);
    void this.look();
  }

  /** Finds out what changed up to now; while calls are under way, after them. Never rejects. */
  look(): Promise<void> {
    if (this.#active.size === 0 || !this.#parts.enabled()) return Promise.resolve();
    if (this.#calls > 0) {
      this.#isDue = true;
      return Promise.resolve();
    }
    this.#isDue = false;
    return this.#close();
  }

  /** All commands have ended; resolves when what they changed is on record. */
  async finish(): Promise<void> {
    if (this.#parts.enabled() && this.#active.size > 0) await this.#close(true);
    await this.#work;
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  dispose(): void {
    for (const listener of this.#listening) listener.dispose();
    this.#beat?.dispose();
    this.#active.clear();
    this.#stop();
  }

  /** Stops what a process that has died left running, and records what that had changed. Never rejects. */
  async recover(): Promise<void> {
    const stopped = await this.#parts.commands.stopAbandoned();
    this.#work = this.#work.then(() => this.#recover(stopped)).catch(this.#warn);
    await this.#work;
  }

  /** Snapshots that a process which has died may still be asked about. */
  async seams(): Promise<readonly WorkspaceSnapshot[]> {
    const stored = await this.#parts.values.list(SEAM);
    return stored.flatMap(({ value }) => (isSeam(value) ? [value.snapshot] : []));
  }

  readonly #warn = (thrown: unknown): void => {
    this.#parts.log.warn('What changed while commands ran in the background was not recorded.', {
      reason: String(thrown),
    });
  };

  #commandChanged({ kind, command }: BackgroundChange): void {
    if (kind === 'output') this.#hasPrinted = true;
    if (kind === 'started') {
      this.#active.add(command);
      this.#beat ??= this.#parts.clock.after(BEAT, () => this.#onBeat());
    }
    if (kind === 'ended') void this.look();
  }

  /** Output is often about what was written; and how long commands lived is known after a crash. */
  #onBeat(): void {
    this.#beat = undefined;
    if (this.#active.size === 0) return;
    this.#beat = this.#parts.clock.after(BEAT, () => this.#onBeat());
    if (this.#hasPrinted) void this.look();
    else this.#work = this.#work.then(() => this.#store()).catch(this.#warn);
    this.#hasPrinted = false;
  }

  #begin(snapshot: WorkspaceSnapshot, moment: Moment | undefined): void {
    this.#seam?.release();
    const { clock, hold } = this.#parts;
    const since = new Map(this.#latest);
    this.#seam = { snapshot, moment, at: clock.now(), since, release: hold(snapshot) };
    this.#work = this.#work.then(() => this.#store()).catch(this.#warn);
  }

  #close(isEnd = false): Promise<void> {
    const { snapshots, groups, roots } = this.#parts;
    const active = [...this.#active];
    const ended = active.filter((command) => isEnd || !command.running);
    const [moment, left] = [groups?.moment(), this.#left];
    this.#left = new Map();
    const taking = snapshots.take(roots());
    taking.catch(() => undefined);
    const work = async (): Promise<void> => {
      const seam = this.#seam;
      const snapshot = await taking.catch((thrown: unknown) => {
        // The next look finds both.
        this.#left = new Map([...left, ...this.#left]);
        throw thrown;
      });
      try {
        if (seam === undefined) return;
        const folders = sinceCalls(await snapshots.changes(seam.snapshot, snapshot), left);
        await this.#keep(active, folders, seam);
      } finally {
        for (const command of ended) await this.#drop(command);
        this.#begin(snapshot, moment);
        if (this.#active.size === 0) this.#stop();
      }
    };
    this.#work = this.#work.then(work).catch(this.#warn);
    return this.#work;
  }

  #stop(): void {
    this.#seam?.release();
    this.#seam = undefined;
    this.#left.clear();
  }

  async #drop(command: BackgroundCommand): Promise<void> {
    this.#active.delete(command);
    await this.#parts.values.set(`${SEAM}${command.origin.id}`, null);
  }

  /** Keeps what a later process needs to go on with, should this one die. */
  async #store(): Promise<void> {
    const { values, clock } = this.#parts;
    if (this.#seam === undefined) return;
    const { snapshot, at, since } = this.#seam;
    for (const { origin } of this.#active) {
      const { id, sessionId, messageId = '', callId, command } = origin;
      const about = { sessionId, messageId, callId, command };
      const sent = since.get(sessionId) ?? messageId;
      const seam: StoredSeam = { ...about, since: sent, at, alive: clock.now(), snapshot };
      await values.set(`${SEAM}${id}`, seam);
    }
  }

  /** Writes a record in each session that has a command running, and lists it for the command that began last. */
  async #keep(
    commands: readonly BackgroundCommand[],
    found: readonly FolderChanges[],
    { moment, since }: Seam,
  ): Promise<void> {
    const { groups, changes } = this.#parts;
    const last = commands.at(-1)?.origin;
    if (last === undefined) return;
    const folders =
      groups === undefined || moment === undefined
        ? found
        : await groups.withoutKnownEdits(found, last.sessionId, moment);
    if (folders.every((folder) => folder.changes.length === 0)) return;
    const bySession = new Map(commands.map(({ origin }) => [origin.sessionId, origin]));
    for (const { sessionId, callId, messageId } of bySession.values()) {
      const sent = since.get(sessionId) ?? messageId;
      const record = { callId, tool: 'run_command', folders, uncertain: false, during: true };
      await changes
        .record(sessionId, sent === undefined ? record : { ...record, since: sent })
        .catch(this.#warn);
    }
    const line = [...new Set(commands.map(({ origin }) => origin.command))].join(' and ');
    const { sessionId, messageId = '', callId } = last;
    const sent = since.get(sessionId) ?? messageId;
    await groups?.add({ sessionId, messageId: sent, callId, line, since: sent }, folders);
  }

  async #recover(stopped: ReadonlyMap<string, boolean>): Promise<void> {
    const { values, snapshots, roots, changes, sessions, groups, files } = this.#parts;
    for (const { key, value } of await values.list(SEAM)) {
      const id = key.slice(SEAM.length);
      const isOurs = [...this.#active].some(({ origin }) => origin.id === id);
      const lives = (await values.get(`background/${id}`)) !== undefined;
      if (isOurs || (lives && !stopped.has(id))) continue;
      if (isSeam(value) && this.#parts.enabled()) {
        const now = await snapshots.take(roots());
        const all = await snapshots.changes(value.snapshot, now);
        const known = await withoutLater(all, value.at, { sessions, changes });
        // It was found running: whatever changed, changed while it ran.
        const folders = stopped.get(id) === true ? known : await diedWithout(known, value, files);
        const { sessionId, callId, since, command: line } = value;
        const record = { callId, tool: 'run_command', folders, uncertain: false, during: true };
        await changes.record(sessionId, { ...record, since }).catch(this.#warn);
        await groups?.add({ sessionId, messageId: since, callId, line, since }, folders);
      }
      await values.set(key, null);
    }
  }
}
