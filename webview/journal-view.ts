import { signal } from '@preact/signals';
import type { JournalSection } from '../src/domain/journal.ts';

/** A section that is being edited: the text, and what it was made of. */
interface Draft {
  readonly text: string;
  readonly from: string;
}

/** The journal as it is shown; what is being written in it outlasts folding it and other sessions. */
export class JournalView {
  readonly open = signal(false);
  readonly #drafts = signal<ReadonlyMap<string, Draft>>(new Map());

  draft(sessionId: string, section: JournalSection): Draft | undefined {
    return this.#drafts.value.get(`${sessionId} ${section}`);
  }

  /** `undefined`: nothing is being written any more. */
  setDraft(sessionId: string, section: JournalSection, draft: Draft | undefined): void {
    const drafts = new Map(this.#drafts.peek());
    const key = `${sessionId} ${section}`;
    if (draft === undefined) drafts.delete(key);
    else drafts.set(key, draft);
    this.#drafts.value = drafts;
  }
}
