import * as vscode from 'vscode';
import type { Problem } from '../../../core/ports/editor/language.ts';
import { within } from '../../../window/language-patience.ts';

const FLAVOURS: Readonly<Record<string, 'typescript' | 'javascript'>> = {
  typescript: 'typescript',
  typescriptreact: 'typescript',
  javascript: 'javascript',
  javascriptreact: 'javascript',
};

/** Sources that VS Code's own TypeScript extension names in its diagnostics. */
export const TYPESCRIPT_SOURCES: ReadonlySet<string> = new Set(['ts', 'js']);

/** One diagnostic as the TypeScript server sends it. */
interface ServerDiagnostic {
  readonly start: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code?: number;
  readonly category: string;
  readonly source?: string;
}

/**
 * Asks the TypeScript server about a file directly: it publishes nothing about files that are in no tab, and never says
 * when it is done. `undefined`: it does not know the file, or has no answer in time.
 */
export async function typeScriptProblems(
  document: vscode.TextDocument,
  waitMs: number,
  signal: AbortSignal,
): Promise<readonly Problem[] | undefined> {
  const flavour = FLAVOURS[document.languageId];
  if (flavour === undefined) return undefined;
  const validates = vscode.workspace
    .getConfiguration(flavour, document.uri)
    .get<boolean>('validate.enable', true);
  if (!validates) return undefined;
  const source = flavour === 'typescript' ? 'ts' : 'js';
  const [syntactic, semantic] = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((command) =>
      within(waitMs, ask(command, document.uri), signal),
    ),
  );
  if (syntactic === undefined || semantic === undefined) return undefined;
  return [...syntactic, ...semantic].map((one) => ({
    path: document.uri.fsPath,
    line: one.start.line,
    column: one.start.offset,
    severity: one.category === 'error' ? 'error' : one.category === 'warning' ? 'warning' : 'hint',
    message: one.text,
    source: one.source ?? source,
    code: one.code === undefined ? '' : String(one.code),
  }));
}

async function ask(
  command: string,
  file: vscode.Uri,
): Promise<readonly ServerDiagnostic[] | undefined> {
  try {
    const response = await vscode.commands.executeCommand<
      { readonly success?: boolean; readonly body?: readonly ServerDiagnostic[] } | undefined
    >('typescript.tsserverRequest', command, { file });
    return response?.success === false ? undefined : response?.body;
  } catch {
    // The extension is not there, or its server has just ended.
    return undefined;
  }
}
