import { type Json, isJsonObject } from '../../../domain/data/json.ts';
import { readRule } from './read-rule.ts';
import { sameRule } from '../../../domain/permissions/permission-rule.ts';
import type { PermissionRule } from '../../../domain/permissions/permission-rule.ts';
import { pathBelow } from '../../../domain/paths.ts';
import { patternWords, roughWords } from './command-pattern.ts';
import { type RunnerFiles, type RunnerFilesParts, hashRunnerFiles } from './runner-files.ts';

export interface ApprovalMemory {
  read(): Promise<Json | undefined>;
  write(value: Json): Promise<void>;
}

interface Approval {
  readonly rule: PermissionRule;
  /** The files that decided what the command runs at the time of the approval. */
  readonly files: RunnerFiles;
  /** The rule itself is kept here; else in the settings or for a session, and only its files are. */
  readonly isProject: boolean;
}

/** The oldest approvals are dropped beyond this number. */
const MAX_APPROVALS = 300;

/** A file that decides what a command runs, and that has changed since the approval. */
export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  /** Its path below the folder of the command. */
  readonly name: string;
}

/** Remembered approvals of commands, bound to a folder and to the files that decide what runs there. */
export class RememberedApprovals {
  readonly #parts: RunnerFilesParts;
  readonly #memory: ApprovalMemory;
  #known: Promise<readonly Approval[]> | undefined;

  constructor(parts: RunnerFilesParts, memory: ApprovalMemory) {
    this.#parts = parts;
    this.#memory = memory;
  }

  add(rules: readonly PermissionRule[]): Promise<void> {
    return this.#take(rules, true);
  }

  /** Remembers the files of commands whose rules are kept elsewhere. */
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

  /** Files that decide what a rule's command runs, and that changed since its approval. */
  async changes(rule: PermissionRule): Promise<readonly ChangedFile[]> {
    if (!isBound(rule)) return [];
    const kept = (await this.#all()).find((one) => sameRule(one.rule, rule));
    if (kept === undefined) return [];
    const now = await this.#filesOf(rule);
    const names = new Set([...Object.keys(kept.files), ...Object.keys(now)]);
    const changed = [...names].filter((name) => kept.files[name] !== now[name]);
    return changed.map((path) => ({ path, name: pathBelow(rule.in ?? '', path) ?? path }));
  }

  async #take(rules: readonly PermissionRule[], isProject: boolean): Promise<void> {
    if (rules.length === 0) return;
    const added: Approval[] = [];
    for (const rule of rules) added.push({ rule, files: await this.#filesOf(rule), isProject });
    const others = (await this.#all()).filter(
      (one) => !rules.some((rule) => sameRule(one.rule, rule)),
    );
    await this.#keep([...others, ...added].slice(-MAX_APPROVALS));
  }

  #all(): Promise<readonly Approval[]> {
    this.#known ??= this.#memory.read().then(readApprovals);
    return this.#known;
  }

  async #keep(all: readonly Approval[]): Promise<void> {
    this.#known = Promise.resolve(all);
    await this.#memory.write(
      all.map(({ rule, files, isProject }) => ({ rule: { ...rule }, files, isProject })),
    );
  }

  #filesOf({ command, hash, in: folder = '' }: PermissionRule): Promise<RunnerFiles> {
    // A task may run any script.
    if (command === undefined) return hashRunnerFiles(this.#parts, ['npm'], folder);
    return hash === undefined
      ? hashRunnerFiles(this.#parts, patternWords(command), folder)
      : hashRunnerFiles(this.#parts, roughWords(command), folder, true);
  }
}

/** Returns whether a rule allows one command or piece of code in one folder. */
function isBound({ effect, command, subject, in: folder }: PermissionRule): boolean {
  return (
    effect === 'allow' && (command ?? subject) !== undefined && folder?.endsWith('*') === false
  );
}

function readApprovals(value: Json | undefined): readonly Approval[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return [];
    const { rule, files, isProject } = one as { readonly [key: string]: Json };
    const read = readRule(rule);
    const isRead = isJsonObject(files);
    return 'rule' in read && isRead
      ? [{ rule: read.rule, files: files as RunnerFiles, isProject: isProject === true }]
      : [];
  });
}
