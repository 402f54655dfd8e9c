import type { Values } from '../../ports/store/values.ts';
import type { Choice } from '../model/decide.ts';
import { type Content, type FileReview, sameContent } from '../model/file-review.ts';
import { chosenHunks, hunksOf } from '../model/hunks.ts';
import { describeBinary } from '../model/binary-words.ts';
import { type UnreportedChange, unreportedChanges } from '../model/unreported-changes.ts';

const PREFIX = 'review-news:';
/** Session, number, and the window that it is of. */
const NAME = /^(.*)\/(\d+)(?:-[^/]*)?$/su;
/** Characters of one sentence's texts; beyond it the model is told to read the file. */
const MAX_SENTENCE_CHARS = 3000;
/** Ends what is longer. */
const CUT = '\n… (read the file for the rest)';
/** Files of which it is known what was told. */
const MAX_TELLINGS = 200;
/** Sentences kept for a session that does not run; the oldest go. */
const MAX_SENTENCES = 50;

/** A sentence for the model, told once. */
export interface ReviewNotice {
  readonly text: string;
  /** Of the value that holds it until it is told; whoever tells it removes that in the same moment. */
  readonly key?: string;
}

interface KeptNews extends ReviewNotice {
  readonly key: string;
}

/** News of the person's decisions for a session's model, until it is told. */
export class ReviewNotices {
  readonly #values: Values;
  readonly #untold = new Map<string, readonly KeptNews[]>();
  /** Of this window: keys of others are others. */
  readonly #writer: string;
  /** Keys of what is not stored yet, and of what was taken and is perhaps stored still. */
  readonly #storing = new Set<string>();
  readonly #taken = new Set<string>();
  /** By session and path. */
  readonly #tellings = new Map<string, { readonly from: Content; readonly to: Content }>();
  /** Of the newest, so that keys are in order as texts too. */
  #number = 0;

  constructor(values: Values, writer = '') {
    this.#values = values;
    this.#writer = writer;
  }

  /** Loads the news that any window stored by now; those another one has told are gone. */
  async load(): Promise<void> {
    const found = await this.#values.list(PREFIX);
    const stored = new Set(found.map(({ key }) => key));
    for (const key of this.#taken) if (!stored.has(key)) this.#taken.delete(key);
    for (const [sessionId, news] of this.#untold) {
      const left = news.filter(({ key }) => stored.has(key) || this.#storing.has(key));
      this.#untold.set(sessionId, left);
    }
    for (const { key, value: text } of found) {
      const [, sessionId, number] = NAME.exec(key.slice(PREFIX.length)) ?? [];
      if (sessionId === undefined || typeof text !== 'string') continue;
      this.#number = Math.max(this.#number, Number(number));
      const news = this.#untold.get(sessionId) ?? [];
      if (this.#taken.has(key) || news.some((one) => one.key === key)) continue;
      this.#untold.set(sessionId, [...news, { key, text }]);
    }
  }

  /** Reports kept changes only where the user edited them before: the model knows the rest. */
  async noteKept(review: FileReview, choice: Choice): Promise<void> {
    const changed = changesText(unreportedChanges(review));
    if (changed === '') return;
    const what = whatOf(review, choice);
    await this.#add(review, `The user kept ${what}. Before that they changed it:\n${changed}`);
  }

  async noteUndone(review: FileReview, choice: Choice): Promise<void> {
    const chosen = chosenHunks(review, choice).filter(
      ({ removed, added }) => removed.length + added.length > 0,
    );
    const hunks = chosen.map(({ documentFrom, removed, added }) => ({
      line: documentFrom,
      removed: added,
      added: removed,
    }));
    const text = hunks.length === 0 ? '' : `:\n${changesText(hunks)}`;
    const changed = changesText(unreportedChanges(review));
    const edits = changed === '' ? '' : `\nBefore that they changed it:\n${changed}`;
    await this.#add(review, `The user undid ${whatOf(review, choice)}${text || '.'}${edits}`);
  }

  /** The user's edits of changes that are still pending. */
  edited(review: FileReview, sessionId: string): string | undefined {
    if (review.knownToSession !== sessionId) return undefined;
    const text = changesText(unreportedChanges(review));
    return text === '' ? undefined : `The user changed ${review.path} after your edit:\n${text}`;
  }

  /**
   * The sentences since then tell how the text that the agent knew became another one; nobody has to tell
   * it once more. In memory only.
   */
  tellsAll(review: FileReview, to: Content): void {
    const { knownToSession: toldTo, path, knownToModel: told } = review;
    if (toldTo === undefined || sameContent(told, to)) return;
    const key = `${toldTo} ${path}`;
    const known = this.#tellings.get(key);
    const from = known !== undefined && sameContent(known.to, told) ? known.from : told;
    this.#tellings.delete(key);
    const text = changesText(unreportedChanges({ ...review, knownToModel: told, document: to }));
    if (!text.endsWith(CUT)) this.#tellings.set(key, { from, to });
    const [oldest] = this.#tellings.keys();
    if (this.#tellings.size > MAX_TELLINGS && oldest !== undefined) this.#tellings.delete(oldest);
  }

  /** True when sentences told, or will tell next, how one text of a file became another. */
  hasTold(sessionId: string, path: string, from: Content, to: Content): boolean {
    const known = this.#tellings.get(`${sessionId} ${path}`);
    return known !== undefined && sameContent(known.from, from) && sameContent(known.to, to);
  }

  /** Takes the news; they stay stored until they are told. */
  take(sessionId: string): readonly KeptNews[] {
    const news = this.#untold.get(sessionId) ?? [];
    this.#untold.delete(sessionId);
    for (const { key } of news) this.#taken.add(key);
    return news;
  }

  async #add({ knownToSession: sessionId }: FileReview, text: string): Promise<void> {
    if (sessionId === undefined) return;
    this.#number += 1;
    const key = `${PREFIX}${sessionId}/${String(this.#number).padStart(9, '0')}-${this.#writer}`;
    const news = [...(this.#untold.get(sessionId) ?? []), { key, text }];
    this.#untold.set(sessionId, news.slice(-MAX_SENTENCES));
    this.#storing.add(key);
    try {
      await this.#values.set(key, text);
    } finally {
      this.#storing.delete(key);
    }
    for (const old of news.slice(0, -MAX_SENTENCES)) await this.#values.set(old.key, null);
  }
}

function whatOf(review: FileReview, choice: Choice): string {
  const all = hunksOf(review).length;
  const count = chosenHunks(review, choice).length;
  const { path, renamedFrom } = review;
  const isRenamed = choice === 'all' && renamedFrom !== undefined;
  if (isRenamed && all === 0) return `the renaming of ${renamedFrom} to ${path}`;
  const binary = describeBinary(review);
  const what = binary === '' ? path : `${path} (${binary})`;
  if (count === all) return `your changes of ${what}${isRenamed ? `, before ${renamedFrom}` : ''}`;
  return `${count} of your ${all} changes of ${review.path}`;
}

/** Lines taken away and put in, with their places; empty where there are none. */
function changesText(changes: readonly UnreportedChange[]): string {
  const text = changes
    .map(({ line, removed, added }) =>
      [
        `@@ line ${line + 1}`,
        ...removed.map((one) => `-${one}`),
        ...added.map((one) => `+${one}`),
      ].join('\n'),
    )
    .join('\n');
  return text.length > MAX_SENTENCE_CHARS ? `${text.slice(0, MAX_SENTENCE_CHARS)}${CUT}` : text;
}
