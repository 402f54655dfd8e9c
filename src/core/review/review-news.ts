import type { Log, Values } from '../ports.ts';
import type { Choice } from './decide.ts';
import type { FileReview } from './file-review.ts';
import { chosenHunks, hunksOf } from './hunks.ts';
import type { ReviewKind } from './review-kinds.ts';
import { untold } from './untold.ts';
import type { UntoldChange } from './untold.ts';

const PREFIX = 'review-news:';
/** Characters of one sentence's texts; beyond it the model is told to read the file. */
const LONGEST = 3000;
/** Sentences kept for a session that does not run; the oldest go. */
const MOST = 50;

/** What the model of a session is to be told of the person's decisions, until it is told. */
export class ReviewNews {
  readonly #values: Values;
  readonly #log: Log;
  readonly #untold = new Map<string, readonly string[]>();

  constructor(values: Values, log: Log) {
    this.#values = values;
    this.#log = log;
  }

  async load(): Promise<void> {
    for (const { key, value } of await this.#values.list(PREFIX)) {
      const texts = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
      this.#untold.set(key.slice(PREFIX.length), texts);
    }
  }

  /** Proposals are in the file now; of what was there already nothing is new, unless the person changed it. */
  async accepted(kind: ReviewKind, review: FileReview, choice: Choice): Promise<void> {
    const changed = changesText(untold(review));
    const edits = changed === '' ? '' : ` Before that they changed it:\n${changed}`;
    if (kind === 'written' && changed === '') return;
    const what = whatOf(review, choice);
    const where = kind === 'proposed' ? ' It is in the file now.' : '';
    await this.#add(review, `The person accepted ${what}.${where}${edits}`);
  }

  async rejected(review: FileReview, choice: Choice): Promise<void> {
    const hunks = chosenHunks(review, choice).map(({ documentFrom, removed, added }) => ({
      line: documentFrom,
      removed: added,
      added: removed,
    }));
    const text = hunks.length === 0 ? '' : `:\n${changesText(hunks)}`;
    await this.#add(
      review,
      `The person rejected ${whatOf(review, choice)}, and it is taken back${text || '.'}`,
    );
  }

  /** What the person made of changes that are pending still. */
  edited(review: FileReview, sessionId: string): string | undefined {
    if (review.toldTo !== sessionId) return undefined;
    const text = changesText(untold(review));
    return text === '' ? undefined : `The person changed ${review.path} after your edit:\n${text}`;
  }

  take(sessionId: string): readonly string[] {
    const texts = this.#untold.get(sessionId) ?? [];
    if (texts.length > 0) {
      this.#untold.delete(sessionId);
      this.#keep(sessionId, null).catch((error: unknown) =>
        this.#log.warn('That news were told could not be stored.', { reason: String(error) }),
      );
    }
    return texts;
  }

  async #add({ toldTo: sessionId }: FileReview, text: string): Promise<void> {
    if (sessionId === undefined) return;
    const texts = [...(this.#untold.get(sessionId) ?? []), text].slice(-MOST);
    this.#untold.set(sessionId, texts);
    await this.#keep(sessionId, texts);
  }

  async #keep(sessionId: string, texts: readonly string[] | null): Promise<void> {
    await this.#values.set(`${PREFIX}${sessionId}`, texts);
  }
}

function whatOf(review: FileReview, choice: Choice): string {
  const all = hunksOf(review).length;
  const count = chosenHunks(review, choice).length;
  if (count === all) return `your changes of ${review.path}`;
  return `${count} of your ${all} changes of ${review.path}`;
}

/** Lines taken away and put in, with their places; empty where there are none. */
function changesText(changes: readonly UntoldChange[]): string {
  const text = changes
    .map(({ line, removed, added }) =>
      [
        `@@ line ${line + 1}`,
        ...removed.map((one) => `-${one}`),
        ...added.map((one) => `+${one}`),
      ].join('\n'),
    )
    .join('\n');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… (read the file for the rest)` : text;
}
