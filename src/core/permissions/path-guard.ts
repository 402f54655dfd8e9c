import type { Told } from '../../domain/text/told.ts';
import type { FileStat, FileSystem } from '../ports/files/file-system.ts';
import { type IgnoredPaths, ignoredBecause } from '../ports/files/ignored.ts';
import type { Touch } from '../tool-call/tool-call.ts';
import { movedTo, nameOf, pathBelow } from '../../domain/paths.ts';
import { protectionBelow, protectionOf } from './protected-paths.ts';
import { type Risk, createRisk } from './risks.ts';
import { isSecretFile } from './secret-files.ts';

export interface JudgedPath {
  readonly path: string;
  /** The tool must use this one. */
  readonly real: string;
  readonly access: Touch['access'];
  /**
   * `config`: in a workspace folder, and run or obeyed by programs. `secret`: opens doors
   * elsewhere. `forbidden`: never, whatever the mode.
   */
  readonly place: 'inside' | 'config' | 'secret' | 'outside' | 'forbidden';
  /** Why it is not `inside`. */
  readonly risk?: Risk;
  /** For `secret`: it lies outside the workspace. */
  readonly outside?: true;
  /** For `config`: the file requires approval only once per session. */
  readonly once?: boolean;
}

/** Listing is for what is done to folders as a whole; without it only their own names are judged. */
type GuardedFiles = Pick<FileSystem, 'realpath' | 'stat'> & Partial<Pick<FileSystem, 'list'>>;

/** Files below a folder that are judged with it; a tool that changes folders refuses more. */
const MOST_BELOW = 20_000;

export interface PathGuardParts {
  readonly files: GuardedFiles;
  /** Belay's own stores and secrets: absolute folders that no tool reads or writes. */
  readonly ownFolders: readonly string[];
  /** Paths that the person keeps from the agent. */
  readonly ignored: IgnoredPaths;
}

/** Process and device files that tell secrets or do things when they are read or written. */
const SYSTEM_SECRETS =
  /^\/proc\/(?:[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|smaps|numa_maps|pagemap|map_files|io|syscall|fd|fdinfo|root|cwd|exe|cmdline|auxv|stack)(?:\/|$)|kcore$|kmem$)/u;
const DEVICES = /^\/dev\/(?!null$)/u;

/** Folders that package managers fill with hard links to their stores. */
const IN_PACKAGES = /[\\/](?:node_modules|\.venv|venv|site-packages|\.pnpm-store|\.git)[\\/]/u;
/** `\\\\server\\share`, `//server/share`, `\\\\?\\…`. */
const SHARE = /^(?:\\\\|\/\/)(?<server>[^\\/]+)[\\/]/u;

/** Judges paths after links are resolved, by component (security, rule 4). */
export class PathGuard {
  readonly #files: GuardedFiles;
  readonly #ownFolders: readonly string[];
  readonly #ignored: IgnoredPaths;
  readonly #folders = new Map<string, string>();

  constructor(parts: PathGuardParts) {
    this.#files = parts.files;
    this.#ownFolders = parts.ownFolders;
    this.#ignored = parts.ignored;
  }

  async judge({ path, access, text }: Touch, roots: readonly string[]): Promise<JudgedPath> {
    // Asked before links are followed: `/proc/self` would become a number.
    const direct = findSystemRisk(path, path) ?? findMachineRisk(path, roots);
    if (direct !== undefined) return { path, real: path, access, place: 'forbidden', risk: direct };
    const real = await this.#files.realpath(path);
    const judged = { path, real, access };
    const system = findSystemRisk(real, path);
    if (system !== undefined) return { ...judged, place: 'forbidden', risk: system };
    // Asked once, and beside the rest: each look at the disk is a wait.
    const stat = this.#files.stat(real).catch(() => undefined);
    const forbidden = await this.#findForbidden(judged);
    if (forbidden !== undefined) return { ...judged, place: 'forbidden', risk: forbidden };
    const below = await this.#below(real, roots);
    if (access === 'read' && (isSecretFile(real) || isSecretFile(path))) {
      const outside = below === undefined ? { outside: true as const } : {};
      return { ...judged, place: 'secret', risk: createRisk('secret', path), ...outside };
    }
    if (below === undefined) {
      const name = path === real ? path : `${path} (${real})`;
      const risk = createRisk(access === 'write' ? 'outside-write' : 'outside-read', name);
      return { ...judged, place: 'outside', risk };
    }
    if (access === 'write') {
      const acts = findActingRisk(
        { path, access, ...(text === undefined ? {} : { text }) },
        await stat,
        below,
      );
      if (acts !== undefined) return { ...judged, place: 'config', ...acts };
    }
    if (!hasOtherNames(real, await stat)) return { ...judged, place: 'inside' };
    const place = access === 'write' ? 'config' : 'secret';
    return { ...judged, place, risk: createRisk('hard-link', path) };
  }

