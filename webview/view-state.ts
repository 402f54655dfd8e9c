import { isSameMention, type Mention } from '../src/domain/mention.ts';
import { withGivenBack } from '../src/protocol/draft.ts';
import type { Drafted } from './store.ts';
import type { SavedView } from '../src/protocol/view.ts';

/** A message on its way to the host. */
export interface Leaving {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

/** Resolves when the host has it on record, or will not. */
type Save = (sessionId: string | null, view: KeptView) => Promise<unknown>;

/** The draft is left out where it is as it was: another place may know it better. */
export type KeptView = Omit<SavedView, 'draft'> & {
  readonly draft?: string;
  /** Counts the drafts of this page. */
  readonly typed?: number;
};

const NOTHING: SavedView = { draft: '', scroll: null };

/** Drafts up to this many characters are sent with each key; of longer ones the next only when one is on record. */
const SHORT = 20_000;

/**
 * Draft and scroll position of the session on screen, on their way to the host: with each change, because a window can
 * be gone a moment later and nothing is sent any more then. A message that is on its way stays in the draft until the
 * host has taken it.
 */
export class ViewState {
  readonly #save: Save;
  readonly #leaving = new Set<Leaving>();
  #sessionId: string | null = null;
  #view: SavedView = NOTHING;
  #changed = false;
  #saving = false;
  #held = false;
  /** Drafts that were sent, and those of them that the host has on record. */
  #typed = 0;
  #kept = 0;
  /** The draft differs from the one that was sent last. */
  #writing = false;

  constructor(save: Save) {
    this.#save = save;
  }

  /** Draft and place as they are now. */
  get view(): SavedView {
    return this.#view;
  }

  /** Nothing is sent: the host has not spoken yet, and may know better what was left. */
  hold(): void {
    this.#held = true;
  }

  /** Sends from now on, and what was not sent. */
  release(): void {
    this.#held = false;
    this.flush();
  }

  /** Another session is on screen: what was left of the other one is saved. */
  begin(sessionId: string | null, view: SavedView): void {
    this.flush();
    if (this.#held) {
      this.#changed = false;
      this.#writing = false;
    }
    this.#leaving.clear();
    this.#sessionId = sessionId;
    this.#view = view;
  }

  /** The new session has become a real one: its draft moves with it. */
  rename(sessionId: string | null): void {
    if (sessionId === this.#sessionId) return;
    const former = this.#sessionId;
    this.#sessionId = sessionId;
    void this.#save(former, NOTHING);
    this.#writing = true;
    this.#change();
  }

  change(part: Partial<SavedView>): void {
    const next = { ...this.#view, ...part };
    if (JSON.stringify(next) === JSON.stringify(this.#view)) return;
    this.#view = next;
    if (part.draft !== undefined || part.mentions !== undefined) this.#writing = true;
    this.#change();
  }

  /** Takes over a draft of another place; `false`: something was typed here since, which counts. */
  takes({ draft, mentions, after }: Drafted): boolean {
    const known = after === undefined ? this.#kept : after;
    if (this.#writing || this.#leaving.size > 0 || known < this.#typed) return false;
    this.#view = { ...this.#view, draft, mentions };
    return true;
  }

  /** A message leaves the input for the host; what this gives is called when it has arrived, or was given back. */
  leaves(given: Leaving): () => void {
    const message = { ...given };
    this.#leaving.add(message);
    return () => {
      this.#writing = true;
      if (this.#leaving.delete(message)) this.#change();
    };
  }

  /** Sends what is not sent yet: there may be no later. */
  flush(): void {
    if (this.#changed && !this.#held) void this.#send();
  }

  #change(): void {
    this.#changed = true;
    if (this.#held) return;
    if (this.#view.draft.length <= SHORT) void this.#send();
    else if (!this.#saving) void this.#saveAll();
  }

  async #saveAll(): Promise<void> {
    this.#saving = true;
    try {
      while (this.#changed) await this.#send();
    } finally {
      this.#saving = false;
    }
  }

  #send(): Promise<unknown> {
    this.#changed = false;
    const draft = [...this.#leaving].reduceRight(
      (after, { text }) => withGivenBack(after, text),
      this.#view.draft,
    );
    const mentions = [...this.#leaving].flatMap((message) => message.mentions);
    for (const mention of this.#view.mentions ?? [])
      if (!mentions.some((one) => isSameMention(one, mention))) mentions.push(mention);
    const kept = mentions.length === 0 ? {} : { mentions };
    const { scroll } = this.#view;
    if (!this.#writing) return this.#save(this.#sessionId, { scroll });
    this.#writing = false;
    this.#typed += 1;
    const typed = this.#typed;
    const saved = this.#save(this.#sessionId, { draft, scroll, ...kept, typed });
    return saved.finally(() => {
      this.#kept = Math.max(this.#kept, typed);
    });
  }
}
