import type { Memory, NewMemory } from '../../../domain/memory.ts';

/** Notes that outlive their session (A12): the workspace's and the person's. Every method may reject with `store`. */
export interface MemoryRecords {
  /** Keeps a note; one that is there to the letter is the same one. Rejects with `invalid` when there are too many. */
  add(memory: NewMemory): Promise<Memory>;
  /** Puts back a note that was removed, under its id. */
  restore(memory: Memory): Promise<void>;
  /** `false`: there is no such note. */
  change(id: string, text: string): Promise<boolean>;
  /** Gives the note as it was; `undefined`: there is none. */
  remove(id: string): Promise<Memory | undefined>;
  /** Notes that fit a text, the best first. */
  recall(text: string, limit: number): Promise<readonly Memory[]>;
  /** All of them, the newest first. */
  all(): Promise<readonly Memory[]>;
}
