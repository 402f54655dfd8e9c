import { type BelayError, fault } from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import { lineChanges } from '../../../merge/line-changes.ts';
import { LineEnds } from '../../../merge/line-ends.ts';
import { agentEdited } from '../../model/agent-edits.ts';
import { type Choice, accept, decided, reject } from '../../model/decide.ts';
import { compareFirst } from '../../model/differences.ts';
import {
  ABSENT,
  linesOf,
  newReview,
  replacementsFor,
  sameContent,
  textContent,
} from '../../model/file-review.ts';
import type { Attribution, Content, FileReview } from '../../model/file-review.ts';
import { isSettled } from '../../model/hunks.ts';
import { proposalEdited, rebased } from '../../model/proposals.ts';
import type { Decision } from '../../storage/decision-journal.ts';
import type { AskedDrafts } from '../../storage/asked-drafts.ts';
import type { PendingChanges } from '../pending-changes.ts';
import type { PendingChangesParts } from '../pending-changes-parts.ts';
import { Turns } from '../turns.ts';

/** An edit about which a call asks. */
export interface AskedEdit {
  /** Of the question; nothing else that waits has the same. */
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** There is no file yet. */
  readonly creates: boolean;
  readonly by: Attribution;
  /** Of what was asked: a call that asks the same after a reload finds what was typed. */
  readonly hash: string;
  /** It can be decided from now on. */
  readonly onShown: () => void;
  /** Hears when everything of it is decided, and whether any of it was accepted. */
  readonly answer: (isAccepted: boolean) => void;
}

type AskedStore = PendingChangesParts['store'];

interface Waiting {
  readonly edit: AskedEdit;
  isAccepted: boolean;
  /** Some of it was rejected or written by the person: it is not what was proposed. */
  isOther: boolean;
}

/**
 * Edits about which calls ask: proposals whose decision a call awaits. They are in no store and go with
 * their question; nothing of them is done to a file here, because the call writes what was accepted.
 */
export class AskedEdits {
  readonly changes: PendingChanges;
  readonly #drafts: AskedDrafts;
  /** By id, oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  /** By path: of several edits of one file the next is shown when the first is decided. */
  readonly #shown = new Map<string, Waiting>();
  readonly #turns = new Turns();

  constructor(drafts: AskedDrafts, open: (store: AskedStore) => PendingChanges) {
    this.#drafts = drafts;
    this.changes = open({ ...NO_STORE, save: async ({ path }) => this.#keep(path) });
  }

  /** Resolves when it can be decided, if no other edit of its file waits. */
  async ask(edit: AskedEdit): Promise<void> {
    this.#waiting.set(edit.id, { edit, isAccepted: false, isOther: false });
    await this.#turns.take(edit.path, () => this.#show(edit.path));
  }

  /** The question is gone, answered or not. */
  async withdraw(id: string, isDecided: boolean): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const { hash, path } = waiting.edit;
    const text = this.text(id);
    this.#waiting.delete(id);
    // Typed text is kept when nobody decided: the call may ask again.
    const kept = this.#drafts.put(hash, isDecided ? undefined : text);
    await Promise.all([kept, this.#turns.take(path, () => this.#show(path))]);
  }

  /** The text to be written by now, with the line ends that were proposed; `undefined`: as proposed. */
  text(id: string): string | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    const { path, after } = waiting.edit;
    const review = this.#shown.get(path) === waiting ? this.changes.get(path) : undefined;
    // Changes from elsewhere are merged into the file by the call.
    if (review === undefined || !(waiting.isOther || isTypedIn(review))) return undefined;
    const isSame = sameContent(review.document, contentOf(after));
    return isSame ? undefined : inFormOf(after, review.document);
  }

  /** Of the edit of a file that is shown; `undefined`: none is. */
  idAt(path: string): string | undefined {
    return this.#shown.get(path)?.edit.id;
  }

  /** True when the edit of a call is shown only after another one of its file is decided. */
  isBehind(callId: string): boolean {
    const waiting = [...this.#waiting.values()].find(({ edit }) => edit.by.callId === callId);
    return waiting !== undefined && this.#shown.get(waiting.edit.path) !== waiting;
  }

  /** Files of which an edit is shown. */
  get paths(): readonly string[] {
    return [...this.#shown.keys()];
  }

  /** The file is another one; where something of the edit is accepted, the call merges it. */
  fileIs(path: string, content: Content, hand: 'person' | 'other'): void {
    // Without its file the call refuses it: until then it is shown for what it was.
    if (this.#shown.get(path)?.isAccepted === false && content.kind === 'text')
      this.changes.update(path, (review) => rebased(review, content, hand));
  }

  /** The person decided about hunks of it; when none is left, the call goes on. */
  async decide(decision: Decision, review: FileReview, choice: Choice): Promise<void> {
    const { path } = review;
    const waiting = this.#shown.get(path);
    if (waiting === undefined) throw notWaiting(path);
    const isAccepted = decision === 'accept';
    const after = isAccepted ? accept(review, choice) : reject(review, choice).review;
    waiting.isAccepted ||= isAccepted;
    waiting.isOther ||= !isAccepted || isTypedIn(review);
    await this.changes.decide(path, after, undefined, review);
    const left = this.changes.get(path);
    if (this.#shown.get(path) !== waiting || left === undefined) throw notWaiting(path);
    if (isSettled(left)) waiting.edit.answer(waiting.isAccepted);
  }

  async #show(path: string): Promise<void> {
    const next = [...this.#waiting.values()].find(({ edit }) => edit.path === path);
    if (next === this.#shown.get(path)) return;
    if (next === undefined) {
      this.#shown.delete(path);
      const review = this.changes.get(path);
      if (review !== undefined) await this.changes.decide(path, decided(review));
      return this.changes.drop(path);
    }
    const { edit } = next;
    const before = edit.creates ? ABSENT : contentOf(edit.before);
    const after = contentOf(edit.after);
    const typed = await this.#drafts.get(edit.hash);
    await compareFirst(undefined, after, before);
    this.#shown.set(path, next);
    await this.changes.change(path, () => {
      const review = agentEdited(newReview(path, before), after, edit.by);
      return typed === undefined ? review : proposalEdited(review, contentOf(typed));
    });
    edit.onShown();
  }

  /** For a restart. */
  async #keep(path: string): Promise<true> {
    const { id = '', hash = '' } = this.#shown.get(path)?.edit ?? {};
    if (this.#waiting.has(id)) await this.#drafts.put(hash, this.text(id));
    return true;
  }
}

const NO_STORE: Omit<AskedStore, 'save'> = {
  load: async () => ({ reviews: [], unreadable: [] }),
  remove: async () => true,
  read: async () => undefined,
  newest: async () => undefined,
  changedElsewhere: async () => [],
  isForeign: () => false,
};

function isTypedIn({ marks }: FileReview): boolean {
  return marks.some(({ by }) => by === 'user');
}

/** Editors show no byte order mark. */
const MARK = /^\uFEFF/u;

function contentOf(text: string): Content {
  return textContent(text.replace(MARK, ''));
}

/** The text of a content, with the byte order mark and the line ends of the one that it was made from. */
function inFormOf(form: string, content: Content): string {
  const text = form.replace(MARK, '');
  const lines = linesOf(textContent(text));
  const edits = replacementsFor(lines, lineChanges(lines, linesOf(content)));
  return form.slice(0, form.length - text.length) + new LineEnds(text).apply(edits);
}

function notWaiting(path: string): BelayError {
  const message = told`The edit of ${path} does not wait any more: it was decided in another place, or its run was stopped.`;
  return fault('not_found', message);
}
