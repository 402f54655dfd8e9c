import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands.ts';

const FIX: CommandId = 'belay.fix';
const EXPLAIN: CommandId = 'belay.explain';

/** A place in a file and the problems there, as the commands of code actions take them. */
export interface ProblemArgument {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

/** Code actions for problems and selections. Nothing is loaded for them, and nothing looked for: the commands do that. */
export class ProblemActions implements vscode.CodeActionProvider {
  static readonly kinds: readonly vscode.CodeActionKind[] = [
    vscode.CodeActionKind.QuickFix,
    vscode.CodeActionKind.RefactorRewrite,
  ];

  provideCodeActions(
    { uri }: Pick<vscode.TextDocument, 'uri'>,
    range: vscode.Range,
    { diagnostics, only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const given: ProblemArgument = { uri, range, diagnostics };
    const wants = (kind: vscode.CodeActionKind): boolean => only?.contains(kind) ?? true;
    if (diagnostics.length > 0 && wants(vscode.CodeActionKind.QuickFix))
      return [
        action(l10n.t('Fix with Belay'), vscode.CodeActionKind.QuickFix, FIX, given),
        action(l10n.t('Explain with Belay'), vscode.CodeActionKind.QuickFix, EXPLAIN, given),
      ];
    if (diagnostics.length > 0 || range.isEmpty || !wants(vscode.CodeActionKind.RefactorRewrite))
      return [];
    const kind = vscode.CodeActionKind.RefactorRewrite;
    return [action(l10n.t('Explain with Belay'), kind, EXPLAIN, given)];
  }
}

function action(
  title: string,
  kind: vscode.CodeActionKind,
  command: CommandId,
  argument: ProblemArgument,
): vscode.CodeAction {
  const made = new vscode.CodeAction(title, kind);
  made.command = { title, command, arguments: [argument] };
  if (kind.value === vscode.CodeActionKind.QuickFix.value)
    made.diagnostics = [...argument.diagnostics];
  return made;
}
