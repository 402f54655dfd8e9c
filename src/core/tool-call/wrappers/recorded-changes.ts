import type { AgentChanges } from '../../restore/agent-changes.ts';
import type { ChangeRecord } from '../../restore/storage/change-record.ts';
import type { BackgroundChanges } from '../../background/background-changes.ts';
import { type SharedTimeBudget, TurnTimeBudget } from '../../ports/time-budget.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { Log } from '../../ports/log.ts';
import type {
  FolderChanges,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../../ports/files/workspace-snapshots.ts';
import { type CommandGroups, commandOfCall } from '../../review/commands/command-groups.ts';
import { pathBelow, resolvePath } from '../../../domain/paths.ts';
import { toolOf } from './lookup.ts';
import { TouchedFiles } from './touched-files.ts';
import type { ToolCallRequest, WrapToolCall } from '../tool-call.ts';

/** Milliseconds that a turn's calls wait for snapshots all together. */
const PATIENCE = 1000;

interface RecordedChangesParts {
  readonly changes: AgentChanges;
  readonly snapshots: WorkspaceSnapshots;
  readonly files: Pick<FileSystem, 'realpath'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: always. */
  readonly enabled?: () => boolean;
  /** Resolves when the call may go on: the checkpoint before its request is taken, or was waited for long enough. */
  readonly ready?: (sessionId: string) => Promise<void>;
  /** A snapshot that is on no record yet stays until this is called. */
  readonly hold?: (snapshot: WorkspaceSnapshot) => () => void;
  /** Lists what changed during commands; absent: nobody reviews. */
  readonly groups?: Pick<CommandGroups, 'moment' | 'withoutKnownEdits' | 'add'> | undefined;
  /** Tells what changes beside the calls apart from what they do. */
  readonly beside?: Pick<BackgroundChanges, 'callBegins'> | undefined;
  /** After something was recorded. */
  readonly onRecorded?: () => void;
}

/** Work after a call to know what it changed. */
type After = () => Promise<
  Pick<ChangeRecord, 'folders' | 'uncertain' | 'unkept'> & {
    /** The workspace after it, where that was looked at. */
    readonly after?: WorkspaceSnapshot;
  }
>;

/**
 * Inside permission. Records what a call with side effects changes, so that it can be taken back:
 * the files it touches or, for a command, the whole workspace. A failure stops no call.
 */
export function withRecordedChanges(parts: RecordedChangesParts): WrapToolCall {
  const turns = new TurnTimeBudget(parts.clock, PATIENCE);
  return (next) => async (request) => {
    const tool = toolOf(request);
    const { context, part } = request;
    if (!tool.sideEffects || tool.permission === 'none' || context.roots.length === 0)
      return next(request);
    if (parts.enabled?.() === false) return next(request);
    const patience = turns.of(context.runId, context.turn);
    if (parts.ready !== undefined) await patience.wait(parts.ready(context.sessionId));
    const warn = (thrown: unknown): undefined => {
      parts.log.warn('What a call changes in the workspace could not be recorded.', {
        tool: tool.name,
        reason: String(thrown),
      });
    };
    const beside = parts.beside?.callBegins();
    if (beside !== undefined) await patience.wait(beside.looked);
    // Tools that edit make their changes pending themselves, before they are made.
    const groups = tool.permission === 'edit' ? undefined : parts.groups;
    const moment = groups?.moment();
    const written = new Map<string, Uint8Array | undefined>();
    const files = new TouchedFiles({ ...parts, roots: context.roots, patience, warn });
    const look = await watch(parts, request, { files, patience, written, warn }).catch(warn);
    try {
      const changed = (path: string, content: Uint8Array | undefined): void =>
        void written.set(path, content);
      const changing = async (paths: readonly string[]): Promise<void> =>
        void (await files.add(paths).catch(warn));
      return await next({ ...request, context: { ...context, changed, changing } });
    } finally {
      if (look === undefined) beside?.end();
      else {
        const call = {
          callId: part.id,
          tool: tool.name,
          ...(tool.permission === 'edit' ? { exact: true } : {}),
        };
        const looked = look();
        const found = looked.then(async ({ after: _after, ...changed }) => {
          const { folders: all } = changed;
          const folders =
            groups === undefined || moment === undefined
              ? all
              : await groups.withoutKnownEdits(all, context.sessionId, moment);
          return { ...changed, folders, ...call };
        });
        // Neither of the two waits for the other to succeed.
        const record = onRecord(parts, request, found).catch(warn);
        const recorded = Promise.all([record, found])
          .then(async ([, { folders }]) =>
            groups?.add(commandOfCall(tool, part.input, context), folders),
          )
          .catch(warn)
          .then(() => looked)
          .then(({ after }) => beside?.end(after))
          .catch(() => beside?.end());
        await patience.wait(recorded);
      }
    }
  };
}

/** A record that cannot be written leaves one that says so: nobody takes these changes for the person's own. */
async function onRecord(
  { changes, onRecorded }: RecordedChangesParts,
  { context: { sessionId, roots } }: ToolCallRequest,
  found: Promise<Omit<ChangeRecord, 'at'>>,
): Promise<void> {
  try {
    await changes.recordWhenFound(sessionId, found);
  } catch (thrown) {
    const { callId, tool } = await found;
    await changes.record(sessionId, { callId, tool, folders: [], uncertain: true, unkept: roots });
    throw thrown;
  } finally {
    onRecorded?.();
  }
}

interface Watch {
  readonly files: TouchedFiles;
  readonly patience: SharedTimeBudget;
  /** Contents that the call gave to files, by path: another program may have changed them since. */
  readonly written: ReadonlyMap<string, Uint8Array | undefined>;
  readonly warn: (thrown: unknown) => void;
}

async function watch(
  parts: RecordedChangesParts,
  request: ToolCallRequest,
  { files, patience, written, warn }: Watch,
): Promise<After | undefined> {
  const { snapshots } = parts;
  const tool = toolOf(request);
  const { context, part } = request;
  const isEdit = tool.permission === 'edit';
  const touched = isEdit ? (tool.touches?.(part.input, context.roots) ?? []) : [];
  const paths = touched.flatMap(({ path, access }) =>
    access === 'write' ? [context.judged?.get(path) ?? path] : [],
  );
  if (isEdit && (await files.add(paths))) return () => files.changes(written);
  const taking = snapshots.take(context.roots);
  let release: (() => void) | undefined;
  void taking.then(
    (snapshot) => (release = parts.hold?.(snapshot)),
    () => undefined,
  );
  const first = await patience.wait(taking.catch(() => undefined));
  return async () => {
    try {
      const before = first ?? (await taking);
      const after = await snapshots.take(context.roots);
      const found = await snapshots.changes(before, after);
      // An edit of whole folders changed nothing beside them.
      const folders = isEdit ? changesBelow(paths, found) : found;
      return { uncertain: first === undefined, folders, after };
    } catch (thrown) {
      warn(thrown);
      return { uncertain: true, folders: [], unkept: context.roots };
    } finally {
      release?.();
    }
  };
}

function changesBelow(
  paths: readonly string[],
  folders: readonly FolderChanges[],
): readonly FolderChanges[] {
  return folders.map(({ root, changes, unkept = [] }) => {
    const isBelow = (name: string): boolean =>
      paths.some((path) => pathBelow(path, resolvePath(root, name)) !== undefined);
    return {
      root,
      changes: changes.filter(({ path: name }) => isBelow(name)),
      unkept: unkept.filter(isBelow),
    };
  });
}
