/** Where a note counts: in one workspace, or for the person wherever they work. */
export const MEMORY_SCOPES = ['workspace', 'person'] as const;
export type MemoryScope = (typeof MEMORY_SCOPES)[number];

/** Characters of one note; longer ones belong into a file. */
export const MEMORY_LENGTH = 1000;
/** Notes of one scope. */
export const MOST_MEMORIES = 5000;
/** Notes that go with a message (A7). */
export const RECALLED = 5;

/** A fact that outlives its session (A12). */
export interface Memory {
  /** `w` or `p` for the scope, and a number that is never used again. */
  readonly id: string;
  readonly scope: MemoryScope;
  readonly text: string;
  /** Milliseconds since the epoch: when it was made, or changed last. */
  readonly at: number;
  /** The session that it comes from. */
  readonly sessionId: string;
  /** The name of the workspace that it was made in. */
  readonly workspace: string;
}

/** A note before it is kept. */
export type NewMemory = Pick<Memory, 'scope' | 'text' | 'sessionId'>;

/** The scope and the number that an id says; `undefined`: it is none. */
export function readMemoryId(
  id: string,
): { readonly scope: MemoryScope; readonly number: number } | undefined {
  const [, letter, digits = ''] = /^([wp])(\d{1,15})$/u.exec(id) ?? [];
  if (letter === undefined) return undefined;
  return { scope: letter === 'w' ? 'workspace' : 'person', number: Number(digits) };
}

export const memoryId = (scope: MemoryScope, number: number): string =>
  `${scope === 'workspace' ? 'w' : 'p'}${number}`;
