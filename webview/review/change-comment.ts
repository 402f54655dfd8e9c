import * as l10n from '@vscode/l10n';
import { signal, type Signal } from '@preact/signals';
import type { HostRequests } from '../host/host-requests.ts';
import { nameOf } from './review-words.ts';
import type { ActiveRow, HunkRow } from './rows.ts';

/** A comment that is being written. */
interface CommentDraft {
  readonly row: HunkRow;
  readonly text: string;
  /** Why it was not taken; empty: it was not sent yet. */
  readonly refused: string;
}

/** The comment on a change that the person writes; there is one at a time. */
export class ChangeComment {
  readonly draft: Signal<CommentDraft | undefined> = signal(undefined);
  readonly #host: HostRequests;
  readonly #announcement: Signal<string>;
  readonly #backTo: (row: HunkRow) => void;

  /**
   * @param announcement words for a screen reader
   * @param backTo moves the focus to where the comment was begun
   */
  constructor(host: HostRequests, announcement: Signal<string>, backTo: (row: HunkRow) => void) {
    this.#host = host;
    this.#announcement = announcement;
    this.#backTo = backTo;
  }

  /** Begins a comment; one that is being written stays with its change. */
  begin(row: ActiveRow): void {
    if (row.type !== 'hunk' || (this.draft.peek()?.text ?? '') !== '') return;
    this.draft.value = { row, text: '', refused: '' };
  }

  write(text: string): void {
    const draft = this.draft.peek();
    if (draft !== undefined) this.draft.value = { ...draft, text };
  }

  giveUp(): void {
    const draft = this.draft.peek();
    this.draft.value = undefined;
    if (draft !== undefined) this.#backTo(draft.row);
  }

  /** Sends the comment to the agent that made the change; it stays when it is not taken. */
  async send(): Promise<void> {
    const draft = this.draft.peek();
    if (draft === undefined || draft.text.trim() === '') return;
    const { path } = draft.row.file;
    const about = { path, hunkId: draft.row.hunk.id };
    const answer = await this.#host.attempt('commentOnChange', { ...about, text: draft.text });
    if ('refused' in answer) {
      this.draft.value = { ...draft, refused: answer.refused };
      this.#announcement.value = answer.refused;
      return;
    }
    this.giveUp();
    this.#announcement.value = l10n.t('The comment on {0} went to the agent.', nameOf(draft.row));
  }
}
