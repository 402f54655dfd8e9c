import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../domain/lifetime/disposable.ts';
import { type FileReview, linesOf } from '../../../../core/review/model/file-review.ts';
import { type Hunk, hunksOf } from '../../../../core/review/model/hunks.ts';
import type { Reviews } from '../../../../core/review/service/reviews.ts';
import { changeCommentText, hunkDiff } from '../../../../domain/review/change-comment.ts';
import {
  type BelayError,
  failureOf,
  fault,
  sentenceOf,
  wordsOf,
} from '../../../../domain/failure.ts';
import { told } from '../../../../domain/text/told.ts';
import { Lifetime } from '../../../../domain/lifetime/lifetime.ts';
import { COMMENT_CONTROLLER, UNSENT_COMMENT } from '../../../../manifest/context-key-names.ts';
import type { CommentAnswer, CommentAnswers } from '../../../../window/pending/comment-answers.ts';
import type { ChangeFeed } from '../../../../window/pending/change-feed.ts';
import { changesAt } from '../../../../window/pending/change-order.ts';
import type { PendingUris } from '../pending-uris.ts';

export interface ChangeCommentsParts {
  readonly reviews: Pick<Reviews, 'find' | 'pending'>;
  readonly uris: PendingUris;
  readonly feed: ChangeFeed;
  /** Sends a message to a session, running or not; resolves when it is on record. */
  readonly send: (sessionId: string, text: string) => Promise<void>;
  /** Tells of the agent's answers. */
  readonly answers: Pick<CommentAnswers, 'follow'>;
  readonly titleOf: (sessionId: string) => string | undefined;
  /** The session on screen, for a comment on what nobody is known to have made. */
  readonly shownSession: () => string | undefined;
}

/** The change of a comment thread, as it was seen last. */
interface Subject {
  readonly path: string;
  /** Absent: the change was decided before anything was written about it. */
  readonly hunk: Hunk | undefined;
  readonly isPending: boolean;
  /** Ids of the file's changes when it was seen: one that is not among them is new. */
  readonly known: readonly string[];
}

/**
 * Comments on pending changes: each goes to the agent that made the change, as a message with its place, and what the
 * agent says to it stands below it.
 */
export class ChangeComments implements vscode.CommentingRangeProvider, Disposable {
  readonly #parts: ChangeCommentsParts;
  readonly #lifetime = new Lifetime();
  readonly #controller: vscode.CommentController;
  readonly #subjects = new Map<vscode.CommentThread, Subject>();
  readonly #following = new Set<Disposable>();

