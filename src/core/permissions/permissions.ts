import type { JsonObject } from '../../domain/data/json.ts';
import type { PermissionRule } from '../../domain/permissions/permission-rule.ts';
import type { Disposable } from '../../domain/lifetime/disposable.ts';
import type { Tool } from '../tool-call/tool-call.ts';
import { lazy } from '../../domain/lifetime/lazy.ts';
import type { DecideCall, DecideParts, Decision } from './decide.ts';
import type { HostMemory, HostYeses } from './network/allowed-hosts.ts';
import type { RuleBook } from './rules/rule-book.ts';
import { SOURCES } from './rules/rule-text.ts';

/** Approvals of the user for one session; they end with the process. */
export interface SessionYeses extends HostYeses {
  readonly rules: readonly PermissionRule[];
  /** Real paths of files that are asked about once in a session. */
  readonly files: readonly string[];
  /** All edits were allowed that only the mode requires approval for. */
  readonly allEdits?: boolean;
}

export interface PermissionSources extends Omit<DecideParts, 'rules' | 'changes' | 'approvals'> {
  readonly rules: RuleBook;
  readonly hosts: Pick<HostMemory, 'yeses' | 'take'>;
  /** The session whose approvals count: the one at the top of what was delegated. Undefined: each its own. */
  readonly root?: (sessionId: string) => string;
  /** Judges around the decision, never milder. */
  readonly around?: (decide: DecideCall) => DecideCall;
}

/** One place for the decision about a call, the rules, and what changes either. */
export class Permissions {
  readonly rules: RuleBook;
  readonly decide: DecideCall;
  /** The session at the top of what was delegated. */
  readonly root: (sessionId: string) => string;
  readonly #hosts: PermissionSources['hosts'];
  readonly #modeListeners = new Set<() => void>();
  /** Real paths by session. */
  readonly #agreed = new Map<string, Set<string>>();
  /** Sessions whose edits were all allowed. */
  readonly #allEdits = new Set<string>();
  /** The mode of a session. */
  readonly mode: PermissionSources['mode'];

  constructor({
    rules,
    hosts,
    root = (sessionId) => sessionId,
    around = (decide) => decide,
    ...parts
  }: PermissionSources) {
    this.rules = rules;
    this.#hosts = hosts;
    this.root = root;
    this.mode = parts.mode;
    const decide = lazy(async () => {
      // Loaded with the first call of a tool.
      const { createDecide } = await import('./decide.ts');
      return around(
        createDecide({
          ...parts,
          rules: async (sessionId, roots) => (await rules.list(root(sessionId), roots)).rules,
          changes: async (rule) => rules.changes(rule),
          approvals: {
            allowsEdits: (sessionId) => this.#allEdits.has(root(sessionId)),
            agreed: (sessionId, path) => this.#agreed.get(root(sessionId))?.has(path) === true,
          },
        }),
      );
    });
    this.decide = async (tool, request) => (await decide())(tool, request);
  }

  /** The outcome for a call that nobody makes, by the code that decides about real ones. */
  async explain(
    tool: Tool,
    input: JsonObject,
    where: { readonly sessionId: string; readonly roots: readonly string[] },
  ): Promise<Decision> {
    const checked = tool.check(input);
    if ('problem' in checked)
      return {
        verdict: 'refuse',
        judged: new Map(),
        reasons: [{ text: '{0}', values: [checked.problem] }],
      };
    return this.decide(tool, {
      part: { type: 'tool_call', id: '', name: tool.name, input: checked.input },
      context: where,
    });
  }

  readonly keep = async (
    where: 'session' | 'project',
    rules: readonly PermissionRule[],
    of: string,
  ): Promise<void> => {
    const sessionId = this.root(of);
    if (where === 'project') return this.rules.addForProject(sessionId, rules);
    await this.rules.bind(rules);
    this.rules.addForSession(sessionId, rules);
  };

  /** Records that the user approved a change of files that require approval once per session. */
  readonly agree = (of: string, paths: readonly string[]): void => {
    const sessionId = this.root(of);
    const agreed = this.#agreed.get(sessionId) ?? new Set();
    for (const path of paths) agreed.add(path);
    this.#agreed.set(sessionId, agreed);
  };

  /** The user allowed all edits of a session that only the mode requires approval for. */
  readonly agreeToEdits = (sessionId: string): void =>
    void this.#allEdits.add(this.root(sessionId));

  async yeses(sessionId: string): Promise<SessionYeses> {
    const { rules } = await this.rules.list(sessionId, []);
    return {
      ...this.#hosts.yeses(sessionId),
      rules: rules.flatMap(({ rule, source }) => (source === SOURCES.session ? [rule] : [])),
      files: [...(this.#agreed.get(sessionId) ?? [])],
      allEdits: this.#allEdits.has(sessionId),
    };
  }

  /** Those that were given to another process. */
  takeYeses(sessionId: string, yeses: SessionYeses): void {
    this.rules.addForSession(sessionId, yeses.rules);
    this.agree(sessionId, yeses.files);
    if (yeses.allEdits === true) this.agreeToEdits(sessionId);
    this.#hosts.take(sessionId, yeses);
  }

  /** A person chose another mode: what waits may be refused by now. */
  modeChanged(): void {
    for (const listener of this.#modeListeners) listener();
  }

  readonly onChange = (listener: (what: 'mode' | 'rules') => void): Disposable => {
    const modeChanged = (): void => listener('mode');
    const rules = this.rules.onChange(() => listener('rules'));
    this.#modeListeners.add(modeChanged);
    return {
      dispose: () => {
        rules.dispose();
        this.#modeListeners.delete(modeChanged);
      },
    };
  };
}
