/** Files that people write for agents: instructions, skills, commands, personas. */
export const CUSTOMIZATION_KINDS = ['instructions', 'persona', 'skill', 'command'] as const;
export type CustomizationRowKind = (typeof CUSTOMIZATION_KINDS)[number];

export interface CustomizationsView {
  /** By kind, in the order in which they count. */
  readonly rows: readonly CustomizationRow[];
  /** Workspace Trust: without it nothing of the workspace is used. */
  readonly trusted: boolean;
}

export interface CustomizationRow {
  readonly kind: CustomizationRowKind;
  /** As a person names it: `/review`, `AGENTS.md`. */
  readonly name: string;
  /** On one line; may be empty. */
  readonly description: string;
  /** Its file, absolute; empty: it is in the settings. */
  readonly path: string;
  /** Whose it is, and where, in words. */
  readonly source: string;
  /** Its effect in words: in force, off, why not. */
  readonly said: string;
  /** It has an effect now. */
  readonly inForce: boolean;
  /** `null`: there is nothing to switch. */
  readonly on: boolean | null;
  /** About; `null`: not known. */
  readonly tokens: number | null;
  /** In sentences, with the line. */
  readonly problems: readonly string[];
}
