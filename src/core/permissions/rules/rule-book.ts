import { told } from '../../../domain/text/told.ts';
import { fault } from '../../../domain/failure.ts';
import { readRule } from './read-rule.ts';
import { sameRule } from '../../../domain/permissions/permission-rule.ts';
import type {
  KnownRule,
  PermissionRule,
  RuleEffect,
} from '../../../domain/permissions/permission-rule.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { FileSystem } from '../../ports/files/file-system.ts';
import type { ChangedFile, RememberedApprovals } from './remembered-approvals.ts';
import { SOURCES } from './rule-text.ts';
import { type RuleList, stricterRules, userRules } from './rule-list.ts';
import { readWorkspaceFile } from './workspace-rules.ts';

export interface RuleBookParts {
  readonly files: Pick<FileSystem, 'read'>;
  readonly userRules: () => readonly unknown[];
  /** The workspace's, from its settings. */
  readonly workspaceRules: () => readonly unknown[];
  /** Replaces the user's own rules; undefined: this host cannot write settings. */
  readonly writeUserRules?: (rules: readonly unknown[]) => Promise<void>;
  /** Only an owner changes rules (A5). */
  readonly mayChange: () => boolean;
  /** Remembered approvals of the project; undefined: they end with the window. */
  readonly project?: RememberedApprovals;
}

/** All rules in force: the user's, the workspace's, and those of remembered approvals. */
export class RuleBook {
  readonly #parts: RuleBookParts;
  readonly #bySession = new Map<string, readonly PermissionRule[]>();
  readonly #listeners = new Set<() => void>();

  constructor(parts: RuleBookParts) {
    this.#parts = parts;
  }

  /** Read anew at each call: people edit them while a run is on. */
  async list(sessionId: string | undefined, roots: readonly string[]): Promise<RuleList> {
    const user = userRules(this.#parts.userRules());
    const own = stricterRules(this.#parts.workspaceRules(), SOURCES.workspace);
    const files = await Promise.all(
      roots.map(async (root) => readWorkspaceFile(root, this.#parts.files)),
    );
    const session = (sessionId === undefined ? [] : (this.#bySession.get(sessionId) ?? [])).map(
      (rule): KnownRule => ({ rule, origin: 'session', source: SOURCES.session }),
    );
    const project = ((await this.#parts.project?.list()) ?? []).map((rule): KnownRule => ({
      rule,
      origin: 'session',
      source: SOURCES.project,
    }));
    return {
      rules: [
        ...user.rules,
        ...own.rules,
        ...files.flatMap(({ rules }) => rules),
        ...session,
        ...project,
      ],
      notes: [...user.notes, ...own.notes, ...files.flatMap(({ notes }) => notes)],
    };
  }

  /** Hosts of the user's own rules that hold everywhere and for every tool. */
  hosts(effect: RuleEffect): readonly string[] {
    return userRules(this.#parts.userRules()).rules.flatMap(({ rule }) => {
      const everywhere = rule.off !== true && rule.in === undefined;
      return everywhere && rule.effect === effect && rule.host !== undefined ? [rule.host] : [];
    });
  }

  addForSession(sessionId: string, rules: readonly PermissionRule[]): void {
    const known = [...(this.#bySession.get(sessionId) ?? [])];
    for (const rule of rules) if (!known.some((one) => sameRule(one, rule))) known.push(rule);
    this.#bySession.set(sessionId, known);
    this.changed();
  }

  /** Remembers the files that decide what the commands of rules run; call it when an approval is remembered. */
  async bind(rules: readonly PermissionRule[]): Promise<void> {
    await this.#parts.project?.note(rules);
  }

  /** Files that decide what a rule's command runs, and that changed since its approval. */
  async changes(rule: PermissionRule): Promise<readonly ChangedFile[]> {
    return (await this.#parts.project?.changes(rule)) ?? [];
  }

  /** Remembers an approval for the project, until what it runs changes. */
  async addForProject(sessionId: string, rules: readonly PermissionRule[]): Promise<void> {
    if (this.#parts.project === undefined) {
      this.addForSession(sessionId, rules);
      return;
    }
    await this.#parts.project.add(rules);
    this.changed();
  }

  /** Adds rules to the user's settings. Fails with `permission` below the level owner. */
  async add(rules: readonly PermissionRule[]): Promise<void> {
    const present = this.#parts.userRules();
    const missing = rules.filter((rule) => !present.some((one) => isRule(one, rule)));
    await this.#write([...present, ...missing]);
  }

  async remove(rule: PermissionRule, sessionId?: string): Promise<void> {
    const session = sessionId === undefined ? undefined : this.#bySession.get(sessionId);
    if (sessionId !== undefined && session?.some((one) => sameRule(one, rule)) === true) {
      this.#bySession.set(
        sessionId,
        session.filter((one) => !sameRule(one, rule)),
      );
      this.changed();
      return;
    }
    if (sessionId !== undefined && (await this.#parts.project?.remove(rule)) === true) {
      this.changed();
      return;
    }
    await this.#write(this.#parts.userRules().filter((one) => !isRule(one, rule)));
  }

  /** Switches a rule of the user's settings off or on again. */
  async switch(rule: PermissionRule, off: boolean): Promise<void> {
    await this.#write(
      this.#parts.userRules().map((one) => {
        if (!isRule(one, rule)) return one;
        const { off: _, ...rest } = one as PermissionRule;
        return off ? { ...rest, off } : rest;
      }),
    );
  }

  get mayChange(): boolean {
    return this.#parts.writeUserRules !== undefined && this.#parts.mayChange();
  }

  /** Fires when a rule was added, removed or switched, here or in the settings. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** To be told when the settings changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async #write(rules: readonly unknown[]): Promise<void> {
    const { writeUserRules } = this.#parts;
    if (this.#parts.userRules().some((one) => Array.isArray(one))) {
      throw fault(
        'invalid',
        told`belay.permissions.rules is not a list of rules. Put it right in the settings first: writing to it would lose what stands there.`,
      );
    }
    if (writeUserRules === undefined || !this.mayChange) {
      throw fault(
        'permission',
        told`Rules are changed at the level owner, in a trusted workspace. Nothing was changed; see belay.identity.defaultLevel.`,
      );
    }
    await writeUserRules(rules);
    this.changed();
  }
}

function isRule(raw: unknown, rule: PermissionRule): boolean {
  const read = readRule(raw);
  return 'rule' in read && sameRule(read.rule, rule);
}
