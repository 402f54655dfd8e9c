import type { LeafRecord } from '../../core/ports/files/workspace-snapshots.ts';
import { Contents } from '../../core/restore/storage/contents.ts';
import { pathBelow } from '../../domain/paths.ts';
import { type ChangedPath, gitPatch } from '../../hosts/node/headless/patch/git-patch.ts';
import type { Engine, EngineHost } from '../engine.ts';

export interface SessionPatch {
  /** For `git apply`; empty: nothing was changed. */
  readonly patch: string;
  /** Files that the session changed and that are not in it: they were too large to be kept, or are kept no longer. */
  readonly missing: readonly string[];
}

/** All that a session's calls changed in the workspace, its commands included. */
export async function sessionPatch(
  { changes }: Engine,
  { disk, workspace }: EngineHost,
  sessionId: string,
): Promise<SessionPatch> {
  if (changes === undefined || disk.snapshots === undefined) return { patch: '', missing: [] };
  const contents = new Contents(disk.snapshots);
  const ends = new Map<string, { path: string; before: LeafRecord; after: LeafRecord }>();
  const missing = new Set<string>();
  for (const { folders, unkept = [] } of await changes.list(sessionId)) {
    for (const file of unkept) missing.add(shownIn(workspace.roots(), file));
    for (const { root, changes: made } of folders)
      for (const { path, before, after } of made) {
        const known = ends.get(`${root}\0${path}`);
        ends.set(`${root}\0${path}`, { path, before: known?.before ?? before, after });
      }
  }
  const found: ChangedPath[] = [];
  for (const { path, before, after } of ends.values()) {
    try {
      found.push({ path, before: await contents.of(before), after: await contents.of(after) });
    } catch {
      missing.add(path);
    }
  }
  return { patch: gitPatch(found), missing: [...missing] };
}

function shownIn(roots: readonly string[], file: string): string {
  for (const root of roots) {
    const below = pathBelow(root, file);
    if (below !== undefined) return below;
  }
  return file;
}