  constructor(parts: ChangeCommentsParts, id: string = COMMENT_CONTROLLER) {
    this.#parts = parts;
    this.#controller = this.#lifetime.add(vscode.comments.createCommentController(id, 'Belay'));
    this.#controller.options = {
      prompt: l10n.t('Comment on this change, for the agent'),
      placeHolder: l10n.t('What should be different? It goes to the agent with this change.'),
    };
    this.#controller.commentingRangeProvider = this;
    this.#lifetime.add(parts.feed.onChange((changed) => this.#follow(changed)));
  }

  /** Comments that were written and could not be sent; they are kept in their threads. */
  get unsent(): readonly vscode.Comment[] {
    return this.threads.flatMap(({ comments }) =>
      comments.filter(({ contextValue }) => contextValue === UNSENT_COMMENT),
    );
  }

  get threads(): readonly vscode.CommentThread[] {
    return [...this.#subjects.keys()];
  }

  /** Lines of pending changes: beside them VS Code offers to comment. */
  provideCommentingRanges({ uri }: Pick<vscode.TextDocument, 'uri'>): vscode.Range[] {
    const place = this.#parts.uris.read(uri);
    const review = place?.side === 'document' ? this.#parts.reviews.find(place.path) : undefined;
    return review === undefined ? [] : hunksOf(review).map((hunk) => rangeOf(review, hunk));
  }

  /** A comment was written into the box of a thread. */
  async submit({ thread, text }: Pick<vscode.CommentReply, 'thread' | 'text'>): Promise<void> {
    if (text.trim() === '') return;
    const subject = this.#subjects.get(thread) ?? this.#subjectAt(thread);
    this.#subjects.set(thread, subject);
    await this.#deliver(thread, subject, text);
  }

  /** Opens the box for a comment at the cursor of the active editor; `false`: VS Code offers none there. */
  async openBox(): Promise<boolean> {
    const { activeTextEditor: editor } = vscode.window;
    if (editor === undefined) return false;
    const line = editor.selection.active.line;
    const isOffered = this.provideCommentingRanges(editor.document).some(
      ({ start, end }) => start.line <= line && line <= end.line,
    );
    if (!isOffered) return false;
    await vscode.commands.executeCommand('workbench.action.addComment');
    return true;
  }

  /** A comment on a change that no editor shows as text. Throws when it was not taken. */
  async sendAbout(place: Pick<Subject, 'path' | 'hunk'>, text: string): Promise<void> {
    await this.#send({ ...place, isPending: true, known: [] }, 0, text, () => undefined);
  }

  /** A comment that was not taken, perhaps edited, is sent again. */
  async resend(comment: vscode.Comment): Promise<void> {
    const thread = this.#threadOf(comment);
    const subject = thread && this.#subjects.get(thread);
    if (thread === undefined || subject === undefined) throw gone();
    const { body } = comment;
    const text = typeof body === 'string' ? body : body.value;
    if (text.trim() === '') return;
    thread.comments = thread.comments.filter((one) => one !== comment);
    await this.#deliver(thread, subject, text);
  }

  /** The person gives up a comment that was not taken. */
  discard(comment: vscode.Comment): void {
    const thread = this.#threadOf(comment);
    if (thread === undefined) throw gone();
    thread.comments = thread.comments.filter((one) => one !== comment);
    if (thread.comments.length > 0) return;
    this.#subjects.delete(thread);
    thread.dispose();
  }

  dispose(): void {
    for (const one of this.#following) one.dispose();
    this.#lifetime.dispose();
  }

  async #deliver(thread: vscode.CommentThread, subject: Subject, text: string): Promise<void> {
    const line = thread.range?.start.line ?? 0;
    try {
      const sessionId = await this.#send(subject, line, text, this.#belowIn(thread));
      const title = this.#parts.titleOf(sessionId);
      const sent = l10n.t(
        'sent to {0}',
        title === undefined || title === '' ? l10n.t('the agent') : `“${title}”`,
      );
      thread.comments = [...thread.comments, commentOf(text, { label: sent })];
      thread.label = l10n.t('Comment on a pending change');
      if (!subject.isPending) resolve(thread);
    } catch (thrown) {
      // VS Code empties the box: the text is kept as a comment that can be edited and sent again.
      const failure = failureOf(thrown);
      const kept = commentOf(text, { label: l10n.t('not sent'), contextValue: UNSENT_COMMENT });
      thread.comments = [...thread.comments, { ...kept, mode: vscode.CommentMode.Editing }];
      thread.label = l10n.t('Not sent: {0}', wordsOf(failure));
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
      const sentence = told`The comment was not sent: ${sentenceOf(failure)} Its text is kept beside the change; send it again from there.`;
      throw fault(failure.code, sentence, { cause: thrown });
    }
  }

  /** Keeps what the agent says to the next comment in one comment of its own. */
  #belowIn(thread: vscode.CommentThread): (answer: CommentAnswer) => void {
    let shown: vscode.Comment | undefined;
    return ({ text, isCut, isOver }) => {
      if (!this.#subjects.has(thread)) return;
      const rest = isCut ? `… ${l10n.t('The rest is in the conversation.')}` : '';
      const nothing = isOver ? l10n.t('Belay has ended without a word.') : '';
      const comment: vscode.Comment = {
        // As text: a stranger's words may be in it.
        body: text === '' ? nothing : `${text}${rest}`,
        mode: vscode.CommentMode.Preview,
        author: { name: 'Belay' },
        timestamp: new Date(),
        ...(isOver ? {} : { label: l10n.t('at work') }),
      };
      const { comments } = thread;
      const at = shown === undefined ? -1 : comments.indexOf(shown);
      thread.comments = at < 0 ? [...comments, comment] : comments.with(at, comment);
      shown = comment;
    };
  }

  /** @returns the session it went to */
  async #send(
    subject: Subject,
    line: number,
    text: string,
    onAnswer: (answer: CommentAnswer) => void,
  ): Promise<string> {
    const { reviews, send, shownSession } = this.#parts;
    const { hunk, path: file } = subject;
    const any = reviews.find(file)?.knownToSession;
    const sessionId = hunk?.by.at(-1)?.sessionId ?? any ?? shownSession();
    if (sessionId === undefined)
      throw fault(
        'not_found',
        told`It is not known which session made this change, and none is open.`,
      );
    const from = hunk === undefined ? line : hunk.documentFrom;
    const to = hunk === undefined ? line : Math.max(from, hunk.documentTo - 1);
    const message = changeCommentText({
      path: vscode.workspace.asRelativePath(file, undefined),
      from: from + 1,
      to: to + 1,
      diff: hunk === undefined ? '' : hunkDiff(hunk),
      comment: text,
    });
    const following = this.#parts.answers.follow(sessionId, message, (answer) => {
      if (answer.isOver) this.#following.delete(following);
      onAnswer(answer);
    });
    this.#following.add(following);
    try {
      await send(sessionId, message);
    } catch (error) {
      this.#following.delete(following);
      following.dispose();
      throw error;
    }
    return sessionId;
  }

  #subjectAt({ uri, range }: vscode.CommentThread): Subject {
    const place = this.#parts.uris.read(uri);
    if (place === undefined) throw gone();
    const { path: file } = place;
    const review = this.#parts.reviews.find(file);
    const { start, end } = range ?? new vscode.Range(0, 0, 0, 0);
    const [hunk] = review === undefined ? [] : changesAt(review, 'document', start.line, end.line);
    return { path: file, hunk, isPending: hunk !== undefined, known: idsOf(review) };
  }

  #threadOf(comment: vscode.Comment): vscode.CommentThread | undefined {
    return this.threads.find(({ comments }) => comments.includes(comment));
  }

  /** Threads go with their changes, and are resolved when those are decided. */
  #follow(changed: readonly string[]): void {
    const files = new Set(changed);
    for (const [thread, subject] of this.#subjects) {
      if (!files.has(subject.path)) continue;
      const review = this.#parts.reviews.find(subject.path);
      const hunk = review && successorOf(subject, review);
      if (review === undefined || hunk === undefined) {
        this.#subjects.set(thread, { ...subject, isPending: false });
        resolve(thread);
        continue;
      }
      this.#subjects.set(thread, { ...subject, hunk, isPending: true, known: idsOf(review) });
      thread.state = vscode.CommentThreadState.Unresolved;
      thread.canReply = true;
      const range = rangeOf(review, hunk);
      if (thread.range?.isEqual(range) !== true) thread.range = range;
    }
    // Lines where one can comment are others; VS Code asks again when it is told the provider.
    if (changed.length > 0) this.#controller.commentingRangeProvider = this;
  }
}

