import type { JsonObject } from '../../../domain/data/json.ts';
import { type BelayError, failureOf, fault, wordsOf } from '../../../domain/failure.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { resolvePath } from '../../../domain/paths.ts';
import { inWords, told } from '../../../domain/text/told.ts';
import { withoutLater } from '../../background/background-seams.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderChanges } from '../../ports/files/workspace-snapshots.ts';
import {
  type AgentChanges,
  type RestorePreview,
  RESTORE,
  UNDO,
  pathsIn,
} from '../../restore/agent-changes.ts';
import type { ChangeRecord } from '../../restore/storage/change-record.ts';
import type { Tool, ToolContext } from '../../tool-call/tool-call.ts';
import type { ReviewFiles } from '../service/review-files.ts';
import type { CommandGroup, StoredGroups } from './stored-groups.ts';

/** Characters of a command line that are kept. */
const MAX_LINE_CHARS = 300;

interface Parts {
  readonly stored: StoredGroups;
  readonly changes: Pick<AgentChanges, 'list' | 'listWritten' | 'onRecord' | 'preview' | 'restore'>;
  readonly files: Pick<ReviewFiles, 'userEdits' | 'changedDuringCommand'>;
  readonly clock: Clock;
  /** Sessions in which something happened since a time, in milliseconds since the epoch. */
  readonly sessionsSince: (at: number) => Promise<readonly string[]>;
  /** Reports that another window changed what is stored. */
  readonly watch: (listener: () => void) => Disposable;
}

/** A moment from which on changes are attributed. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The user's edits until then. */
  readonly edits: number;
}

/** The command during which files changed. */
export type GroupCommand = Pick<
  CommandGroup,
  'sessionId' | 'messageId' | 'callId' | 'line' | 'since'
>;

