import type { AgentChanges } from '../agent-changes.ts';
import { pairsOf } from '../agent-changes.ts';
import { SharedPatience } from '../patience.ts';
import type { Clock, FileSystem, Log } from '../ports.ts';
import type {
  FolderChanges,
  WorkspaceSnapshot,
  WorkspaceSnapshots,
} from '../ports/workspace-snapshots.ts';
import type { CommandChanges } from '../review/command-changes.ts';
import { toolOf } from './lookup.ts';
import type { ToolCallRequest, WrapToolCall } from './tool-call.ts';

/** Milliseconds that a call waits for its snapshots, before and after, at most; then it goes on, and its record says so. */
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
  /** What commands changed is pending too; absent: nobody reviews. */
  readonly review?: Pick<CommandChanges, 'begin'> | undefined;
  /** After something was recorded. */
  readonly onRecorded?: () => void;
}

/** What is to be done after a call to know what it changed. */
type After = () => Promise<{
  readonly folders: readonly FolderChanges[];
  readonly uncertain: boolean;
}>;

/**
 * Inside permission: what a call with side effects changes in the workspace is recorded, so that it can be taken
 * back. Of a tool that says what it touches these files are looked at; of a command the whole workspace, before and
 * after. That a record cannot be made stops no call.
 */
export function recordedChanges(parts: RecordedChangesParts): WrapToolCall {
  return (next) => async (request) => {
    const tool = toolOf(request);
    const { context, part } = request;
    if (!tool.sideEffects || tool.permission === 'none' || context.roots.length === 0)
      return next(request);
    if (parts.enabled?.() === false || context.origin?.how === 'propose') return next(request);
    await parts.ready?.(context.sessionId);
    const warn = (thrown: unknown): undefined => {
      parts.log.warn('What a call changes in the workspace could not be recorded.', {
        tool: tool.name,
        reason: String(thrown),
      });
    };
    // Tools that edit make their changes pending themselves, before they are made.
    const review =
      tool.permission === 'edit'
        ? undefined
        : parts.review?.begin({ tool, input: part.input, context });
    const patience = new SharedPatience(parts.clock, PATIENCE);
    const look = await watch(parts, request, patience).catch(warn);
    try {
      return await next(request);
    } finally {
      if (look !== undefined) {
        const record = async (): Promise<void> => {
          const found = await look();
          const call = { callId: part.id, tool: tool.name };
          await parts.changes.record(context.sessionId, { ...found, ...call });
          parts.onRecorded?.();
          await review?.(found.folders);
        };
        const recorded = record().catch(warn);
        await patience.wait(recorded);
      }
    }
  };
}

async function watch(
  parts: RecordedChangesParts,
  request: ToolCallRequest,
  patience: SharedPatience,
): Promise<After | undefined> {
  const { snapshots } = parts;
  const tool = toolOf(request);
  const { context, part } = request;
  const touched = tool.touches?.(part.input, context.roots);
  if (touched !== undefined && tool.permission === 'edit') {
    const paths = touched.flatMap(({ path, access }) =>
      access === 'write' ? [context.judged?.get(path) ?? path] : [],
    );
    const roots = await Promise.all(context.roots.map((root) => parts.files.realpath(root)));
    const places = placesOf(paths, roots);
    const before = await Promise.all(places.map(({ root, below }) => snapshots.keep(root, below)));
    const isFolder = before.some((kept) => kept.includes(undefined));
    if (!isFolder)
      return async () => ({
        uncertain: false,
        folders: await Promise.all(
          places.map(async ({ root, below }, index) => ({
            root,
            changes: pairsOf(below, before[index] ?? [], await snapshots.keep(root, below)),
          })),
        ),
      });
  }
  const taking = snapshots.take(context.roots);
  let release: (() => void) | undefined;
  void taking.then(
    (snapshot) => (release = parts.hold?.(snapshot)),
    () => undefined,
  );
  const first = await patience.wait(taking);
  return async () => {
    const before: WorkspaceSnapshot = first ?? (await taking);
    try {
      const after = await snapshots.take(context.roots);
      return { uncertain: first === undefined, folders: await snapshots.changes(before, after) };
    } finally {
      release?.();
    }
  };
}

/** Real paths by the folder that they lie in; what lies elsewhere is not the workspace's. */
function placesOf(
  paths: readonly string[],
  roots: readonly string[],
): readonly { readonly root: string; readonly below: readonly string[] }[] {
  return roots
    .map((root) => ({
      root,
      below: paths.flatMap((path) => {
        const rest = path.startsWith(root) ? path.slice(root.length) : '';
        return /^[\\/]./u.test(rest)
          ? [rest[0] === '\\' ? rest.slice(1).replaceAll('\\', '/') : rest.slice(1)]
          : [];
      }),
    }))
    .filter(({ below }) => below.length > 0);
}
