import type { JournalSection } from '../src/domain/session/journal.ts';
import { Drafts } from './drafts.ts';

/** A section that is being edited: the text, and what it was made of. */
interface Draft {
  readonly text: string;
  readonly from: string;
}

/** The sections of journals that are being edited. */
export class JournalView {
  readonly #drafts = new Drafts<Draft>();

  draft(sessionId: string, section: JournalSection): Draft | undefined {
    return this.#drafts.at(`${sessionId} ${section}`);
  }

  setDraft(sessionId: string, section: JournalSection, draft: Draft | undefined): void {
    this.#drafts.set(`${sessionId} ${section}`, draft);
  }
}
