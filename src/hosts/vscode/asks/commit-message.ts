import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ModelCallContext } from '../../../core/model-call/model-call.ts';
import type { CommitMessageRequest } from '../../../core/context/commit-message.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import type { Tool } from '../../../core/tool-call/tool-call.ts';
import type { ResultContent } from '../../../domain/message.ts';
import { fault } from '../../../domain/failure.ts';
import { told, verbatim } from '../../../domain/text/told.ts';
import { pathBelow } from '../../../domain/paths.ts';
import { signalOf } from '../extension-tools/cancellation.ts';

/** A repository of VS Code's git extension, as far as it is used here. */
export interface CommitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly CommitRepository[] };
}

export interface CommitMessageParts {
  /** The changes of a repository and the style of its messages, as the git tool tells them: masked, without secret files. */
  readonly changes: (root: string, sessionId: string) => Promise<readonly ResultContent[]>;
  readonly write: (
    request: CommitMessageRequest,
    context: Omit<ModelCallContext, 'purpose'>,
  ) => Promise<string>;
  /** Of the session that the costs count for; empty: none. */
  readonly sessionId: () => string;
}

/** Writes commit messages into the input of a repository. */
export class CommitMessages {
  readonly #parts: CommitMessageParts;
  /** Repositories in which one is being written, by their folder. */
  readonly #busy = new Set<string>();

  constructor(parts: CommitMessageParts) {
    this.#parts = parts;
  }

  /** @param clicked the source control whose button was pressed; absent: the person is asked where there are several */
  async ask(clicked: unknown): Promise<void> {
    const repository = await repositoryMeant(clicked);
    if (repository === undefined) return;
    const typed = repository.inputBox.value;
    const kept = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Belay writes a commit message'),
        cancellable: true,
      },
      async (_, token) => {
        const stop = signalOf(token);
        return this.write(repository, stop.signal).finally(() => stop.dispose());
      },
    );
    if (kept && typed.trim() !== '') void offerBack(repository, typed);
  }

  /**
   * Streams a message into the input. What was typed there comes back when it fails or is stopped; what is typed meanwhile
   * stays, and nothing more is written. Rejects with `BelayError`.
   * @returns true when the whole message is in the input
   */
  async write(repository: CommitRepository, stop: AbortSignal): Promise<boolean> {
    const { changes, write, sessionId } = this.#parts;
    const { inputBox, rootUri } = repository;
    const root = rootUri.fsPath;
    if (this.#busy.has(root)) throw fault('busy', told`A message is being written there already.`);
    this.#busy.add(root);
    const typed = inputBox.value;
    let last = typed;
    let whole = false;
    const overtaken = new AbortController();
    const signal = AbortSignal.any([stop, overtaken.signal]);
    const show = (text: string): void => {
      if (inputBox.value !== last) overtaken.abort();
      if (signal.aborted) return;
      inputBox.value = text;
      // The editor may keep it in a form of its own.
      last = inputBox.value;
    };
    try {
      const id = sessionId();
      const content = await changes(root, id);
      const about = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      const said = /^(?:What is staged:|Nothing is staged\. What has changed:)\n(?<first>.*)/u.exec(
        about,
      );
      if (said === null) throw fault('tool', verbatim(about));
      if (said.groups?.['first'] === 'No changes.')
        throw fault(
          'not_found',
          told`There is nothing to describe in ${root}: new files count once they are staged.`,
        );
      const context = { signal, sessionId: id, runId: '', emit: () => undefined };
      show(await write({ about, typed, onText: show }, context));
      whole = !signal.aborted;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      if (!whole && inputBox.value === last) inputBox.value = typed;
      this.#busy.delete(root);
    }
    return whole;
  }
}

/** Reads a repository that the person chose, wherever in the workspace or above it that is. */
export function readChanges(engine: {
  readonly mentions: Pick<MentionReader, 'bySource'>;
  readonly tools: { readonly named: (name: string) => Promise<Tool | undefined> };
}): CommitMessageParts['changes'] {
  return async (root, sessionId) => {
    // It is not offered where the workspace itself is no repository; this one may lie below it.
    const git = await engine.tools.named('git');
    if (git === undefined) throw fault('config', told`No git repository is open here.`);
    const input = { action: 'message', path: root };
    return engine.mentions.bySource('git', async (context) => git.run(input, context), sessionId);
  };
}

async function offerBack({ inputBox }: CommitRepository, typed: string): Promise<void> {
  const back = l10n.t('Bring It Back');
  const chosen = await vscode.window.showInformationMessage(
    l10n.t('The commit message was written. What you had typed there was replaced.'),
    back,
  );
  if (chosen === back) inputBox.value = typed;
}

async function repositoryMeant(clicked: unknown): Promise<CommitRepository | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const git = extension?.isActive === true ? extension.exports : await extension?.activate();
  const all = git?.enabled === true ? git.getAPI(1).repositories : [];
  const root = rootOf(clicked);
  const meant = all.find(({ rootUri }) => rootUri.toString() === root);
  const [only, ...others] = all;
  if (meant !== undefined || (others.length === 0 && only !== undefined)) return meant ?? only;
  if (only === undefined) throw fault('not_found', told`No git repository is open here.`);
  const file = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
  const chosen = await vscode.window.showQuickPick(
    all
      .toSorted((a, b) => Number(isIn(b, file)) - Number(isIn(a, file)))
      .map((repository) => ({
        label: vscode.workspace.asRelativePath(repository.rootUri),
        repository,
      })),
    { title: l10n.t('Belay: Write Commit Message'), placeHolder: l10n.t('Of which repository?') },
  );
  return chosen?.repository;
}

const isIn = ({ rootUri }: CommitRepository, file: string): boolean =>
  pathBelow(rootUri.fsPath, file) !== undefined;

function rootOf(clicked: unknown): string | undefined {
  if (typeof clicked !== 'object' || clicked === null || !('rootUri' in clicked)) return undefined;
  return clicked.rootUri instanceof vscode.Uri ? clicked.rootUri.toString() : undefined;
}
