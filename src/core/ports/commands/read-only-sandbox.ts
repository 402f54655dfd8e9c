import type { IgnoredPaths } from '../files/ignored.ts';

/**
 * Reasons why commands cannot run in the read-only sandbox: the setting, the system, or a workspace folder that cannot
 * be told apart from the home or temp folder.
 */
export type SandboxLack = 'off' | 'system' | 'folder';

/** Runs one command in the read-only sandbox. */
export interface ReadOnlyRun {
  /** Files and folders of the workspace that the command cannot read, absolute. */
  readonly hidden: readonly string[];
}

/**
 * The sandbox for commands that nobody approved. They cannot write outside a private temp folder, and read neither what
 * is hidden in the workspace nor the home folder outside tool caches.
 */
export interface ReadOnlySandbox {
  /** Returns why no command can run in it here; `undefined` if commands can. */
  findLack(roots: readonly string[]): Promise<SandboxLack | undefined>;
  /** Lists what commands must not read in real workspace folders; `undefined` if there are too many files. */
  listHidden(
    roots: readonly string[],
    ignored: Pick<IgnoredPaths, 'ruleFor' | 'ruleForAny'>,
  ): Promise<readonly string[] | undefined>;
}
