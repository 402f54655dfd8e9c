import type { Told } from '../../domain/text/told.ts';
import type { KnownRule } from '../../domain/permissions/permission-rule.ts';
import type { ReadOnlyRun } from '../ports/commands/read-only-sandbox.ts';
import type { Unit } from './rules/match.ts';
import type { CallParts } from './rules/call-parts.ts';

interface Judged {
  /** The real paths that the call may use, by the path that was asked for. */
  readonly judged: ReadonlyMap<string, string>;
  /** The rule that made the decision; absent: the mode, the level or a guard did. */
  readonly rule?: KnownRule;
}

export type Decision =
  | (Judged & {
      readonly verdict: 'allow';
      /** The sandbox decided: the call may run in this way only. */
      readonly readOnly?: ReadOnlyRun;
    })
  | (Judged & {
      readonly verdict: 'ask';
      /** Shown with the question: sentences. */
      readonly reasons?: readonly Told[];
      /** Rules that could allow it from now on; absent: none, it is asked each time. */
      readonly allowable?: Allowable;
      /** Real paths of files that require approval once per session. */
      readonly once?: readonly string[];
    })
  | (Judged & {
      readonly verdict: 'refuse';
      /** For the model, and on the card: sentences. */
      readonly reasons: readonly Told[];
    });

export type Verdict = Decision['verdict'];

/** The parts of a call that require approval, when every one of them could be allowed by a rule. */
export interface Allowable {
  readonly units: readonly Unit[];
  readonly parts: CallParts;
}

/** The parts of a decision that tell how an approval can be remembered. */
export type Memorable = Pick<Extract<Decision, { readonly verdict: 'ask' }>, 'allowable' | 'once'>;

export const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, refuse: 2 };

export interface Concern {
  readonly verdict: Verdict;
  readonly reason?: Told;
  /** A rule may allow it; absent: none may. */
  readonly unit?: Unit;
  readonly rule?: KnownRule;
  /** The reason for refusing it where nobody can be asked; absent: it happens there. */
  readonly unattended?: Told;
}
