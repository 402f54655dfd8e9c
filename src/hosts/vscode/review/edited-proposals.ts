import type * as vscode from 'vscode';

const STORED_AS = 'belay.editedProposals';

/** Edited proposals kept at most; the oldest go first. */
const LIMIT = 20;

/**
 * What a person has typed into a proposal, kept until they decide: after a reload the same proposal
 * is asked again, and their text is back. The key is the hash of what was proposed.
 */
export class EditedProposals {
  readonly #state: vscode.Memento;
  readonly #texts: Map<string, string>;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#texts = new Map(readTexts(state.get(STORED_AS)));
  }

  get(hash: string): string | undefined {
    return this.#texts.get(hash);
  }

  async put(hash: string, text: string): Promise<void> {
    if (this.#texts.get(hash) === text) return;
    this.#texts.delete(hash);
    this.#texts.set(hash, text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= LIMIT) break;
      this.#texts.delete(oldest);
    }
    await this.#save();
  }

  async remove(hash: string): Promise<void> {
    if (this.#texts.delete(hash)) await this.#save();
  }

  async #save(): Promise<void> {
    await this.#state.update(STORED_AS, [...this.#texts]);
  }
}

function readTexts(kept: unknown): [string, string][] {
  if (!Array.isArray(kept)) return [];
  return kept.filter(
    (entry: unknown): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string',
  );
}
