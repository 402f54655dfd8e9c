import type { Amounts } from '../../domain/budget.ts';
import type { UsageRecord } from '../ports/store/recorder.ts';
import type { Values } from '../ports/store/values.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import { lowerMode } from '../permissions/delegation.ts';
import type { Mode } from '../tool-call/tool-call.ts';
import { CHILD_KEY, type Child, childOfKey } from './child.ts';

/** The children of the sessions at work, known before anything of them runs. */
export class Children {
  readonly #values: Pick<Values, 'get'>;
  readonly #sessions: Pick<Transcripts, 'session'>;
  readonly #known = new Map<string, Child>();
  readonly #used = new Map<string, Amounts>();

  constructor(values: Pick<Values, 'get'>, sessions: Pick<Transcripts, 'session'>) {
    this.#values = values;
    this.#sessions = sessions;
  }

  /** `undefined`: the session delegates, if anything; nobody delegated to it. */
  get(sessionId: string): Child | undefined {
    return this.#known.get(sessionId);
  }

  /** @param used in earlier processes */
  add(child: Child, used: Amounts = { cost: 0, tokens: 0 }): void {
    this.#known.set(child.id, child);
    this.#used.set(child.id, used);
  }

  forget(sessionId: string): void {
    this.#known.delete(sessionId);
    this.#used.delete(sessionId);
  }

  /** Counts a call of a child's model. */
  count({ sessionId, usage, cost = 0 }: UsageRecord): void {
    const before = this.#used.get(sessionId);
    if (before === undefined) return;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    this.#used.set(sessionId, { cost: before.cost + cost, tokens: before.tokens + tokens });
  }

  used(sessionId: string): Amounts {
    return this.#used.get(sessionId) ?? { cost: 0, tokens: 0 };
  }

  /** The child of a call, which an earlier process may have begun. */
  async ofCall(parentId: string, runId: string, callId: string): Promise<Child | undefined> {
    const id = await this.#values.get(childOfKey(runId, callId), parentId);
    if (typeof id !== 'string') return undefined;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const stored = (await this.#values.get(CHILD_KEY, id)) as unknown as Child | undefined;
    // Whatever the record says: it is the child of this session, and of no other.
    if (stored?.parentId !== parentId) return undefined;
    const {
      cost = 0,
      inputTokens = 0,
      outputTokens = 0,
    } = (await this.#sessions.session(id)) ?? {};
    this.add(stored, { cost, tokens: inputTokens + outputTokens });
    return stored;
  }

  /** The mode in which a session decides now: that of a child falls with its parent's, and never rises. */
  mode(sessionId: string, chosen: (sessionId: string) => Mode): Mode {
    const child = this.#known.get(sessionId);
    if (child === undefined) return chosen(sessionId);
    const mode = lowerMode(this.mode(child.parentId, chosen), child.rights.mode);
    // Edits in a working copy need no approval: the files are asked about when they are taken over.
    return mode === 'ask' && child.worktree !== undefined ? 'edit' : mode;
  }

  /** The session that the person knows it under. */
  root(sessionId: string): string {
    return this.#known.get(sessionId)?.charged.sessionId ?? sessionId;
  }
}
