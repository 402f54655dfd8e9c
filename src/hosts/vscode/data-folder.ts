import path from 'node:path';

/**
 * Where a workspace's sessions are kept: the same folder for all of its windows. VS Code gives each window
 * a storage folder that no other one has open (`ID/belay.belay`, then `ID-1/belay.belay` up to `ID-9`); Belay's
 * database is made for several processes, and a second window must not start with nothing.
 */
export function dataFolder(storage: string): string {
  const own = path.basename(storage);
  const workspace = path.dirname(storage);
  const shared = path.basename(workspace).replace(/^(.+)-[1-9]$/u, '$1');
  return path.join(path.dirname(workspace), shared, own);
}
