import * as vscode from 'vscode';
import { throwIfAborted } from '../../../domain/lifetime/abort.ts';
import { pause, within } from '../../../window/language-patience.ts';

/** Milliseconds that a server may take to start before its answers are taken as they are. */
const STARTING = 10_000;
/** Milliseconds after its first use in which an empty answer of a server may mean that it is not ready. */
const YOUNG = 5000;

/** Which servers are up: an answer of one that still reads the project is worse than none. */
export class Readiness {
  readonly #warm = new WeakMap<vscode.TextDocument, Promise<unknown>>();
  readonly #firstUse = new Map<string, number>();

  /** Nothing was asked of any server yet. */
  get untouched(): boolean {
    return this.#firstUse.size === 0;
  }

  /** Resolves when the servers of a document have read its project, or have had long enough. */
  async of(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
    const known = this.#warm.get(document);
    const warming = known ?? this.#start(document);
    if (known === undefined) this.#warm.set(document, warming);
    await within(STARTING, warming, signal);
  }

  /** Asks until there is an answer, for as long as the servers of the language are young. */
  async ask<Item>(
    document: vscode.TextDocument,
    question: () => Thenable<readonly Item[] | undefined>,
    signal: AbortSignal,
  ): Promise<readonly Item[]> {
    await this.of(document, signal);
    for (;;) {
      throwIfAborted(signal);
      const answer = (await within(STARTING, question(), signal)) ?? [];
      const age = performance.now() - (this.#firstUse.get(document.languageId) ?? 0);
      if (answer.length > 0 || age > YOUNG || !isServed(document.languageId)) return answer;
      await pause(250, signal);
    }
  }

  async #start(document: vscode.TextDocument): Promise<void> {
    const { languageId, uri } = document;
    if (!this.#firstUse.has(languageId)) this.#firstUse.set(languageId, performance.now());
    await Promise.allSettled(extensionsFor(languageId).map((extension) => extension.activate()));
    // Only a server that has read the project can answer this one; others answer from a single file.
    await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(0, 0, 0, 0),
    );
  }
}

/** True when an installed extension says that it serves the language. */
export function isServed(languageId: string): boolean {
  return extensionsFor(languageId).length > 0;
}

function extensionsFor(languageId: string): readonly vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ packageJSON }) => {
    const { activationEvents } = packageJSON as { readonly activationEvents?: unknown };
    return Array.isArray(activationEvents) && activationEvents.includes(`onLanguage:${languageId}`);
  });
}
