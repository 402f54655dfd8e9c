import { told, type Told } from '../../../domain/text/told.ts';
import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import { readRule } from './read-rule.ts';
import { sameRule } from '../../../domain/permissions/permission-rule.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import { nameOf, pathBelow } from '../../../domain/paths.ts';
import { patternWords } from './command-pattern.ts';
import { type StartedFiles, type StartedFilesParts, startedFiles } from './started-files.ts';

export interface ProjectMemory {
  read(): Promise<Json | undefined>;
  write(value: Json): Promise<void>;
}

interface Kept {
  readonly rule: PermissionRule;
  /** The files that the command started when the person said yes. */
  readonly files: StartedFiles;
  /** The rule itself is kept here; else in the settings or for a session, and only its files are. */
  readonly isProject: boolean;
}

/** Yeses that are remembered; the oldest go. */
const MOST = 300;

/** A file that a command starts and that is not what it was. */
export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  /** As a person reads it. */
  readonly name: string | Told;
}

/** Yeses to commands, bound to folder and started files; that to the tests is one. */
export class ProjectYes {
  readonly #parts: StartedFilesParts;
  readonly #memory: ProjectMemory;
  #known: Promise<readonly Kept[]> | undefined;

  constructor(parts: StartedFilesParts, memory: ProjectMemory) {
    this.#parts = parts;
    this.#memory = memory;
  }

  add(rules: readonly PermissionRule[]): Promise<void> {
    return this.#take(rules, true);
  }

  /** Remembers what the commands of rules start that are kept elsewhere. */
  note(rules: readonly PermissionRule[]): Promise<void> {
    return this.#take(rules.filter(isBound), false);
  }

  /** Tells whether there was one like it. */
  async remove(rule: PermissionRule): Promise<boolean> {
    const all = await this.#all();
    const left = all.filter((one) => !one.isProject || !sameRule(one.rule, rule));
    if (left.length === all.length) return false;
    await this.#keep(left);
    return true;
  }

  async list(): Promise<readonly PermissionRule[]> {
    return (await this.#all()).flatMap(({ rule, isProject }) => (isProject ? [rule] : []));
  }

  /** Changes of the files that a rule's command starts since the yes; empty: none. */
  async changes(rule: PermissionRule): Promise<readonly ChangedFile[]> {
    if (!isBound(rule)) return [];
    const kept = (await this.#all()).find((one) => sameRule(one.rule, rule));
    if (kept === undefined) return [];
    const now = await this.#filesOf(rule);
    const names = new Set([...Object.keys(kept.files), ...Object.keys(now)]);
    const changed = [...names].filter((name) => kept.files[name] !== now[name]);
    return changed.map((path) => {
      const name = pathBelow(rule.in ?? '', path) ?? path;
      return { path, name: nameOf(path) === 'package.json' ? told`the scripts of ${name}` : name };
    });
  }

  async #take(rules: readonly PermissionRule[], isProject: boolean): Promise<void> {
    if (rules.length === 0) return;
    const added: Kept[] = [];
    for (const rule of rules) added.push({ rule, files: await this.#filesOf(rule), isProject });
    const others = (await this.#all()).filter(
      (one) => !rules.some((rule) => sameRule(one.rule, rule)),
    );
    await this.#keep([...others, ...added].slice(-MOST));
  }

  #all(): Promise<readonly Kept[]> {
    this.#known ??= this.#memory.read().then(keptIn);
    return this.#known;
  }

  async #keep(all: readonly Kept[]): Promise<void> {
    this.#known = Promise.resolve(all);
    await this.#memory.write(
      all.map(({ rule, files, isProject }) => ({ rule: { ...rule }, files, isProject })),
    );
  }

  #filesOf({ command = '', in: folder = '' }: PermissionRule): Promise<StartedFiles> {
    return startedFiles(this.#parts, patternWords(command), folder);
  }
}

/** A rule that allows one command in one folder, as a yes to a question makes it. */
function isBound({ effect, command, in: folder }: PermissionRule): boolean {
  return (
    effect === 'allow' && command !== undefined && folder !== undefined && !folder.endsWith('*')
  );
}

function keptIn(value: Json | undefined): readonly Kept[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { rule, files, isProject } = one as { readonly [key: string]: Json };
    const read = readRule(rule);
    const isRead = isJsonObject(files);
    return 'rule' in read && isRead
      ? [{ rule: read.rule, files: files as StartedFiles, isProject: isProject === true }]
      : [];
  });
}
