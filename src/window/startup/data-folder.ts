import path from 'node:path';

/**
 * The ids that VS Code makes for workspaces: an MD5 sum for folders and workspace files, a time for empty
 * windows, a signed 32-bit hash in a browser. None has a `-` behind its first character.
 */
const ID_OF_ANOTHER_WINDOW = /^([0-9a-f]{32}|\d{10,}|-?[0-9a-f]{1,8})-[1-9]$/u;

/**
 * Where a workspace's sessions are kept: the same folder for all of its windows. VS Code gives each window
 * a storage folder that no other one has locked (`ID/belay.belay`, then `ID-1/belay.belay` up to `ID-9`), and
 * so too the host that starts after a crash, while the lock of the dead one counts. Belay's database is made
 * for several processes; another window, or a restart, must not begin with nothing. An id of a form that
 * is not known is left alone: what looks like a number at its end may be another workspace.
 */
export function dataFolder(storage: string): string {
  const workspace = path.dirname(storage);
  const shared = ID_OF_ANOTHER_WINDOW.exec(path.basename(workspace))?.[1];
  if (shared === undefined) return storage;
  return path.join(path.dirname(workspace), shared, path.basename(storage));
}
