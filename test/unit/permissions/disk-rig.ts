import assert from 'node:assert/strict';
import { PathGuard } from '../../../src/core/permissions/path-guard.ts';
import { judgeCommand } from '../../../src/core/permissions/command/judge-command.ts';
import type { CommandJudgeParts } from '../../../src/core/permissions/command/judge-parts.ts';
import type { JudgedCommand } from '../../../src/core/permissions/command/judge-command.ts';
import type { FileEntry, FileStat } from '../../../src/core/ports/files/file-system.ts';
import type { Risk } from '../../../src/core/permissions/risks.ts';
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
  const folders = new Map<string, Map<string, FileEntry>>();
  for (const path of [...Object.keys(files), ...Object.keys(links)]) {
    const names = path.split('/');
    for (const [at, name] of names.entries()) {
      if (at === 0) continue;
      const below = folders.get(names.slice(0, at).join('/')) ?? new Map<string, FileEntry>();
      folders.set(names.slice(0, at).join('/'), below);
      const type = at + 1 < names.length ? 'directory' : path in links ? 'symlink' : 'file';
      below.set(name, { name, type });
    }
  }
  const folderAt = (path: string) => folders.get(path === '/' ? '' : path);
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
    if (folderAt(at) !== undefined) return { ...base, type: 'directory' };
    const file = files[at];
    if (file === undefined) return undefined;
    return { ...base, type: 'file', ...(typeof file === 'string' ? {} : file) };
  };
  const list = async (folder: string): Promise<readonly FileEntry[]> => [
    ...(folderAt(real(folder))?.values() ?? []),
  ];
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
export function judging(
  disk: Disk,
  more: Partial<CommandJudgeParts> = {},
  cwd = '/ws',
  roots: readonly string[] = ['/ws'],
) {
  const { files, guard } = diskOf(disk);
  const parts = { guard, files, platform: 'posix', home: '/home/me', ...more } as const;
  return (command: string): Promise<JudgedCommand> => judgeCommand(parts, { command, cwd }, roots);
}

/** A workspace with files of all kinds, and links that lead out of it. */
export const DISK: Disk = {
  files: Object.fromEntries(
    `README.md src/a.ts src/b.ts .env plain/.env plain/b.ts Makefile docs/x.md .vscode/settings.json
     old.txt txt.key sub/deep/c.ts ../other/x ../other/inner/y`
      .split(/\s+/u)
      .map((name) => [`/ws/${name}`.replace('/ws/..', ''), 'x']),
  ),
  links: {
    '/ws/link': '/other/inner',
    '/ws/linked': '/other/x',
    '/ws/src/up': '/ws/README.md',
    '/ws/away/out': '/other/x',
  },
};

type Judge = ReturnType<typeof judging>;

/**
 * Each line below a verdict has it: `allow`, `edit`, `ask`, `always` (no rule may allow it), `unclear` (not
 * understood) or `refuse`.
 */
export async function expectVerdicts(
  lines: Readonly<Record<string, string>>,
  judge: Judge = judging(DISK),
): Promise<void> {
  for (const [verdict, text] of Object.entries(lines))
    for (const line of text.trim().split(/\n\s*/u)) {
      const judged = await judge(line);
      assert.equal(
        verdictOf(judged),
        verdict,
        `${line}: ${judged.risks?.map(describeCode).join('; ') ?? ''}`,
      );
    }
}

/** Each line has these risks, the gravest first: codes with their values. */
export async function expectRisks(
  lines: readonly (readonly [line: string, ...risks: readonly string[]])[],
  judge: Judge = judging(DISK),
): Promise<void> {
  for (const [line, ...risks] of lines)
    assert.deepEqual((await judge(line)).risks?.map(describeCode), risks, line);
}

/** Describes a risk by its code and values: `deletes src/a.ts`. */
export const describeCode = ({ code, values }: Risk): string =>
  [code, ...values.map((value) => (typeof value === 'string' ? value : inEnglish(value)))].join(
    ' ',
  );

function verdictOf({ verdict, always, edits, programs }: JudgedCommand): string {
  if (verdict !== 'ask') return verdict;
  if (programs === undefined) return always === true ? 'unclear, always' : 'unclear';
  return edits === true ? 'edit' : always === true ? 'always' : 'ask';
}
