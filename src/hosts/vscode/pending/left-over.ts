import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { type FileReview, textOf } from '../../../core/review/model/file-review.ts';
import type { Reviews } from '../../../core/review/service/reviews.ts';
import { ShownTexts } from '../files/shown-texts.ts';
import { LEFT_OVER_SCHEME } from '../../../manifest/context-key-names.ts';
import type { ChangeFeed } from '../../../window/pending/change-feed.ts';
import { leftText } from '../../../domain/review/left-words.ts';
import { count } from '../../../domain/text/language.ts';

export interface LeftOverParts {
  readonly reviews: Reviews;
  readonly feed: ChangeFeed;
}

/** Ways on for pending changes whose file is missing. */
const ACTIONS = {
  show: l10n.t('Show What Was Pending'),
  keep: l10n.t('Keep as File…'),
  undo: l10n.t('Undo…'),
} as const;

/**
 * Tells the person once what an earlier window left: changes of files that are gone or are others by now, and an
 * interrupted decision. Until they decide, nothing of it is undone.
 */
export class LeftOver implements Disposable {
  readonly #parts: LeftOverParts;
  readonly #texts: ShownTexts;

  constructor(parts: LeftOverParts, scheme: string = LEFT_OVER_SCHEME) {
    this.#parts = parts;
    this.#texts = new ShownTexts(scheme);
  }

  /** Reviews that can only be shown. */
  get files(): readonly FileReview[] {
    const { decisions, pending } = this.#parts.reviews;
    return [
      ...decisions.offers.map(({ review }) => review),
      ...pending.filter(({ fileMissing }) => fileMissing),
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
      void vscode.window.showInformationMessage(
        l10n.t('No pending changes of earlier windows are left.'),
      );
      return;
    }
    const chosen = await this.#choose(files);
    if (chosen === undefined) return;
    const action = await vscode.window.showQuickPick(Object.values(ACTIONS), {
      title: l10n.t('Belay: What Was Pending in {0}', path.basename(chosen.path)),
    });
    await this.#act(chosen, action);
  }

  /** The agent's text beside the one before it, for reading. */
  async show(review: FileReview): Promise<void> {
    const side = (name: string, text: string): vscode.Uri =>
      this.#texts.add(review.path, name, text);
    const name = path.basename(review.path);
    await vscode.commands.executeCommand(
      'vscode.diff',
      side('before', shownText(review.baseline)),
      side('after', shownText(review.document)),
      l10n.t('{0} (Belay: What Was Pending)', name),
      { preview: false },
    );
  }

  dispose(): void {
    this.#texts.dispose();
  }

  async #choose(files: readonly FileReview[]): Promise<FileReview | undefined> {
    const [only] = files;
    if (files.length === 1) return only;
    const items = files.map((one) => ({
      label: path.basename(one.path),
      description: vscode.workspace.asRelativePath(one.path),
      detail: reasonOf(one),
      one,
    }));
    const title = l10n.t('Belay: What Was Pending in Files That Are Gone or Others');
    return (await vscode.window.showQuickPick(items, { title }))?.one;
  }

  async #tellFiles(): Promise<void> {
    const { files } = this;
    const [only] = files;
    if (only === undefined) return;
    if (files.length > 1) {
      const chosen = await vscode.window.showWarningMessage(
        l10n.t(
          'Belay had pending changes in {0} that are gone or are others by now. Nothing was undone.',
          count(files.length, 'file'),
        ),
        l10n.t('Choose What to Do…'),
      );
      if (chosen !== undefined) await this.ask();
      return;
    }
    const action = await vscode.window.showWarningMessage(
      l10n.t(
        'Belay had pending changes in {0}: {1} Nothing was undone.',
        vscode.workspace.asRelativePath(only.path),
        reasonOf(only),
      ),
      ...Object.values(ACTIONS),
    );
    await this.#act(only, action);
  }

  async #act(one: FileReview, action: string | undefined): Promise<void> {
    switch (action) {
      case ACTIONS.show:
        await this.show(one);
        return;
      case ACTIONS.keep:
        await this.#keep(one);
        return;
      case ACTIONS.undo:
        await this.#undo(one);
        return;
      default:
    }
  }

  async #keep(one: FileReview): Promise<void> {
    const text = textOf(one.document);
    if (text === undefined) {
      void vscode.window.showInformationMessage(
        l10n.t(
          'There is no text to keep: what was pending in {0} was no text, or its deletion.',
          path.basename(one.path),
        ),
      );
      return;
    }
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(one.path),
      title: l10n.t('Keep What Was Pending'),
    });
    if (target === undefined) return;
    await vscode.workspace.fs.writeFile(target, Buffer.from(text));
    await this.#drop(one);
    await vscode.window.showTextDocument(target);
  }

  async #undo(one: FileReview): Promise<void> {
    const name = vscode.workspace.asRelativePath(one.path);
    const sure = await vscode.window.showWarningMessage(
      l10n.t('Undo what was pending in {0}?', name),
      { modal: true, detail: l10n.t('The text is kept nowhere else.') },
      l10n.t('Undo'),
    );
    if (sure === l10n.t('Undo')) await this.#drop(one);
  }

  /** Of a file that is gone nothing is done to the disk. */
  async #drop(review: FileReview): Promise<void> {
    const { reviews } = this.#parts;
    const isOffer = reviews.decisions.offers.some((offer) => offer.review === review);
    if (isOffer) await reviews.decisions.forgetOffer(review.path);
    else await reviews.decisions.accept({ path: review.path });
  }

  async #tellInterrupted(): Promise<void> {
    const { reviews } = this.#parts;
    const { interrupted } = reviews.decisions;
    if (interrupted === undefined) return;
    const { decision, left, of } = interrupted;
    const name = decision === 'accept' ? l10n.t('Keep All') : l10n.t('Undo All');
    const chosen = await vscode.window.showWarningMessage(
      l10n.t(
        '{0} was interrupted after {1} of {2}. What is left is pending as it was.',
        name,
        of - left.length,
        count(of, 'file'),
      ),
      l10n.t('Continue'),
      l10n.t('Leave Pending'),
    );
    // Answered in another place meanwhile, or not at all: then it is asked again.
    if (chosen === undefined || reviews.decisions.interrupted === undefined) return;
    const {
      done,
      left: open,
      elsewhere,
      failed,
    } = await reviews.decisions.resolveInterrupted(chosen === l10n.t('Continue'));
    if (chosen !== l10n.t('Continue')) return;
    const [first] = failed;
    const others = elsewhere === 0 ? '' : `, ${l10n.t('{0} in another window', elsewhere)}`;
    if (open > 0) void vscode.window.showInformationMessage(leftText(open));
    void vscode.window.showInformationMessage(
      first === undefined
        ? l10n.t('{0}: {1} decided{2}, none is left of it.', name, count(done, 'file'), others)
        : l10n.t(
            '{0}: {1} decided{2}; {3} stay pending. {4}',
            name,
            count(done, 'file'),
            others,
            failed.length,
            first.reason,
          ),
    );
  }
}

function reasonOf({ fileMissing }: FileReview): string {
  return fileMissing ? l10n.t('the file is gone.') : l10n.t('it is another file by now.');
}

function shownText(content: FileReview['document']): string {
  switch (content.kind) {
    case 'text':
      return content.lines.join('\n');
    case 'absent':
      return '';
    case 'binary':
      return l10n.t('({0} bytes that are no text)', content.bytes);
    default:
      return content satisfies never;
  }
}
