import type { Json, JsonObject } from '../../../domain/data/json.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { Log } from '../../ports/log.ts';
import type { SharedValues } from '../../ports/store/shared-values.ts';

const KEY = 'review-unlisted';
/** Notes that are kept; the oldest go. */
const MOST_NOTES = 20;
/** Paths that are kept of all notes together; of the oldest only their number is. */
const MOST_PATHS = 1000;
/** Characters of these paths together: all notes are one value. */
const MOST_CHARACTERS = 500_000;
/** Times that a note is added anew because another window was faster. */
const ATTEMPTS = 5;

/** Changes that cannot be reviewed one by one: of a command; the checkpoint has them. */
export interface NotListed {
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: string;
  /** The command line. */
  readonly tool: string;
  /** The first of them, absolute. */
  readonly paths: readonly string[];
  readonly total: number;
  /** Not of a command: what was pending in these files before they became others is kept no longer. */
  readonly dropped?: true;
  /** It changed while the command ran in the background; whether the command did it nobody knows. */
  readonly during?: true;
}

/**
 * Changes of commands that cannot be reviewed here, until the person has seen them: in every window on the workspace,
 * and after a restart.
 */
export class UnlistedNotes {
  readonly #values: SharedValues;
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  readonly #saving = new Set<Promise<void>>();
  #notes: readonly NotListed[] = [];

  constructor(values: SharedValues, log: Log) {
    this.#values = values;
    this.#log = log;
  }

  /** The newest last. */
  get all(): readonly NotListed[] {
    return this.#notes;
  }

  /** Loads what any window stored by now. */
  async load(): Promise<void> {
    await this.#stored();
    const notes = notesFrom(await this.#values.get(KEY));
    if (JSON.stringify(notes) !== JSON.stringify(this.#notes)) this.#set(notes);
  }

  /** A command that goes on in the background leaves one file out after the other: they are one note. */
  add(note: NotListed): void {
    const withNote = (notes: readonly NotListed[]): readonly NotListed[] => {
      const known = notes.find((one) => isOfSame(one, note));
      const others = notes.filter((one) => one !== known);
      return bounded([...others, known === undefined ? note : joined(known, note)]);
    };
    this.#set(withNote(this.#notes));
    this.#store(withNote);
  }

  /** Notes that a file's changes are kept aside no longer: too much, or too old. */
  addDropped(path: string): void {
    const about = { sessionId: '', messageId: '', callId: `kept aside: ${path}`, tool: '' };
    this.add({ ...about, paths: [path], total: 1, dropped: true });
  }

  /** The person has seen the notes. */
  dismiss(): void {
    const seen = this.#notes;
    this.#set([]);
    this.#store((notes) => notes.filter((note) => !seen.some((one) => isSame(one, note))));
  }

  /** Hears when there are other notes. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Resolves when everything is on disk, or is known not to get there. */
  async flush(): Promise<void> {
    await this.#stored();
  }

  async #stored(): Promise<void> {
    while (this.#saving.size > 0) await Promise.all(this.#saving);
  }

  #set(notes: readonly NotListed[]): void {
    this.#notes = notes;
    this.#listeners.forEach((listener) => listener());
  }

  #store(change: (notes: readonly NotListed[]) => readonly NotListed[]): void {
    const before = [...this.#saving];
    const saving = Promise.all(before)
      .then(() => this.#swap(change))
      .catch((thrown: unknown) => {
        this.#log.warn('What commands changed beyond what can be reviewed could not be kept.', {
          reason: String(thrown),
        });
      })
      .finally(() => this.#saving.delete(saving));
    this.#saving.add(saving);
  }

  async #swap(change: (notes: readonly NotListed[]) => readonly NotListed[]): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const stored = await this.#values.get(KEY);
      const notes = change(notesFrom(stored)).map((note): JsonObject => ({
        ...note,
        paths: [...note.paths],
      }));
      const value = notes.length === 0 ? null : notes;
      if (await this.#values.swap([{ key: KEY, value }], { key: KEY, value: stored })) return;
    }
  }
}

function bounded(notes: readonly NotListed[]): readonly NotListed[] {
  let [left, room] = [MOST_PATHS, MOST_CHARACTERS];
  const dropped = notes.slice(0, -MOST_NOTES).reduce((sum, { total }) => sum + total, 0);
  return notes
    .slice(-MOST_NOTES)
    .toReversed()
    .map((note) => {
      const paths = note.paths.slice(0, left).filter((path) => (room -= path.length) >= 0);
      left -= paths.length;
      return { ...note, paths };
    })
    .toReversed()
    .map((note, index) => (index === 0 ? { ...note, total: note.total + dropped } : note));
}

function joined(known: NotListed, note: NotListed): NotListed {
  const paths = note.paths.filter((path) => !known.paths.includes(path));
  // The same again, perhaps from another window.
  if (paths.length === 0 && note.total <= known.total) return known;
  const total = known.total + note.total - (note.paths.length - paths.length);
  return { ...known, ...note, paths: [...known.paths, ...paths], total };
}

function isOfSame(a: NotListed, b: NotListed): boolean {
  return a.sessionId === b.sessionId && a.callId === b.callId;
}

function isSame(a: NotListed, b: NotListed): boolean {
  return isOfSame(a, b) && a.total === b.total;
}

function notesFrom(value: Json | undefined): readonly NotListed[] {
  const stored: readonly Json[] = Array.isArray(value) ? value : [];
  return stored.flatMap((one) => noteFrom(one) ?? []);
}

function noteFrom(value: Json): NotListed | undefined {
  if (typeof value !== 'object' || value === null || !('paths' in value)) return undefined;
  const { sessionId, messageId, callId, tool, paths, total, dropped, during } = value;
  if (typeof sessionId !== 'string' || typeof messageId !== 'string') return undefined;
  if (typeof callId !== 'string' || typeof tool !== 'string') return undefined;
  if (!Array.isArray(paths) || typeof total !== 'number') return undefined;
  const known = paths.filter((path) => typeof path === 'string');
  const about = { sessionId, messageId, callId, tool, paths: known, total };
  const note = during === true ? { ...about, during } : about;
  return dropped === true ? { ...note, dropped } : note;
}
