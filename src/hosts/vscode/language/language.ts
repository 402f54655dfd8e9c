import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type {
  ActionRequest,
  CodeAction,
  Declaration,
  FileChange,
  Language,
  Place,
  ProblemReport,
  ProblemRequest,
  Related,
  Relation,
} from '../../../core/ports/editor/language.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { actionsAt } from './actions.ts';
import {
  calleeOf,
  callerOf,
  fileChanges,
  hoverText,
  informationOf,
  outlineOf,
  positionOf,
  relatedOf,
} from './convert.ts';
import { currentDocument } from './documents.ts';
import { within } from '../../../window/language-patience.ts';
import { Problems } from './problems.ts';
import { isServed, Readiness } from './readiness.ts';

/** Milliseconds that one answer of a server may take. */
const ANSWER_WITHIN = 20_000;
/** Declarations taken of one query of the workspace. */
const MOST_SYMBOLS = 500;
/** A file by which the servers of a workspace are woken: they know nothing before one was opened. */
const SOURCES = '**/*.{ts,tsx,js,jsx,mjs,py,go,rs,java,cs,c,cc,cpp,php,rb,kt,swift}';

const COMMANDS = {
  definition: 'vscode.executeDefinitionProvider',
  type_definition: 'vscode.executeTypeDefinitionProvider',
  implementations: 'vscode.executeImplementationProvider',
  references: 'vscode.executeReferenceProvider',
} as const;

type Locations = readonly (vscode.Location | vscode.LocationLink)[];

/** The language servers that extensions of VS Code bring, through VS Code's own commands. */
export class EditorLanguage implements Language, Disposable {
  readonly #ready = new Readiness();
  readonly #problems = new Problems(this.#ready);

  dispose(): void {
    this.#problems.dispose();
  }

  problems(request: ProblemRequest, signal: AbortSignal): Promise<ProblemReport> {
    return this.#problems.report(request, signal);
  }

  async outline(path: string, signal: AbortSignal): Promise<readonly Declaration[]> {
    const document = await currentDocument(path, signal);
    const ask = () =>
      vscode.commands.executeCommand<
        readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
      >('vscode.executeDocumentSymbolProvider', document.uri);
    const found = outlineOf(document.uri, await this.#ready.ask(document, ask, signal));
    return found.toSorted((left, right) => left.line - right.line || left.depth - right.depth);
  }

  async symbols(query: string, signal: AbortSignal): Promise<readonly Declaration[]> {
    await this.#wake(signal);
    const found = await within(
      ANSWER_WITHIN,
      vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      ),
      signal,
    );
    return (found ?? [])
      .filter(({ location }) => location.uri.scheme === 'file')
      .slice(0, MOST_SYMBOLS)
      .map(informationOf);
  }

  async related(
    relation: Relation,
    place: Place,
    signal: AbortSignal,
  ): Promise<readonly Related[]> {
    const document = await currentDocument(place.path, signal);
    const position = positionOf(place);
    if (relation === 'callers' || relation === 'callees')
      return this.#calls(relation, { document, position }, signal);
    const ask = () =>
      vscode.commands.executeCommand<Locations | undefined>(
        COMMANDS[relation],
        document.uri,
        position,
      );
    return relatedOf(await this.#ready.ask(document, ask, signal));
  }

  async hover(place: Place, signal: AbortSignal): Promise<string> {
    const document = await currentDocument(place.path, signal);
    const ask = () =>
      vscode.commands.executeCommand<readonly vscode.Hover[] | undefined>(
        'vscode.executeHoverProvider',
        document.uri,
        positionOf(place),
      );
    return hoverText(await this.#ready.ask(document, ask, signal));
  }

  async rename(place: Place, newName: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    const document = await currentDocument(place.path, signal);
    await this.#ready.of(document, signal);
    const edit = await within(
      ANSWER_WITHIN,
      vscode.commands
        .executeCommand<vscode.WorkspaceEdit | undefined>(
          'vscode.executeDocumentRenameProvider',
          document.uri,
          positionOf(place),
          newName,
        )
        .then(undefined, (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          const message = told`The language server does not rename this: ${reason} Nothing was changed.`;
          throw fault('invalid', message);
        }),
      signal,
    );
    if (edit === undefined) return [];
    const changes = fileChanges(edit);
    if (changes !== undefined) return changes;
    const message = told`This rename moves files as well, which cannot be shown as an edit. Nothing was changed. Ask the person to rename it in the editor.`;
    throw fault('invalid', message);
  }

  actions(request: ActionRequest, signal: AbortSignal): Promise<readonly CodeAction[]> {
    return actionsAt(request, this.#ready, signal);
  }

  async served(path: string): Promise<{ readonly language: string; readonly served: boolean }> {
    const { languageId } = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    return { language: languageId, served: isServed(languageId) };
  }

  async #calls(
    relation: 'callers' | 'callees',
    {
      document,
      position,
    }: { readonly document: vscode.TextDocument; readonly position: vscode.Position },
    signal: AbortSignal,
  ): Promise<readonly Related[]> {
    const prepare = () =>
      vscode.commands.executeCommand<readonly vscode.CallHierarchyItem[] | undefined>(
        'vscode.prepareCallHierarchy',
        document.uri,
        position,
      );
    const [item] = await this.#ready.ask(document, prepare, signal);
    if (item === undefined) return [];
    if (relation === 'callers') {
      const calls = await within(
        ANSWER_WITHIN,
        vscode.commands.executeCommand<readonly vscode.CallHierarchyIncomingCall[] | undefined>(
          'vscode.provideIncomingCalls',
          item,
        ),
        signal,
      );
      return (calls ?? []).flatMap(callerOf);
    }
    const calls = await within(
      ANSWER_WITHIN,
      vscode.commands.executeCommand<readonly vscode.CallHierarchyOutgoingCall[] | undefined>(
        'vscode.provideOutgoingCalls',
        item,
      ),
      signal,
    );
    return (calls ?? []).flatMap(calleeOf);
  }

  /** Opens one source file, so that there is a server to ask. */
  async #wake(signal: AbortSignal): Promise<void> {
    if (!this.#ready.untouched) return;
    const [source] = await vscode.workspace.findFiles(
      SOURCES,
      '**/{node_modules,dist,out,build}/**',
      1,
    );
    if (source !== undefined)
      await this.#ready.of(await currentDocument(source.fsPath, signal), signal);
  }
}
