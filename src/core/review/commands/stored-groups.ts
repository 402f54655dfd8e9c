import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../ports/log.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';

/** Start of the keys, one for each group. */
const PREFIX = 'command-group/';
/** Groups that are kept; the oldest go, and checkpoints still have their changes. */
const MAX_GROUPS = 50;
/** Paths that are kept of a group, and their characters, so that a group stays quick to read. */
const [MAX_PATHS, MAX_PATH_CHARS] = [2000, 200_000];
/** Times that a change is made again because another window was faster. */
const MAX_ATTEMPTS = 5;

/** The files that changed while a command ran and were not yet undone or dismissed. */
export interface CommandGroup {
  readonly id: string;
  readonly sessionId: string;
  /** The message of the user that the command answered. */
  readonly messageId: string;
  readonly callId: string;
  /** The start of the command line, or the name of the tool. */
  readonly line: string;
  /** When the last of these changes was noticed, in milliseconds since the epoch. */
  readonly at: number;
  /** The command ran in the background: the group ends with the user's next message after this one. */
  readonly since?: string;
  /** Absolute. The first of them, where `total` is larger. */
  readonly paths: readonly string[];
  readonly total: number;
}

/** The groups in the store: the same in every window on the workspace, and after a restart. */
export class StoredGroups {
  readonly #values: SharedValues;
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #groups: readonly CommandGroup[] = [];
  #work: Promise<void> = Promise.resolve();

  constructor(values: SharedValues, log: Log) {
    this.#values = values;
    this.#log = log;
  }

  /** The oldest first. */
  get all(): readonly CommandGroup[] {
    return this.#groups;
  }

  /** Reads what any window has stored. */
  load(): Promise<void> {
    return this.#inTurn(async () => this.#read());
  }

  /** Reports that the groups changed. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /**
   * Changes the stored group, and again where another window was faster. A failure is logged.
   * @param make gives the next state; `undefined` or no files: the group is removed
   */
  change(
    id: string,
    make: (group: CommandGroup | undefined) => CommandGroup | undefined,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const key = `${PREFIX}${id}`;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const stored = await this.#values.get(key);
        const next = make(groupFrom(stored));
        const value = next === undefined || next.total === 0 ? null : { ...withinLimits(next) };
        if (await this.#values.swap([{ key, value }], { key, value: stored })) break;
      }
      await this.#read();
      for (const { id: old } of this.#groups.slice(0, -MAX_GROUPS))
        await this.#values.set(`${PREFIX}${old}`, null);
      this.#show(this.#groups.slice(-MAX_GROUPS));
    });
  }

  async #read(): Promise<void> {
    const stored = await this.#values.list(PREFIX);
    const groups = stored.flatMap(({ value }) => groupFrom(value) ?? []);
    this.#show(groups.toSorted((left, right) => left.at - right.at));
  }

  #show(groups: readonly CommandGroup[]): void {
    if (JSON.stringify(groups) === JSON.stringify(this.#groups)) return;
    this.#groups = groups;
    this.#listeners.forEach((listener) => listener());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((thrown: unknown) => {
      const reason = { reason: String(thrown) };
      this.#log.warn('The list of changes during commands could not be stored or read.', reason);
    });
    return this.#work;
  }
}

function withinLimits(group: CommandGroup) {
  let room = MAX_PATH_CHARS;
  const paths = group.paths.slice(0, MAX_PATHS).filter((path) => (room -= path.length) >= 0);
  return { ...group, paths };
}

function groupFrom(value: Json | undefined): CommandGroup | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, sessionId, messageId, callId, line, paths, total, at, since = '' } = value;
  const listed: readonly Json[] = Array.isArray(paths) ? paths : [null];
  const texts = [id, sessionId, messageId, callId, line, since, ...listed];
  const isGroup =
    texts.every((one) => typeof one === 'string') &&
    typeof total === 'number' &&
    typeof at === 'number';
  return isGroup ? (value as unknown as CommandGroup) : undefined;
}
