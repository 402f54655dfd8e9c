import * as vscode from 'vscode';
import type { CellRun, Notebooks } from '../../../core/ports/editor/notebooks.ts';
import { isAbortError } from '../../../domain/lifetime/abort.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { pause } from '../../../window/language-patience.ts';
import { cellOutput } from './cell-output.ts';

/**
 * Milliseconds in which a kernel should have taken a cell. What kernels there are is not in VS Code's API:
 * where none is selected VS Code asks the person, and no cell starts.
 */
const STARTS_WITHIN = 20_000;
/** The extension that reads and writes the files, but runs nothing. */
const FILE_FORMAT = 'vscode.ipynb';

/** Notebooks through VS Code's own commands and documents. */
export class EditorNotebooks implements Notebooks {
  async available(): Promise<boolean> {
    if (!vscode.extensions.all.some(mayRunNotebooks)) return false;
    if (vscode.workspace.notebookDocuments.length > 0) return true;
    const [found] = await vscode.workspace.findFiles('**/*.ipynb', '**/node_modules/**', 1);
    return found !== undefined;
  }

  async source(path: string, number: number): Promise<string> {
    return cellAt(await opened(path), number).document.getText();
  }

  async run(path: string, number: number, signal: AbortSignal): Promise<CellRun> {
    const notebook = await opened(path);
    const wasDirty = notebook.isDirty;
    const cell = cellAt(notebook, number);
    await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: false });
    const watch = new CellWatch(cell);
    const place = {
      ranges: [{ start: number - 1, end: number }],
      document: notebook.uri,
      autoReveal: false,
    };
    try {
      const command = vscode.commands.executeCommand('notebook.cell.execute', place);
      if (!(await ranTo(watch, command, signal))) {
        // It must not run later either, when the person chooses a kernel after all.
        await vscode.commands.executeCommand('notebook.cell.cancelExecution', place);
        return { started: false, outputs: [] };
      }
    } catch (error) {
      if (isAbortError(error)) {
        await vscode.commands.executeCommand('notebook.cell.cancelExecution', place);
      }
      throw error;
    } finally {
      watch.dispose();
    }
    if (!wasDirty) await notebook.save();
    const { executionSummary, outputs } = cell;
    return {
      started: true,
      ...(executionSummary?.success === undefined ? {} : { success: executionSummary.success }),
      ...(executionSummary?.executionOrder === undefined
        ? {}
        : { order: executionSummary.executionOrder }),
      outputs: outputs.map(cellOutput),
    };
  }
}

/**
 * Waits for the end of the cell; `false`: no kernel has taken it. Where there is none, VS Code's command
 * waits for the person to choose one, and ends without a run when they do not.
 */
async function ranTo(
  watch: CellWatch,
  command: Thenable<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
  const ended = { at: Number.POSITIVE_INFINITY };
  const end = (): void => void (ended.at = performance.now());
  void command.then(end, end);
  const until = performance.now() + STARTS_WITHIN;
  while (!watch.ended) {
    await pause(25, signal);
    const now = performance.now();
    if (!watch.started && now > until) return false;
    // A kernel's work is told a moment after the command has ended.
    if (!watch.taken && now > ended.at + 1000) return false;
  }
  return true;
}

/** Follows one run of a cell. */
class CellWatch implements vscode.Disposable {
  /** A kernel has left a mark on it. */
  taken = false;
  ended = false;
  readonly #listening: vscode.Disposable;
  #states = 0;

  constructor(cell: vscode.NotebookCell) {
    const before = cell.executionSummary?.executionOrder;
    this.#listening = vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
      if (notebook !== cell.notebook) return;
      for (const { cell: changed, executionSummary, outputs } of cellChanges) {
        if (changed !== cell) continue;
        if (executionSummary !== undefined) this.#states += 1;
        const { executionOrder, success, timing } = executionSummary ?? {};
        // While it runs a cell has no success and no time of its end.
        if (success !== undefined || timing !== undefined) this.ended = true;
        this.taken ||= this.ended || outputs !== undefined;
        this.taken ||= executionOrder !== undefined && executionOrder !== before;
      }
    });
  }

  /** It is said to wait first, whether there is a kernel or not; what comes next is the run. */
  get started(): boolean {
    return this.taken || this.#states > 1;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

async function opened(path: string): Promise<vscode.NotebookDocument> {
  try {
    return await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault(
      'invalid',
      told`${path} cannot be opened as a notebook: ${reason}. Nothing was run.`,
    );
  }
}

function cellAt(notebook: vscode.NotebookDocument, number: number): vscode.NotebookCell {
  const file = notebook.uri.fsPath;
  if (number > notebook.cellCount) {
    const message = told`${file} has ${notebook.cellCount} cells; there is no cell ${number}. Nothing was run.`;
    throw fault('invalid', message);
  }
  const cell = notebook.cellAt(number - 1);
  if (cell.kind === vscode.NotebookCellKind.Code) return cell;
  const message = told`Cell ${number} of ${file} is text, not code. Nothing was run.`;
  throw fault('invalid', message);
}

function mayRunNotebooks({ id, packageJSON }: vscode.Extension<unknown>): boolean {
  const { activationEvents } = packageJSON as { readonly activationEvents?: unknown };
  return (
    id !== FILE_FORMAT &&
    Array.isArray(activationEvents) &&
    activationEvents.some((event) => typeof event === 'string' && event.startsWith('onNotebook:'))
  );
}
