import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { judgeCommand } from '../../../src/core/permissions/command/judge-command.ts';
import type { CommandJudgeParts } from '../../../src/core/permissions/command/judge-parts.ts';
import type { JudgedCommand } from '../../../src/core/permissions/command/judge-command.ts';
import type { FileEntry, FileStat } from '../../../src/core/ports/files/file-system.ts';
import { inEnglish } from '../../../src/domain/text/told.ts';

/** Files in memory: what is judged about paths and command lines needs no others. */
export interface Disk {
  /** Absolute paths; a text is what a file holds. */
  readonly files?: Readonly<Record<string, string | Partial<FileStat>>>;
  /** Links with their targets, absolute. */
  readonly links?: Readonly<Record<string, string>>;
  /** Paths that the person keeps from the agent. */
  readonly ignored?: readonly string[];
}

export function diskOf({ files = {}, links = {}, ignored = [] }: Disk) {
  const resolved: string[] = [];
  const isFolder = (path: string): boolean =>
    path === '/' ||
    [...Object.keys(files), ...Object.keys(links)].some((one) => one.startsWith(`${path}/`));
  /** As the system follows links, component by component. */
  const real = (path: string): string => {
    if (!path.startsWith('/')) return path;
    let at = '';
    for (const name of path.split('/')) {
      if (name === '..') at = at.slice(0, at.lastIndexOf('/'));
      else if (name !== '' && name !== '.') at = linked(`${at}/${name}`);
    }
    return at === '' ? '/' : at;
  };
  const linked = (path: string): string => (links[path] === undefined ? path : real(links[path]));
  const stat = async (path: string): Promise<FileStat | undefined> => {
    const at = real(path);
    const base = { size: 1, modifiedAt: 1, readOnly: false };
    if (isFolder(at)) return { ...base, type: 'directory' };
    const file = files[at];
    if (file === undefined) return undefined;
    return { ...base, type: 'file', ...(typeof file === 'string' ? {} : file) };
  };
  const list = async (folder: string): Promise<readonly FileEntry[]> => {
    const top = real(folder).replace(/\/$/u, '');
    const found = new Map<string, FileEntry>();
    for (const path of [...Object.keys(files), ...Object.keys(links)]) {
      if (!path.startsWith(`${top}/`)) continue;
      const [name = '', more] = path.slice(top.length + 1).split('/');
      const type = more !== undefined ? 'directory' : path in links ? 'symlink' : 'file';
      found.set(name, { name, type });
    }
    return [...found.values()];
  };
  const read = async (path: string, most = Infinity): Promise<Uint8Array> => {
    const file = files[real(path)];
    if (typeof file !== 'string' || file.length > most) throw new Error(`${path} cannot be read`);
    return Buffer.from(file);
  };
  const rule = (path: string) =>
    ignored.includes(path) ? { file: '/ws/.belayignore', pattern: 'x' } : undefined;
  const system = {
    realpath: async (path: string) => {
      resolved.push(path);
      return real(path);
    },
    stat,
    list,
    read,
  };
  const guard = new PathGuard({
    files: system,
    ownFolders: ['/own'],
    ignored: {
      ruleFor: async (path) => rule(path),
      ruleForAny: async (paths) => paths.map(rule).find((one) => one !== undefined),
    },
  });
  return { files: system, guard, resolved };
}

/** A command line as it is judged in `/ws`. */
export function judging(disk: Disk, more: Partial<CommandJudgeParts> = {}, cwd = '/ws') {
  const { files, guard } = diskOf(disk);
  const parts = { guard, files, platform: 'posix', home: '/home/me', ...more } as const;
  return (command: string): Promise<JudgedCommand> =>
    judgeCommand(parts, { command, cwd }, ['/ws']);
}

/** `allow`, `edit`, `ask`, `always` (no rule may allow it), `unclear` (not understood) or `refuse`. */
export function verdictOf({ verdict, always, edits, programs }: JudgedCommand): string {
  if (verdict !== 'ask') return verdict;
  if (programs === undefined) return always === true ? 'unclear, always' : 'unclear';
  return always === true ? 'always' : edits === true ? 'edit' : 'ask';
}

export const reasonOf = ({ reason }: JudgedCommand): string =>
  reason === undefined ? '' : inEnglish(reason);
