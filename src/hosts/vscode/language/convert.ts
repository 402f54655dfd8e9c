import * as vscode from 'vscode';
import type {
  Declaration,
  FileChange,
  Place,
  Related,
  Severity,
  TextChange,
} from '../../../core/ports/editor/language.ts';

/** Where VS Code counts from 0 the port counts from 1. */
export function positionOf({ line, column }: Place): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}

function placeAt(uri: vscode.Uri, { line, character }: vscode.Position): Place {
  return { path: uri.fsPath, line: line + 1, column: character + 1 };
}

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, Severity>> = {
  0: 'error',
  1: 'warning',
  2: 'information',
  3: 'hint',
};

export function severityOf(severity: vscode.DiagnosticSeverity): Severity {
  return SEVERITIES[severity];
}

/** Only files on disk: what else a provider names (a commit, an archive) no tool can open. */
export function relatedOf(
  found: readonly (vscode.Location | vscode.LocationLink)[],
): readonly Related[] {
  return found
    .map((one) =>
      'targetUri' in one
        ? { uri: one.targetUri, range: one.targetSelectionRange ?? one.targetRange }
        : one,
    )
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri, range }) => placeAt(uri, range.start));
}

/** A call from each place in a caller; a callee once. */
export function callerOf({
  from,
  fromRanges,
}: vscode.CallHierarchyIncomingCall): readonly Related[] {
  if (from.uri.scheme !== 'file') return [];
  return fromRanges.map((range) => ({ ...placeAt(from.uri, range.start), name: from.name }));
}

export function calleeOf({ to }: vscode.CallHierarchyOutgoingCall): readonly Related[] {
  if (to.uri.scheme !== 'file') return [];
  return [{ ...placeAt(to.uri, to.selectionRange.start), name: to.name }];
}

/** The tree as a list, each with its depth. */
export function outlineOf(
  uri: vscode.Uri,
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  { depth = 0, container = '' } = {},
): readonly Declaration[] {
  return symbols.flatMap((symbol): readonly Declaration[] => {
    if (!('selectionRange' in symbol)) return [informationOf(symbol)];
    const { name, kind, selectionRange, children } = symbol;
    const own = {
      ...placeAt(uri, selectionRange.start),
      name,
      kind: kindOf(kind),
      container,
      depth,
    };
    return [own, ...outlineOf(uri, children, { depth: depth + 1, container: name })];
  });
}

export function informationOf({
  name,
  kind,
  containerName,
  location,
}: vscode.SymbolInformation): Declaration {
  const container = containerName ?? '';
  return {
    ...placeAt(location.uri, location.range.start),
    name,
    kind: kindOf(kind),
    container,
    depth: 0,
  };
}

function kindOf(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ').toLowerCase();
}

export function hoverText(hovers: readonly vscode.Hover[]): string {
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => {
      if (typeof content === 'string') return content;
      return 'language' in content
        ? `\`\`\`${content.language}\n${content.value}\n\`\`\``
        : content.value;
    })
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Text changes of an edit. `undefined`: it does more than change text (it renames or deletes files, or wants the person
 * to type), which cannot be shown and judged as text.
 */
export function fileChanges(edit: vscode.WorkspaceEdit): readonly FileChange[] | undefined {
  if (movesFiles(edit)) return undefined;
  const changes: FileChange[] = [];
  for (const [uri, edits] of edit.entries()) {
    if (uri.scheme !== 'file') return undefined;
    const texts = edits.map(textChange);
    if (texts.some((one) => one === undefined)) return undefined;
    changes.push({ path: uri.fsPath, edits: texts.filter((one) => one !== undefined) });
  }
  return changes.filter(({ edits }) => edits.length > 0);
}

function textChange(edit: vscode.TextEdit): TextChange | undefined {
  // A snippet, whose holes the person fills, comes as an edit without a text.
  if (typeof edit.newText !== 'string') return undefined;
  const { start, end } = edit.range;
  return {
    line: start.line + 1,
    column: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
    text: edit.newText,
  };
}

/** The edits of a workspace edit that are not text, which its public members do not tell. */
function movesFiles(edit: vscode.WorkspaceEdit): boolean {
  const entries: unknown = Reflect.get(edit, '_allEntries');
  const list: unknown =
    typeof entries === 'function' ? Reflect.apply(entries, edit, []) : undefined;
  if (!Array.isArray(list)) return false;
  // A file that is created shows in the text that is put in it.
  return list.some(
    (one: unknown) =>
      typeof one === 'object' && one !== null && 'from' in one && one.from !== undefined,
  );
}
