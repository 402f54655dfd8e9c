/** A server's revisions: `modern` from 2026-07-28 on (no session), `legacy` before. */
export type Era = 'legacy' | 'modern';

/** Remembers the era of local servers by the hash of their definition; it saves a probe at each start. */
export interface EraMemory {
  get(hash: string): Era | undefined;
  /** `undefined` forgets. */
  set(hash: string, era: Era | undefined): void;
}

/** Forgets when the process ends. */
export function eraMemory(): EraMemory {
  const eras = new Map<string, Era>();
  return {
    get: (hash) => eras.get(hash),
    set: (hash, era) => void (era === undefined ? eras.delete(hash) : eras.set(hash, era)),
  };
}
