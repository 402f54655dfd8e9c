import { accessSync, constants, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The parts of a machine that decide where a user's data is. */
export interface UserMachine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns the absolute folder of the user's own data on this machine, which VS Code and the command line share: usage,
 * notes for all workspaces, linked accounts. `BELAY_USER_DATA` names another one; a relative path is ignored.
 */
export function locateUserFolder({ environment, home, platform }: UserMachine): string {
  const absolute = (name: string): string | undefined => {
    const value = environment[name];
    return value !== undefined && path.isAbsolute(value) ? value : undefined;
  };
  const byPlatform = (): string => {
    if (platform === 'win32') return absolute('APPDATA') ?? path.join(home, 'AppData', 'Roaming');
    if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
    return absolute('XDG_DATA_HOME') ?? path.join(home, '.local', 'share');
  };
  return absolute('BELAY_USER_DATA') ?? path.join(byPlatform(), 'belay');
}

/** Creates the user's folder and returns it; returns `fallback` where it can't be written, as in some containers. */
export function openUserFolder(fallback: string): string {
  const { env: environment, platform } = process;
  const folder = locateUserFolder({ environment, home: os.homedir(), platform });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch {
    return fallback;
  }
}
