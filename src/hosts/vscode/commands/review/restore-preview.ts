import * as vscode from 'vscode';
import { ContextKeys } from '../../status-bar/context-keys.ts';

/** `choose`: the user wants to choose among the files that a restore leaves. */
type Answer = 'restore' | 'choose' | 'cancel';

const keys = new ContextKeys();

/** The preview on screen; there is one at a time. */
let current: RestorePreviewTab | undefined;

/** Answers the preview on screen, as the buttons in its title do. */
export const answerPreview = (answer: Answer): void => current?.answer(answer);

/** The tab with the diffs of a restore. Its title bar has the answers; closing it cancels. */
export class RestorePreviewTab {
  readonly #title: string;
  readonly #hasChoice: boolean;
  readonly #following: vscode.Disposable;
  #answered = Promise.withResolvers<Answer>();
  #wasOpen = false;

  private constructor(title: string, hasChoice: boolean) {
    this.#title = title;
    this.#hasChoice = hasChoice;
    this.#following = vscode.window.tabGroups.onDidChangeTabs(() => this.#follow());
  }

  /**
   * Opens the preview and cancels one that is open.
   * @param resources as the command `vscode.changes` takes them
   * @param hasChoice true when there are files to choose from
   */
  static async open(
    title: string,
    resources: readonly unknown[],
    hasChoice: boolean,
  ): Promise<RestorePreviewTab> {
    await current?.close();
    const preview = new RestorePreviewTab(title, hasChoice);
    current = preview;
    preview.#follow();
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    // A file that is opened next would take the place of the preview.
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    preview.#follow();
    return preview;
  }

  /** Resolves with the next answer. */
  async next(): Promise<Answer> {
    const answer = await this.#answered.promise;
    if (answer !== 'cancel') this.#answered = Promise.withResolvers<Answer>();
    return answer;
  }

  answer(answer: Answer): void {
    this.#answered.resolve(answer);
  }

  async close(): Promise<void> {
    this.#following.dispose();
    this.answer('cancel');
    if (current !== this) return;
    current = undefined;
    keys.set('restorePreview', '');
    const tab = this.#find();
    if (tab !== undefined) await vscode.window.tabGroups.close(tab, true);
  }

  #follow(): void {
    const tab = this.#find();
    if (tab === undefined && this.#wasOpen) this.answer('cancel');
    this.#wasOpen ||= tab !== undefined;
    const shown = this.#hasChoice ? 'choice' : 'plain';
    keys.set('restorePreview', tab?.isActive === false ? '' : shown);
  }

  /** The stable API tells of a tab with several diffs only its label, which begins with the title. */
  #find(): vscode.Tab | undefined {
    return vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ label, input }) => !isOneFile(input) && label.startsWith(this.#title));
  }
}

const isOneFile = (input: unknown): boolean =>
  input instanceof vscode.TabInputText || input instanceof vscode.TabInputTextDiff;
