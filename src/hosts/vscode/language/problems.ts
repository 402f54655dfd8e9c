import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type {
  Problem,
  ProblemReport,
  ProblemRequest,
} from '../../../core/ports/editor/language.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import { severityOf } from './convert.ts';
import { currentDocument, isCurrent } from './documents.ts';
import { pause } from '../../../window/language-patience.ts';
import { type Readiness, isServed } from './readiness.ts';
import { TYPESCRIPT_SOURCES, typeScriptProblems } from './type-script-problems.ts';

/** Milliseconds without a word after which what was published about a file counts as all. */
const QUIET = 200;
/** Files asked about at the same time. */
const TOGETHER = 8;
/** After so many waits without a word a language that never spoke is not waited for any more. */
const VAIN_WAITS = 2;

/** Diagnostics: what servers have published, and whether they have spoken about a file as it is now. */
export class Problems implements Disposable {
  readonly #lifetime = new Lifetime();
  readonly #ready: Readiness;
  /** When servers last spoke about a document, and when it last changed; `performance.now()`. */
  readonly #spoke = new Map<string, number>();
  readonly #changed = new Map<string, number>();
  readonly #vain = new Map<string, number>();

  constructor(ready: Readiness) {
    this.#ready = ready;
    const now = (): number => performance.now();
    this.#lifetime.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#spoke.set(uri.toString(), now());
      }),
    );
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#changed.set(document.uri.toString(), now());
      }),
    );
    this.#lifetime.add(
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#changed.set(uri.toString(), now())),
    );
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#changed.delete(uri.toString());
        this.#spoke.delete(uri.toString());
      }),
    );
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async report({ paths, waitMs }: ProblemRequest, signal: AbortSignal): Promise<ProblemReport> {
    if (paths === undefined) return { problems: sorted(published()), unanswered: [] };
    const problems: Problem[] = [];
    const unanswered: string[] = [];
    const waiting = paths.values();
    const worker = async (): Promise<void> => {
      for (const path of waiting) {
        const found = await this.#of(path, waitMs, signal);
        problems.push(...found.problems);
        if (!found.answered) unanswered.push(path);
      }
    };
    await Promise.all(Array.from({ length: Math.min(TOGETHER, paths.length) }, worker));
    return { problems: sorted(problems), unanswered };
  }

  async #of(
    path: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly problems: readonly Problem[]; readonly answered: boolean }> {
    const until = performance.now() + waitMs;
    const document = await currentDocument(path, signal, waitMs);
    const left = (): number => Math.max(0, until - performance.now());
    const known = (): readonly Problem[] => publishedOf(document.uri);
    await Promise.race([this.#ready.of(document, signal), pause(left(), signal)]);
    const direct = await typeScriptProblems(document, left(), signal);
    if (direct !== undefined) {
      const others = known().filter(({ source }) => !TYPESCRIPT_SOURCES.has(source));
      return { problems: [...direct, ...others], answered: await isCurrent(document) };
    }
    const answered = await this.#spoken(document, left, signal);
    return { problems: known(), answered };
  }

  /** Waits until servers have spoken about the document since it changed; false: they have not. */
  async #spoken(
    document: vscode.TextDocument,
    left: () => number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { languageId } = document;
    const key = document.uri.toString();
    if (!isServed(languageId) || (this.#vain.get(languageId) ?? 0) >= VAIN_WAITS)
      return this.#isFresh(key);
    while (!this.#isFresh(key) || performance.now() - (this.#spoke.get(key) ?? 0) < QUIET) {
      if (left() === 0) break;
      await pause(Math.min(50, left()), signal);
    }
    const fresh = this.#isFresh(key);
    const vain = fresh ? Number.NEGATIVE_INFINITY : (this.#vain.get(languageId) ?? 0) + 1;
    this.#vain.set(languageId, vain);
    return fresh;
  }

  #isFresh(key: string): boolean {
    const spoke = this.#spoke.get(key);
    return spoke !== undefined && spoke >= (this.#changed.get(key) ?? 0);
  }
}

function published(): readonly Problem[] {
  return vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.scheme === 'file')
    .flatMap(([uri, found]) => found.map((one) => problemOf(uri, one)));
}

function publishedOf(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).map((one) => problemOf(uri, one));
}

function problemOf(
  uri: vscode.Uri,
  { range, severity, message, source = '', code = '' }: vscode.Diagnostic,
): Problem {
  return {
    path: uri.fsPath,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severityOf(severity),
    message,
    source,
    code: String(typeof code === 'object' ? code.value : code),
  };
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted(
    (left, right) =>
      (left.path < right.path ? -1 : left.path > right.path ? 1 : 0) ||
      left.line - right.line ||
      left.column - right.column,
  );
}