/** The same change, or what the agent or the person has made of it in the same place. */
function successorOf({ hunk, known }: Subject, review: FileReview): Hunk | undefined {
  if (hunk === undefined) return undefined;
  const hunks = hunksOf(review);
  return (
    hunks.find(({ id }) => id === hunk.id) ??
    hunks.find(
      ({ id, baselineFrom, baselineTo }) =>
        !known.includes(id) && baselineFrom <= hunk.baselineTo && baselineTo >= hunk.baselineFrom,
    )
  );
}

function idsOf(review: FileReview | undefined): readonly string[] {
  return review === undefined ? [] : hunksOf(review).map(({ id }) => id);
}

function resolve(thread: vscode.CommentThread): void {
  thread.state = vscode.CommentThreadState.Resolved;
  thread.canReply = false;
  const isUnsent = thread.comments.some(({ contextValue }) => contextValue === UNSENT_COMMENT);
  // A comment that was not sent stays in sight.
  if (isUnsent) return;
  thread.label = l10n.t('Comment on a change that was decided');
  thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
}

/** Whole lines; where lines were only taken away, the one after them. */
function rangeOf(review: FileReview, { documentFrom, documentTo }: Hunk): vscode.Range {
  const last = Math.max(0, linesOf(review.document).length - 1);
  const from = Math.min(documentFrom, last);
  return new vscode.Range(from, 0, Math.max(from, Math.min(documentTo - 1, last)), 0);
}

function commentOf(
  text: string,
  more: { readonly label: string; readonly contextValue?: string },
): vscode.Comment {
  return {
    // A string is shown as it was written, not as what Markdown would make of it.
    body: text,
    mode: vscode.CommentMode.Preview,
    author: { name: 'You' },
    timestamp: new Date(),
    ...more,
  };
}

function gone(): BelayError {
  return fault('not_found', told`This comment is not there any more. Nothing was sent.`);
}
