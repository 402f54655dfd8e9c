import * as l10n from '@vscode/l10n';
import { inWords, told } from '../../domain/text/told.ts';
import { type Json, isJsonObject } from '../../domain/data/json.ts';
import type { ChangeRecord } from './storage/change-record.ts';
import { BelayError, fault } from '../../domain/failure.ts';
import { type Message, toolCallsOf } from '../../domain/message.ts';
import { CHANGES_PREFIX } from '../../domain/session/session-values.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { Turn } from '../../domain/lifetime/steps.ts';
import { resolvePath } from '../../domain/paths.ts';
import type { Values } from '../ports/store/values.ts';
import type {
  FolderChanges,
  LeafRecord,
  LeftPath,
  PathChange,
  RecoveredRestore,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../ports/files/workspace-snapshots.ts';
import { Contents } from './storage/contents.ts';
import { inGroups } from './in-groups.ts';
import { othersSince } from './others-since.ts';
import { type RecordPart, joinedParts, partsOf } from './storage/record-parts.ts';
import { recoveredSentence } from './recovered.ts';
import { type AgentChange, type Leaf, turnedBack } from './turned-back.ts';

export interface RestorePreview {
  readonly root: string;
  /** Below the root, with `/`. */
  readonly path: string;
  readonly now: Leaf;
  /**
   * `conflict`: the person changed it, too; it stays unless they choose. `others`: changed by no
   * call on record; it stays unless chosen. `commands`: it changed while a command ran, which may be the work of
   * anybody; it stays unless chosen. `lost`: its content is gone; it stays.
   */
  readonly outcome: 'restored' | 'merged' | 'conflict' | 'others' | 'commands' | 'lost';
  readonly to: Leaf;
  /** Of a conflict, one of the others, or a change by commands. */
  readonly why?: string;
}

/** The pending changes, as a restore settles them. */
export interface Settles {
  settleAll(paths: readonly string[]): Promise<void>;
  countIn(path: string, bytes: Uint8Array | undefined): Promise<number>;
}

export interface RestoredFiles {
  readonly record: ChangeRecord;
  /** Paths that could not be restored. */
  readonly left: readonly LeftPath[];
}

interface Parts {
  readonly snapshots: WorkspaceSnapshots;
  /** Absent where no changes are pending. */
  readonly pending?: Settles | undefined;
  readonly values: Values;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Of an entry that a restore wrote about itself: taking it back is the redo. */
export const RESTORE = 'restore';
/** Of an entry that the undo of changes during a command wrote. */
export const UNDO = 'undo';

/** Places, comparable with `seq`, of calls that are not in the conversation any more. */
export type CallPlaces = ReadonlyMap<string, number>;

/** True for a file that a restore brings back unless the user chooses otherwise. */
export function isRestorable({ outcome }: RestorePreview): boolean {
  return outcome === 'restored' || outcome === 'merged';
}

/** Everything that was changed from the first call behind a place in the conversation on. */
export function recordsSince(
  seq: number,
  messages: readonly Message[],
  all: readonly ChangeRecord[],
  places: CallPlaces = new Map(),
): readonly ChangeRecord[] {
  const placeOf = new Map([
    ...places,
    ...messages.flatMap((message) => [
      [message.id, message.seq + BEHIND_MESSAGE] as const,
      ...toolCallsOf(message).map(({ id }) => [id, message.seq] as const),
    ]),
  ]);
  const first = all.findIndex(
    ({ since = '', callId }) => (placeOf.get(since) ?? placeOf.get(callId) ?? 0) > seq,
  );
  return first === -1 ? [] : all.slice(first);
}

/** Added to a message's place: behind it, before the next. */
const BEHIND_MESSAGE = 0.5;

/** The id of a message or call that places a record in the conversation. */
export function anchorOf({ since, callId }: ChangeRecord): string {
  return since ?? callId;
}

/** Absolute, each once. */
export function pathsIn(records: readonly Pick<ChangeRecord, 'folders'>[]): readonly string[] {
  const paths = records.flatMap(({ folders }) =>
    folders.flatMap(({ root, changes }) => changes.map(({ path }) => `${root}/${path}`)),
  );
  return [...new Set(paths)];
}

/** The agent's changes of the workspace by call, and the way back; the person's edits stay. */
export class AgentChanges {
  readonly #parts: Parts;
  /** One record after the other, so that their order is that of the calls. */
  #last: Promise<unknown> = Promise.resolve();

  /** Records that are still found out, by session; each is written after those of the calls before it. */
  readonly #coming = new Map<string, Promise<unknown>>();

  readonly #listeners = new Set<(record: Omit<ChangeRecord, 'at'>) => void>();

  /** The last number given, by session. */
  readonly #numbers = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** As `record`, when it is known later what a call changed: in the order of the calls, and no list goes without. */
  recordWhenFound(sessionId: string, found: Promise<Omit<ChangeRecord, 'at'>>): Promise<void> {
    const before = this.#coming.get(sessionId) ?? Promise.resolve();
    const written = Promise.all([found, before]).then(([record]) => this.record(sessionId, record));
    const coming = Promise.allSettled([before, written]);
    this.#coming.set(sessionId, coming);
    void coming.finally(() => {
      if (this.#coming.get(sessionId) === coming) this.#coming.delete(sessionId);
    });
    return written;
  }

  onRecord(listener: (record: Omit<ChangeRecord, 'at'>) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Keeps what a call changed. Empty changes leave no record, unless something could not be kept. */
  record(sessionId: string, record: Omit<ChangeRecord, 'at'>): Promise<void> {
    const folders = record.folders
      .filter(({ changes }) => changes.length > 0)
      .map(({ root, changes }) => ({ root, changes }));
    const unkept = record.folders.flatMap((folder) =>
      (folder.unkept ?? []).map((name) => resolvePath(folder.root, name)),
    );
    unkept.unshift(...(record.unkept ?? []));
    if (folders.length === 0 && unkept.length === 0) return Promise.resolve();
    for (const listener of this.#listeners) listener(record);
    const written = this.#write(this.#last, sessionId, {
      ...record,
      folders,
      ...(unkept.length === 0 ? {} : { unkept }),
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #write(
    before: Promise<unknown>,
    sessionId: string,
    record: Omit<ChangeRecord, 'at'>,
  ): Promise<void> {
    const { values, now } = this.#parts;
    await before;
    const parts = partsOf({ ...record, at: now() });
    const number = (this.#numbers.get(sessionId) ?? (await this.#lastNumber(sessionId))) + 1;
    this.#numbers.set(sessionId, number + parts.length - 1);
    // The first part last: with it the record is there as a whole.
    for (const [index, part] of [...parts.entries()].toReversed()) {
      // Keys are in order as texts too.
      const key = `${CHANGES_PREFIX}${String(number + index).padStart(8, '0')}`;
      await values.set(key, part, sessionId);
    }
  }

  /** Of the newest record; all of them are read for it, so once a session. */
  async #lastNumber(sessionId: string): Promise<number> {
    const known = await this.#parts.values.list(CHANGES_PREFIX, sessionId);
    return Number((known.at(-1)?.key ?? '').slice(CHANGES_PREFIX.length));
  }

  /** In the order in which they happened; waits for those that are still found out. */
  async list(sessionId: string): Promise<readonly ChangeRecord[]> {
    await this.#coming.get(sessionId);
    return this.listWritten(sessionId);
  }

  /** As `list`, without waiting. */
  async listWritten(sessionId: string): Promise<readonly ChangeRecord[]> {
    const found = await this.#parts.values.list(CHANGES_PREFIX, sessionId);
    return joinedParts(found.flatMap(({ value }) => (isRecord(value) ? [value] : [])));
  }

  /** A restore before it is made; with a `checkpoint`, all else that changed since is listed. */
  async preview(
    records: readonly ChangeRecord[],
    checkpoint?: WorkspaceSnapshot,
  ): Promise<readonly RestorePreview[]> {
    const contents = new Contents(this.#parts.snapshots);
    // The checkpoint knows better of changes that only a restore has made since.
    const known = (await byPath(records)).filter(
      ({ isCalls }) => isCalls || checkpoint === undefined,
    );
    const looked = await inGroups(known, (history) => this.#lookAt(history, contents));
    const previews = looked.flatMap((one) => one ?? []);
    if (checkpoint === undefined) return previews;
    return [
      ...previews,
      ...(await othersSince(checkpoint, known, this.#parts.snapshots, contents)),
    ];
  }

  async #lookAt(
    { root, path, changes, isExact }: PathHistory,
    contents: Contents,
  ): Promise<RestorePreview | undefined> {
    const now = await this.#parts.snapshots.now(root, path);
    const history = await historyOf(changes, contents);
    const place = { root, path, now };
    if (typeof history === 'string') return { ...place, outcome: 'lost', to: now, why: history };
    const back = turnedBack(now, history);
    if (back.kind !== 'same' && !isExact) {
      const to = back.kind === 'changed' ? back.to : back.theirs;
      const why = l10n.t(
        'It changed while a command ran: by the command, by you or by another program.',
      );
      return { ...place, outcome: 'commands', to, why };
    }
    if (back.kind === 'changed')
      return { ...place, outcome: back.merged ? 'merged' : 'restored', to: back.to };
    if (back.kind === 'conflict')
      return { ...place, outcome: 'conflict', to: back.theirs, why: inWords(back.why) };
    return undefined;
  }

  /**
   * Restores what was previewed. A path that cannot be restored stays as it is and keeps no other from it. What a
   * restore writes is settled.
   * @param name `RESTORE` or `UNDO`
   * @throws BelayError `invalid` with the reasons when no file could be restored
   */
  async restore(
    sessionId: string,
    previews: readonly RestorePreview[],
    name = RESTORE,
  ): Promise<RestoredFiles> {
    const roots = [...new Set(previews.map(({ root }) => root))];
    const about = { sessionId, began: this.#parts.now(), name };
    const { folders, left } = await this.#parts.snapshots.restore(
      roots.map((root) => ({
        root,
        steps: previews
          .filter((one) => one.root === root)
          .map(({ path, now, to }) => ({ path, from: now, to })),
      })),
      about,
    );
    if (folders.length === 0 && left.length > 0) throw nothingRestored(left);
    const record = await this.#recordRestore(about, folders);
    // Else it is found again at the next start, and known to be on record.
    await this.#parts.snapshots.recorded(about).catch(() => undefined);
    return { record, left };
  }

  /** Counts undecided changes of files that would still be in them after a restore. */
  async countUndecided(previews: readonly RestorePreview[]): Promise<number> {
    let count = 0;
    for (const { root, path, to } of previews) {
      const bytes = to.kind === 'file' ? to.bytes : undefined;
      count += (await this.#parts.pending?.countIn(`${root}/${path}`, bytes)) ?? 0;
    }
    return count;
  }

  /** Settles and records restores whose process died; a sentence for the person about each. */
  async recover(): Promise<readonly string[]> {
    const recovered = await this.#parts.snapshots.recover();
    const sentences: string[] = [];
    for (const one of recovered) {
      if (!(await this.#isOnRecord(one))) {
        sentences.push(inWords(recoveredSentence(one)));
        const { sessionId, began, name } = isJsonObject(one.about) ? one.about : {};
        const about = { began: Number(began ?? 0), name: name === UNDO ? UNDO : RESTORE };
        // The session may be gone by now; what became of the files is told all the same.
        if (typeof sessionId === 'string')
          await this.#recordRestore({ ...about, sessionId }, one.folders).catch(() => undefined);
      }
      await this.#parts.snapshots.recorded(one.about).catch(() => undefined);
    }
    return sentences;
  }

  /** It was over when the process died, and nothing was left to be done about it. */
  async #isOnRecord({ about, outcome }: RecoveredRestore): Promise<boolean> {
    const { sessionId, began } = isJsonObject(about) ? about : {};
    if (outcome !== 'finished' || typeof sessionId !== 'string') return false;
    const records = await this.list(sessionId).catch(() => []);
    return records.some((record) => record.began !== undefined && record.began === began);
  }

  async #recordRestore(
    about: { readonly sessionId: string; readonly began: number; readonly name: string },
    folders: readonly FolderChanges[],
  ): Promise<ChangeRecord> {
    const { sessionId, began, name } = about;
    const record = { callId: name, tool: name, began, folders, uncertain: false, exact: true };
    if (name === RESTORE) await this.#parts.pending?.settleAll(pathsIn([record]));
    await this.record(sessionId, record);
    return { ...record, at: this.#parts.now() };
  }
}

/** Reasons in an error; the others are counted. */
const MAX_REASONS = 5;

function nothingRestored(left: readonly LeftPath[]): BelayError {
  const more = left.length - MAX_REASONS;
  return fault('invalid', [
    told`No file was restored.`,
    ...left.slice(0, MAX_REASONS).map(({ path, why }) => told`${path}: ${why}`),
    ...(more > 0 ? [told`Files that are not named here: ${more}.`] : []),
  ]);
}

/** A sentence when some of it is not there any more. */
async function historyOf(
  changes: readonly PathChange[],
  contents: Contents,
): Promise<readonly AgentChange[] | string> {
  try {
    const history = [];
    for (const { before, after } of changes)
      history.push({ before: await contents.of(before), after: await contents.of(after) });
    return history;
  } catch (thrown) {
    if (!(thrown instanceof BelayError)) throw thrown;
    return 'What it was is not kept any more; it stays.';
  }
}

/** Paths with what was before and after; those that cannot be kept, or that are the same, are left out. */
export function pairsOf(
  paths: readonly string[],
  before: readonly (LeafRecord | undefined)[],
  after: readonly (LeafRecord | undefined)[],
): readonly PathChange[] {
  return paths.flatMap((path, index) => {
    const [was, is] = [before[index], after[index]];
    if (was === undefined || is === undefined) return [];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ path, before: was, after: is }];
  });
}

interface PathHistory {
  readonly root: string;
  readonly path: string;
  readonly changes: PathChange[];
  /** Some call has changed it, not only a restore. */
  isCalls: boolean;
  /** Belay's own code wrote all of the changes. */
  isExact: boolean;
}

async function byPath(records: readonly ChangeRecord[]): Promise<readonly PathHistory[]> {
  const paths = new Map<string, PathHistory>();
  const turn = new Turn();
  for (const { callId, folders, exact = false } of records)
    for (const { root, changes } of folders)
      for (const change of changes) {
        const key = `${root}\0${change.path}`;
        const { path } = change;
        const none = { root, path, changes: [], isCalls: false, isExact: true };
        const known: PathHistory = paths.get(key) ?? none;
        known.changes.push(change);
        known.isCalls ||= callId !== RESTORE;
        known.isExact &&= exact;
        paths.set(key, known);
        if (turn.isOver) await turn.pass();
      }
  return [...paths.values()];
}

/** Of an import anything may come; what is no record is left out. */
export function isRecord(value: Json): value is Json & RecordPart {
  return isJsonObject(value) && Array.isArray(value['folders']) && 'callId' in value;
}
