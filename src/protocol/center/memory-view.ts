import type { Memory } from '../../domain/memory.ts';

export const MEMORY_FORMATS = ['json', 'markdown'] as const;
export type MemoryFormat = (typeof MEMORY_FORMATS)[number];

/** The notes that outlive their session. */
export interface MemoryView {
  /** Why nothing can be shown; empty: it can. */
  readonly problem: string;
  /** The model may keep notes, and gets those that fit. */
  readonly on: boolean;
  /** The newest first. */
  readonly rows: readonly MemoryRow[];
}

export interface MemoryRow extends Pick<Memory, 'id' | 'scope'> {
  readonly text: string;
  /** The day, and the session or workspace that it comes from. */
  readonly source: string;
}
