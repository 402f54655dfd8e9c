import type { RunEventBody } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { Json } from '../domain/data/json.ts';
import type { FinishReason, ToolResultState } from '../domain/message.ts';
import type { CompactionAttempt, CompactionReason, RunEndReason } from '../domain/run.ts';

export interface CallRecord {
  readonly callId: string;
  readonly name: string;
  /** Canonical JSON of the arguments. */
  readonly args: string;
  readonly idempotent: boolean;
  readonly state: ToolResultState;
  /** Hash of the result's text. */
  readonly resultHash: string;
  readonly iteration: number;
}

/** The policies' view at a turn boundary; plain data, the same for every policy. */
export interface TurnView {
  /** 1 for the first model call of the run. */
  readonly iteration: number;
  /** Milliseconds of work, waiting for the human not counted (C5). */
  readonly activeMs: number;
  /** Estimated tokens of the next request. */
  readonly contextTokens: number;
  readonly contextLimit: number;
  readonly messageCount: number;
  /** All calls of this run, oldest first, at most the last 50. */
  readonly calls: readonly CallRecord[];
  readonly turn?: TurnOutcome;
  /** The names of the tools on offer: a policy forces only what exists. */
  readonly tools: readonly string[];
  /** The newest compaction of this run, if any: also one that found nothing to compact. */
  readonly lastCompaction?: CompactionAttempt;
}

export interface TurnOutcome {
  readonly finish: FinishReason;
  readonly failure?: Failure;
  readonly hadText: boolean;
  readonly calls: readonly CallRecord[];
}

/** A policy's wish. The strongest wins: stop > compact > inject > continue; injects are merged. */
export type Verdict =
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'inject';
      /** Messages to the model in the name of the loop. */
      readonly messages: readonly string[];
      /** The tool the next model call must use; `none` forbids tools (C13). */
      readonly forceTool?: string;
    }
  | {
      readonly kind: 'compact';
      /** Messages kept word for word. */
      readonly keep: number;
      readonly depth: 'normal' | 'deep';
      readonly reason: CompactionReason;
      /** Keep fewer, and shorten kept results, until the next request is at most this long. */
      readonly targetTokens?: number;
    }
  | { readonly kind: 'stop'; readonly reason: RunEndReason; readonly failure?: Failure };

/** A decision: the verdict, the policy's next state (JSON: it is kept in the checkpoint) and its events. */
export interface Decision<State extends Json> {
  readonly verdict: Verdict;
  readonly state: State;
  readonly events?: readonly RunEventBody[];
}

/**
 * A rule at a turn boundary. Pure: the same view and state give the same decision. A failed turn is
 * a turn, and ends the run unless a policy claims it by anything but `continue`. `before` is asked
 * again after a compaction, and must answer the same while its reason lasts.
 */
export interface Policy<State extends Json = Json> {
  readonly name: string;
  init(): State;
  before?(view: TurnView, state: State): Decision<State>;
  after?(view: TurnView, state: State): Decision<State>;
}

const STRENGTH = { continue: 0, inject: 1, compact: 2, stop: 3 } as const;

/** Asks every policy; every policy sees every turn, whatever the others say. */
export class PolicyBoard {
  readonly #policies: readonly Policy[];
  readonly #states = new Map<string, Json>();

  constructor(policies: readonly Policy[], saved: Readonly<Record<string, Json>> = {}) {
    this.#policies = policies;
    for (const policy of policies) {
      this.#states.set(
        policy.name,
        Object.hasOwn(saved, policy.name) ? (saved[policy.name] ?? null) : policy.init(),
      );
    }
  }

  get states(): Record<string, Json> {
    return Object.fromEntries(this.#states);
  }

  ask(
    moment: 'before' | 'after',
    view: TurnView,
  ): { verdict: Verdict; events: readonly RunEventBody[] } {
    const verdicts: Verdict[] = [];
    const events: RunEventBody[] = [];
    for (const policy of this.#policies) {
      const rule = policy[moment];
      if (rule === undefined) continue;
      const decision = rule.call(policy, view, this.#states.get(policy.name) ?? null);
      this.#states.set(policy.name, decision.state);
      verdicts.push(decision.verdict);
      events.push(...(decision.events ?? []));
    }
    return { verdict: strongest(verdicts), events };
  }
}

/** The strongest verdict; several injects become one, the last forced tool wins. */
export function strongest(verdicts: readonly Verdict[]): Verdict {
  let best: Verdict = { kind: 'continue' };
  for (const verdict of verdicts) {
    if (verdict.kind === 'inject' && best.kind === 'inject') {
      const forceTool: string | undefined = verdict.forceTool ?? best.forceTool;
      best = {
        kind: 'inject',
        messages: [...best.messages, ...verdict.messages],
        ...(forceTool === undefined ? {} : { forceTool }),
      };
    } else if (STRENGTH[verdict.kind] > STRENGTH[best.kind]) {
      best = verdict;
    }
  }
  return best;
}
