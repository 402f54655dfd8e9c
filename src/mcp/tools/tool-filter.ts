/** The tools of a server that its definition lets through, by the server's own names. */
export interface ToolFilter {
  /** Absent: all. */
  readonly only?: readonly string[];
  readonly without: readonly string[];
}

export const passes = ({ only, without }: ToolFilter, name: string): boolean =>
  (only === undefined || only.includes(name)) && !without.includes(name);
