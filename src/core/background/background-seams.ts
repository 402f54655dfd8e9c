import type { Json, JsonObject } from '../../domain/data/json.ts';
import type { AgentChanges } from '../restore/agent-changes.ts';
import type { ChangeRecord } from '../restore/storage/change-record.ts';
import { parentOf, resolvePath } from '../../domain/paths.ts';
import type { FileSystem } from '../ports/files/file-system.ts';
import type {
  FolderChanges,
  LeafRecord,
  PathChange,
  WorkspaceSnapshot,
} from '../ports/files/workspace-snapshots.ts';
import { placeKey, sinceCalls } from './interval-changes.ts';

/** Values of commands that run: the workspace up to which it is on record who changed what. */
export const SEAM = 'background-seam/';

/** Milliseconds after the last sign of life in which a command may still have written: the beat, and a slow end. */
const GRACE = 35_000;

/** A seam as the next process finds it. */
export type StoredSeam = {
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: string;
  readonly command: string;
  /** The person's last message before it. */
  readonly since: string;
  /** Milliseconds since the epoch: when it was taken, and when its process last said that it lives. */
  readonly at: number;
  readonly alive: number;
  readonly snapshot: WorkspaceSnapshot;
};

export function isSeam(value: Json): value is Json & StoredSeam {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { sessionId, callId, command, snapshot } = value as JsonObject;
  return (
    [sessionId, callId, command].every((one) => typeof one === 'string') &&
    typeof snapshot === 'object' &&
    snapshot !== null &&
    'folders' in snapshot
  );
}

/**
 * Leaves out what calls of sessions are on record for since a time, in milliseconds since the epoch.
 * @param isCounted default: every record
 */
export async function withoutLater(
  folders: readonly FolderChanges[],
  at: number,
  from: {
    readonly sessions: () => Promise<readonly string[]>;
    readonly changes: Pick<AgentChanges, 'list'>;
  },
  isCounted: (record: ChangeRecord) => boolean = () => true,
): Promise<readonly FolderChanges[]> {
  const left = new Map<string, LeafRecord>();
  for (const sessionId of await from.sessions()) {
    const later = (await from.changes.list(sessionId)).filter(
      (record) => record.at >= at && isCounted(record),
    );
    for (const { root, changes } of later.flatMap((record) => record.folders))
      for (const { path, after } of changes) left.set(placeKey(root, path), after);
  }
  return sinceCalls(folders, left);
}

/** Changes while a command that died unseen can have lived, by the times of the files. */
export async function diedWithout(
  folders: readonly FolderChanges[],
  { alive }: Pick<StoredSeam, 'alive'>,
  files: Pick<FileSystem, 'stat'>,
): Promise<readonly FolderChanges[]> {
  const kept: FolderChanges[] = [];
  for (const { root, changes } of folders) {
    const early: PathChange[] = [];
    for (const change of changes) {
      const changedAt = await lastChanged(resolvePath(root, change.path), root, files);
      if (changedAt !== undefined && changedAt <= alive + GRACE) early.push(change);
    }
    kept.push({ root, changes: early });
  }
  return kept;
}

/** Of what is gone: its nearest folder. Milliseconds since the epoch. */
async function lastChanged(
  path: string,
  root: string,
  files: Pick<FileSystem, 'stat'>,
): Promise<number | undefined> {
  for (let at = path; at.length >= root.length; at = parentOf(at)) {
    const stat = await files.stat(at).catch(() => undefined);
    if (stat !== undefined) return stat.modifiedAt;
    if (parentOf(at) === at) return undefined;
  }
  return undefined;
}
