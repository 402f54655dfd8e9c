import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';
import { textOf } from '../../../core/review/model/file-review.ts';
import type { PendingReview, Reviews } from '../../../core/review/service/reviews.ts';
import { ShownTexts } from '../files/shown-texts.ts';
import { LEFT_OVER_SCHEME } from '../../../manifest/context-key-names.ts';
import type { ChangeFeed } from '../../../window/pending/change-feed.ts';
import { count } from '../../../window/pending/change-words.ts';

export interface LeftOverParts {
  readonly reviews: Reviews;
  readonly feed: ChangeFeed;
}

/** Ways on for pending changes whose file is missing. */
const ACTIONS = {
  show: 'Show What Was Pending',
  keep: 'Keep as File…',
  forget: 'Forget…',
} as const;

/**
 * Tells the person once what an earlier window left: changes of files that are gone or are others by now, and an
 * interrupted decision. Until they decide, nothing of it is discarded.
 */
export class LeftOver implements Disposable {
  readonly #parts: LeftOverParts;
  readonly #texts: ShownTexts;

  constructor(parts: LeftOverParts, scheme: string = LEFT_OVER_SCHEME) {
    this.#parts = parts;
    this.#texts = new ShownTexts(scheme);
  }

  /** Reviews that can only be shown. */
  get files(): readonly PendingReview[] {
    const { decisions, pending } = this.#parts.reviews;
    return [
      ...decisions.offers.map(({ kind, offer }) => ({ kind, review: offer.review })),
      ...pending.filter(({ kind, review }) => kind === 'written' && review.fileMissing),
    ];
  }

  get count(): number {
    return this.files.length + (this.#parts.reviews.decisions.interrupted === undefined ? 0 : 1);
  }

  /** Tells of what is left, in one notification for each kind of it; resolves when they are answered. */
  async tell(): Promise<void> {
    await Promise.all([this.#tellInterrupted(), this.#tellFiles()]);
  }

  /** Asks what becomes of each file that is left, one after the other, as long as the person answers. */
  async ask(): Promise<void> {
    if (this.#parts.reviews.decisions.interrupted !== undefined) return this.#tellInterrupted();
    const { files } = this;
    if (files.length === 0) {
      void vscode.window.showInformationMessage('No pending changes of earlier windows are left.');
      return;
    }
    const chosen = await this.#choose(files);
    if (chosen === undefined) return;
    const action = await vscode.window.showQuickPick(Object.values(ACTIONS), {
      title: `Belay: What Was Pending in ${path.basename(chosen.review.path)}`,
    });
    await this.#act(chosen, action);
  }

  /** The proposed text beside the one without it, for reading. */
  async show({ kind, review }: PendingReview): Promise<void> {
    const side = (name: string, text: string): vscode.Uri =>
      this.#texts.add(review.path, `${kind}-${name}`, text);
    const name = path.basename(review.path);
    await vscode.commands.executeCommand(
      'vscode.diff',
      side('before', shownText(review.baseline)),
      side('after', shownText(review.document)),
      `${name} (Belay: What Was Pending)`,
      { preview: false },
    );
  }

  dispose(): void {
    this.#texts.dispose();
  }

  async #choose(files: readonly PendingReview[]): Promise<PendingReview | undefined> {
    const [only] = files;
    if (files.length === 1) return only;
    const items = files.map((one) => ({
      label: path.basename(one.review.path),
      description: vscode.workspace.asRelativePath(one.review.path),
      detail: reasonOf(one),
      one,
    }));
    const title = 'Belay: What Was Pending in Files That Are Gone or Others';
    return (await vscode.window.showQuickPick(items, { title }))?.one;
  }

  async #tellFiles(): Promise<void> {
    const { files } = this;
    const [only] = files;
    if (only === undefined) return;
    if (files.length > 1) {
      const chosen = await vscode.window.showWarningMessage(
        `Belay had pending changes in ${count(files.length, 'file')} that are gone or are others by now. Nothing was discarded.`,
        'Choose What to Do…',
      );
      if (chosen !== undefined) await this.ask();
      return;
    }
    const action = await vscode.window.showWarningMessage(
      `Belay had pending changes in ${vscode.workspace.asRelativePath(only.review.path)}: ${reasonOf(only)} Nothing was discarded.`,
      ...Object.values(ACTIONS),
    );
    await this.#act(only, action);
  }

  async #act(one: PendingReview, action: string | undefined): Promise<void> {
    switch (action) {
      case ACTIONS.show:
        await this.show(one);
        return;
      case ACTIONS.keep:
        await this.#keep(one);
        return;
      case ACTIONS.forget:
        await this.#forget(one);
        return;
      default:
    }
  }

  async #keep(one: PendingReview): Promise<void> {
    const text = textOf(one.review.document);
    if (text === undefined) {
      void vscode.window.showInformationMessage(
        `There is no text to keep: what was pending in ${path.basename(one.review.path)} was no text, or its deletion.`,
      );
      return;
    }
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(one.review.path),
      title: 'Keep What Was Pending',
    });
    if (target === undefined) return;
    await vscode.workspace.fs.writeFile(target, Buffer.from(text));
    await this.#drop(one);
    await vscode.window.showTextDocument(target);
  }

  async #forget(one: PendingReview): Promise<void> {
    const name = vscode.workspace.asRelativePath(one.review.path);
    const sure = await vscode.window.showWarningMessage(
      `Forget what was pending in ${name}?`,
      { modal: true, detail: 'The proposed text is kept nowhere else.' },
      'Forget',
    );
    if (sure === 'Forget') await this.#drop(one);
  }

  /** Of a file that is gone nothing is done to the disk. */
  async #drop({ kind, review }: PendingReview): Promise<void> {
    const { reviews } = this.#parts;
    const isOffer = reviews.decisions.offers.some(({ offer }) => offer.review === review);
    if (isOffer) await reviews.decisions.forgetOffer({ kind, path: review.path });
    else await reviews.decisions.accept({ kind, path: review.path });
  }

  async #tellInterrupted(): Promise<void> {
    const { reviews } = this.#parts;
    const { interrupted } = reviews.decisions;
    if (interrupted === undefined) return;
    const { decision, left, of } = interrupted;
    const name = decision === 'accept' ? 'Accept All' : 'Reject All';
    const chosen = await vscode.window.showWarningMessage(
      `${name} was interrupted after ${of - left.length} of ${count(of, 'file')}. What is left is pending as it was.`,
      'Continue',
      'Leave Pending',
    );
    // Answered in another place meanwhile, or not at all: then it is asked again.
    if (chosen === undefined || reviews.decisions.interrupted === undefined) return;
    const { done, elsewhere, failed } = await reviews.decisions.resolveInterrupted(
      chosen === 'Continue',
    );
    if (chosen !== 'Continue') return;
    const [first] = failed;
    const others = elsewhere === 0 ? '' : `, ${elsewhere} in another window`;
    void vscode.window.showInformationMessage(
      first === undefined
        ? `${name}: ${count(done, 'file')} decided${others}, none is left of it.`
        : `${name}: ${count(done, 'file')} decided${others}; ${failed.length} stay pending. ${first.reason}`,
    );
  }
}

function reasonOf({ review }: PendingReview): string {
  return review.fileMissing ? 'the file is gone.' : 'it is another file by now.';
}

function shownText(content: PendingReview['review']['document']): string {
  switch (content.kind) {
    case 'text':
      return content.lines.join('\n');
    case 'absent':
      return '';
    case 'binary':
      return `(${content.bytes} bytes that are no text)`;
    default:
      return content satisfies never;
  }
}