/** A file that could not be undone. */
export interface NotUndone {
  /** Absolute. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Changes on disk during commands, by command. It is an index of the records of changes: only the time says
 * that a command made them, so they may be the work of the user, of git or of another program.
 */
export class CommandGroups {
  readonly stored: StoredGroups;
  readonly #parts: Parts;
  readonly #listening: readonly Disposable[];
  #settling: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.stored = parts.stored;
    const onRecord = (record: Omit<ChangeRecord, 'at'>): void => {
      if (record.tool !== RESTORE && record.tool !== UNDO) return;
      const isRestore = record.tool === RESTORE;
      this.#settling = this.#settling.then(async () => this.#settle(pathsIn([record]), isRestore));
    };
    this.#listening = [
      parts.changes.onRecord(onRecord),
      parts.watch(() => void parts.stored.load()),
    ];
  }

  /** The present moment, or a time in milliseconds since the epoch of which nothing else is known. */
  moment(at = this.#parts.clock.now()): Moment {
    return { at, edits: this.#parts.files.userEdits.count };
  }

  /**
   * Leaves out what is known to be somebody else's since a moment: files that the user typed in or saved in this window,
   * and what Belay's own tools wrote in other sessions.
   */
  async withoutKnownEdits(
    folders: readonly FolderChanges[],
    sessionId: string,
    { at, edits }: Moment,
  ): Promise<readonly FolderChanges[]> {
    const { files, changes, sessionsSince } = this.#parts;
    const unknown = folders.map(({ root, changes: all }) => ({
      root,
      changes: all.filter(
        ({ path }) => !files.userEdits.isEditedSince(resolvePath(root, path), edits),
      ),
    }));
    if (unknown.every((folder) => folder.changes.length === 0)) return unknown;
    const others = async (): Promise<readonly string[]> =>
      (await sessionsSince(at)).filter((id) => id !== sessionId);
    const written = {
      sessions: others,
      changes: { list: (id: string) => changes.listWritten(id) },
    };
    return withoutLater(unknown, at, written, ({ exact }) => exact === true);
  }

  /** Lists files that changed while a command ran. Further ones of the same command join its group. */
  async add(command: GroupCommand, folders: readonly FolderChanges[]): Promise<void> {
    const changed = pathsIn([{ folders }]).map((path) => resolvePath(path, '.'));
    if (changed.length === 0) return;
    const { files, clock } = this.#parts;
    const { sessionId, callId, since } = command;
    const id = [sessionId, callId, ...(since === undefined ? [] : [since])].join('/');
    const line = shortLine(command.line);
    await this.stored.change(id, (known) => {
      const paths = [...new Set([...(known?.paths ?? []), ...changed])];
      const joined = paths.length - (known?.paths.length ?? 0);
      const total = (known?.total ?? 0) + joined;
      return { ...command, id, line, at: clock.now(), paths, total };
    });
    for (const path of changed) await files.changedDuringCommand(path);
  }

  /** True while a file is listed as changed during a command that did not run in the background. */
  includes(path: string): boolean {
    return this.stored.all.some(({ since, paths }) => since === undefined && paths.includes(path));
  }

  /** Removes a group from the list and leaves its files as they are. */
  async dismiss(id: string): Promise<void> {
    await this.stored.change(id, () => undefined);
  }

  /**
   * Returns what undoing would do to the files of a group that are not as before, with the user's later edits merged.
   * @param only absolute; default: all of them
   * @throws BelayError `not_found` when the group is no longer listed
   */
  async preview(id: string, only?: readonly string[]): Promise<readonly RestorePreview[]> {
    const group = this.#find(id);
    const meant = only ?? (isWhole(group) ? group.paths : undefined);
    const previews = await this.#preview(group, meant);
    const open = pathsOf(previews);
    // The user or git undid the others already.
    if (meant?.some((path) => !open.has(path)) === true)
      await this.#keepListed(id, (path) => open.has(path) || !meant.includes(path));
    else if (open.size === 0) await this.dismiss(id);
    return previews;
  }

  /**
   * Undoes previewed changes. Files in conflict stay, and one that cannot be undone does not keep the others from it.
   * @returns the files that could not be undone
   */
  async undo(id: string, previews: readonly RestorePreview[]): Promise<readonly NotUndone[]> {
    const { sessionId } = this.#find(id);
    const chosen = previews.filter(({ outcome }) => outcome === 'restored' || outcome === 'merged');
    for (const { root, path } of chosen)
      this.#parts.files.userEdits.noteEdit(resolvePath(root, path));
    const failed = await this.#restore(sessionId, chosen);
    await this.#settling;
    return failed;
  }

  /** Resolves when everything is stored. */
  async dispose(): Promise<void> {
    for (const one of this.#listening) one.dispose();
    await this.#settling;
    await this.stored.load();
  }

  async #restore(
    sessionId: string,
    previews: readonly RestorePreview[],
  ): Promise<readonly NotUndone[]> {
    if (previews.length === 0) return [];
    try {
      const { left } = await this.#parts.changes.restore(sessionId, previews, UNDO);
      return left.map(({ root, path, why }) => ({
        path: resolvePath(root, path),
        reason: inWords(why),
      }));
    } catch (thrown) {
      const reason = wordsOf(failureOf(thrown));
      return previews.map(({ root, path }) => ({ path: resolvePath(root, path), reason }));
    }
  }

  /**
   * Takes files out of the groups that they were restored in. A restore to an earlier message also takes them out of
   * all later groups: it took back those changes as well.
   */
  async #settle(restored: readonly string[], isRestore: boolean): Promise<void> {
    const paths = new Set(restored.map((path) => resolvePath(path, '.')));
    const back = new Set<string>();
    for (const group of this.stored.all) {
      const meant = isWhole(group) ? group.paths.filter((path) => paths.has(path)) : undefined;
      if (meant?.length === 0) continue;
      const open = pathsOf(await this.#preview(group, meant));
      const isListed = (path: string): boolean =>
        paths.has(path) ? open.has(path) && !(isRestore && back.has(path)) : true;
      await this.#keepListed(group.id, isListed, isWhole(group) ? undefined : [...open]);
      for (const path of meant ?? paths) if (!isListed(path)) back.add(path);
    }
  }

  /** @param open default: the files that are listed */
  async #keepListed(
    id: string,
    isListed: (path: string) => boolean,
    open?: readonly string[],
  ): Promise<void> {
    await this.stored.change(id, (known) => {
      if (known === undefined) return undefined;
      const paths = (open ?? known.paths).filter(isListed);
      const hidden = open === undefined ? known.total - known.paths.length : 0;
      return { ...known, paths, total: paths.length + hidden };
    });
  }

  async #preview(
    { sessionId, callId, since }: CommandGroup,
    only?: readonly string[],
  ): Promise<readonly RestorePreview[]> {
    const meant = only && new Set(only);
    const records = await this.#parts.changes.list(sessionId);
    const own = records.filter(
      (record) =>
        record.callId === callId &&
        (record.during === true ? (record.since ?? '') : undefined) === since,
    );
    return this.#parts.changes.preview(
      own.map((record) => ({
        ...record,
        // Here the changes are what the user wants to undo, whoever made them.
        exact: true,
        folders: record.folders.map(({ root, changes }) => ({
          root,
          changes: changes.filter(({ path }) => meant?.has(resolvePath(root, path)) ?? true),
        })),
      })),
    );
  }

  #find(id: string): CommandGroup {
    const group = this.stored.all.find((one) => one.id === id);
    if (group === undefined) throw notListed();
    return group;
  }
}

/** Describes the call of a tool whose changes only the time tells. */
export function commandOfCall(tool: Tool, input: JsonObject, context: ToolContext): GroupCommand {
  const { sessionId, messageId = '', callId, roots } = context;
  const line = tool.commands?.(input, roots)[0]?.command ?? tool.name;
  return { sessionId, messageId, callId, line };
}

/** True where all files of a group are listed by name. */
function isWhole({ paths, total }: CommandGroup): boolean {
  return paths.length === total;
}

function pathsOf(previews: readonly RestorePreview[]): ReadonlySet<string> {
  return new Set(previews.map(({ root, path }) => resolvePath(root, path)));
}

function shortLine(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : line;
}

function notListed(): BelayError {
  return fault('not_found', told`These changes are no longer listed. Nothing was undone.`);
}
