/** Kinds of what is sent with a request, as a person tells them apart. */
export const SHARES = [
  'instructions',
  'tools',
  'mcp tools',
  'summary',
  'messages',
  'mentions',
  'tool results',
  'pictures',
] as const;
export type Share = (typeof SHARES)[number];

/** The fill of the context window at a session's next request; an estimate, in tokens. */
export interface WindowShares {
  readonly tokens: Readonly<Record<Share, number>>;
  /** Of these, what a summary would stand for if the session were compacted now. */
  readonly older: number;
}
