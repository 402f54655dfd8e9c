/** Sessions, and files of one, that are remembered; the oldest go first. */
const SESSIONS = 200;
const FILES = 500;

/** Files changed by each session's tools, by absolute path; in memory only. */
export class ChangedFiles {
  readonly #sessions = new Map<string, Set<string>>();

  note(sessionId: string, paths: readonly string[]): void {
    const files = this.#sessions.get(sessionId) ?? new Set<string>();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, files);
    for (const path of paths) {
      files.delete(path);
      files.add(path);
    }
    drop(files, FILES);
    drop(this.#sessions, SESSIONS);
  }

  /** In the order in which they were changed last. */
  of(sessionId: string): readonly string[] {
    return [...(this.#sessions.get(sessionId) ?? [])];
  }
}

/** Takes the oldest away until at most `most` are left. */
function drop(
  kept: { readonly size: number } & (Set<string> | Map<string, unknown>),
  most: number,
): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}
