import type { PermissionRule, RuleOrigin } from '../domain/permissions/permission-rule.ts';

/** A rule as the list shows it. */
export interface RuleRow {
  readonly rule: PermissionRule;
  readonly origin: RuleOrigin;
  /** Where it is written: "your settings", a file, "this session". */
  readonly source: string;
  /** "Allow the command npm test in /home/me/app". */
  readonly text: string;
  /** It counts for nothing: it is switched off, or a workspace would allow something. */
  readonly idle: boolean;
}

/** What the rules page shows. */
export interface RulesView {
  readonly rows: readonly RuleRow[];
  /** Sentences: rules that cannot be read, or count for nothing. */
  readonly notes: readonly string[];
  /** The person may change rules here. */
  readonly mayChange: boolean;
  /** Names of tools for the test field. */
  readonly tools: readonly string[];
  /** The workspace folder that a new rule may be limited to. */
  readonly folder: string | null;
}

/** What would happen to a call, and why. */
export interface RuleTestView {
  readonly verdict: 'allow' | 'ask' | 'refuse';
  readonly mode: string;
  /** The rule that made the decision. */
  readonly rule: string | null;
  readonly reason: string;
}
