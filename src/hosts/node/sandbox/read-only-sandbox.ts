import { readFileSync } from 'node:fs';
import { pathBelow } from '../../../domain/paths.ts';
import type {
  ReadOnlySandbox,
  SandboxLack,
} from '../../../core/ports/commands/read-only-sandbox.ts';
import { realPath, safeFolders, sandboxProgram } from './sandbox-needs.ts';
import { isPattern } from './sandbox-rules.ts';

export interface ReadOnlySandboxParts {
  readonly enabled: () => boolean;
  readonly searchPath: () => string;
  readonly home: string;
  /** The temp folder of the system. */
  readonly temp: string;
}

/** Creates the read-only sandbox of this machine. */
export function createReadOnlySandbox(parts: ReadOnlySandboxParts): ReadOnlySandbox {
  return {
    findLack: async (roots) => findLack(parts, roots),
    listHidden: async (roots, ignored) => {
      const { findHiddenPaths } = await import('./hidden-paths.ts');
      const hidden = await findHiddenPaths(roots, ignored);
      return hidden?.some(isPattern) === true ? undefined : hidden;
    },
  };
}

/** Returns whether the system has everything that the read-only sandbox needs. */
export function canSandbox(searchPath: string, writable: readonly string[]): boolean {
  if (process.platform === 'linux' && (!hasSocketFilter() || isWindowsSubsystem())) return false;
  try {
    sandboxProgram(safeFolders(searchPath, writable));
    return true;
  } catch {
    return false;
  }
}

function findLack(
  { enabled, searchPath, home, temp }: ReadOnlySandboxParts,
  roots: readonly string[],
): SandboxLack | undefined {
  if (!enabled()) return 'off';
  const holdsOthers = (root: string): boolean =>
    [home, temp].some((one) => pathBelow(root, realPath(one)) !== undefined);
  if (roots.length === 0 || roots.some((root) => isPattern(root) || holdsOthers(root)))
    return 'folder';
  return canSandbox(searchPath(), roots) ? undefined : 'system';
}

/** The runtime brings its filter of Unix sockets for these processors only; such sockets lead out (Docker, agents). */
function hasSocketFilter(): boolean {
  return process.arch === 'x64' || process.arch === 'arm64';
}

/** There a command may start programs of Windows, which no namespace holds. */
function isWindowsSubsystem(): boolean {
  try {
    return /microsoft/iu.test(readFileSync('/proc/sys/kernel/osrelease', 'utf8'));
  } catch {
    return true;
  }
}