  /** Returns whether there is a file or folder at an absolute path. */
  async exists(path: string): Promise<boolean> {
    return (await this.#files.stat(path).catch(() => undefined)) !== undefined;
  }

  /** Judges the files below a folder that a call moves, copies or removes, by their names alone. */
  async judgeBelow({ path, access, below }: Touch): Promise<readonly JudgedPath[]> {
    if (below === undefined || (await this.#files.stat(below))?.type !== 'directory') return [];
    const judged: JudgedPath[] = [];
    const open = [below];
    for (let at = open.pop(); at !== undefined && judged.length < MOST_BELOW; at = open.pop()) {
      for (const { name, type } of (await this.#files.list?.(at).catch(() => [])) ?? []) {
        const from = `${at}/${name}`;
        if (type === 'directory') open.push(from);
        const real = movedTo(from, below, path);
        const within = `${nameOf(path)}/${pathBelow(path, real) ?? name}`;
        const place = placeBelow(within, access);
        const risk = createRisk(place === 'secret' ? 'secret' : 'obeyed', real);
        judged.push({ path: real, real, access, place, ...(place === 'inside' ? {} : { risk }) });
      }
    }
    return judged;
  }

  /** Returns why one of many files is hidden from the agent by its name, in words that go into a sentence. */
  async findHidden(paths: readonly string[]): Promise<Told | undefined> {
    const rule = await this.#ignored.ruleForAny(paths);
    return rule === undefined ? undefined : ignoredBecause(rule);
  }

  /** The real path of a folder that no tool can replace: a workspace's, or one of Belay's own. Asked once. */
  async folder(path: string): Promise<string> {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const real = await this.#files.realpath(path);
    this.#folders.set(path, real);
    return real;
  }

  async #below(real: string, roots: readonly string[]): Promise<string | undefined> {
    for (const root of roots) {
      const below = pathBelow(await this.folder(root), real);
      if (below !== undefined) return below;
    }
    return undefined;
  }

  async #findForbidden({
    path,
    real,
    access,
  }: Omit<JudgedPath, 'place'>): Promise<Risk | undefined> {
    for (const folder of this.#ownFolders)
      if (pathBelow(await this.folder(folder), real) !== undefined)
        return createRisk('records', path);
    if (access === 'write' && protectionOf(real) === 'forbidden')
      return createRisk('repository', path);
    // A link is hidden by its own name as well as by what it leads to.
    const rule =
      (await this.#ignored.ruleFor(real)) ??
      (path === real ? undefined : await this.#ignored.ruleFor(path));
    return rule && createRisk('hidden', path, ignoredBecause(rule));
  }
}

/** Finds why changing a file makes something act, by either of its names. */
function findActingRisk(
  { path, text }: Touch,
  stat: FileStat | undefined,
  below: string,
): Pick<JudgedPath, 'risk' | 'once'> | undefined {
  if (protectionBelow(below) !== 'none' || protectionOf(path) !== 'none')
    return { risk: createRisk('obeyed', path), once: true };
  const isProgram = stat?.type === 'file' && stat.executable === true;
  if (isProgram || text?.startsWith('#!') === true)
    return { risk: createRisk('executable', path), once: true };
  return text !== undefined && loadsSchema(path, text)
    ? { risk: createRisk('schema', path) }
    : undefined;
}

/** A hard link may be one to a file outside; packages, full of them, are read all the same. */
const hasOtherNames = (real: string, stat: FileStat | undefined): boolean =>
  stat?.type === 'file' && (stat.names ?? 1) > 1 && !IN_PACKAGES.test(real);

function placeBelow(within: string, access: Touch['access']): 'inside' | 'config' | 'secret' {
  if (access === 'read') return isSecretFile(within) ? 'secret' : 'inside';
  return protectionBelow(within) === 'none' ? 'inside' : 'config';
}

/** A schema's address in a settings-like file is a request that nobody sees (security, rule 6). */
function loadsSchema(path: string, text: string): boolean {
  if (!/\.(?:json|jsonc|json5|ya?ml|code-snippets)$/iu.test(path)) return false;
  return (
    /\$schema\b|(?:\\u0024|\\x24)schema|["']schemas?["']\s*:/iu.test(text) &&
    /:\\?\/\\?\/|\\u00|%2f/iu.test(text)
  );
}

/** To look at a path of another machine is to send it who we are: not done unless the workspace is there. */
function findMachineRisk(path: string, roots: readonly string[]): Risk | undefined {
  const server = SHARE.exec(path)?.groups?.['server']?.toLowerCase();
  if (server === undefined) return undefined;
  const isOurs = roots.some(
    (root) => SHARE.exec(root)?.groups?.['server']?.toLowerCase() === server,
  );
  return isOurs ? undefined : createRisk('machine', path);
}

/** @param name the path that the call has */
function findSystemRisk(path: string, name: string): Risk | undefined {
  if (SYSTEM_SECRETS.test(path)) return createRisk('process', name);
  return DEVICES.test(path) ? createRisk('device', name) : undefined;
}
