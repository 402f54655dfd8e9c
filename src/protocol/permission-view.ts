import type { PermissionRule, RuleOrigin } from '../domain/permissions/permission-rule.ts';

export interface RuleRow {
  readonly rule: PermissionRule;
  readonly origin: RuleOrigin;
  /** "Your settings", a file, "this session". */
  readonly source: string;
  /** "Allow the command npm test in /home/me/app". */
  readonly text: string;
  /** It counts for nothing: it is switched off, or a workspace would allow something. */
  readonly idle: boolean;
}

export interface RulesView {
  readonly rows: readonly RuleRow[];
  /** Sentences: rules that cannot be read, or count for nothing. */
  readonly notes: readonly string[];
  readonly mayChange: boolean;
  /** Names of tools for the test field. */
  readonly tools: readonly string[];
  /** The workspace folder that a new rule may be limited to. */
  readonly folder: string | null;
}

export interface RuleTestView {
  readonly verdict: 'allow' | 'ask' | 'refuse';
  readonly mode: string;
  readonly rule: string | null;
  readonly reason: string;
}
