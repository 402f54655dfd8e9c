import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TextEncodings } from '../../../core/ports/files/text-encodings.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { CodeApplier, type UnclearReplacement } from '../../../panel/code/apply-code.ts';
import { findFiles } from '../../../panel/code/find-files.ts';
import type { PanelCode } from '../../../panel/services.ts';
import type { WindowEngine } from '../commands/services.ts';
import type { DiagramTabs } from '../diagrams/diagram-tabs.ts';
import type { LinkParts } from '../../../panel/file-target.ts';
import { putIntoTerminal } from './terminal-text.ts';
import { count } from '../../../domain/text/language.ts';

interface WindowCodeParts {
  readonly engine: Pick<WindowEngine, 'files' | 'guard' | 'store'>;
  readonly encodings: TextEncodings | undefined;
  readonly links: LinkParts;
  readonly diagrams: Pick<DiagramTabs, 'open' | 'loadCode'>;
}

/** The ways of a code block into the window. */
export function windowCode({ engine, encodings, links, diagrams }: WindowCodeParts): PanelCode {
  const applier = new CodeApplier({
    files: engine.files,
    encodings,
    guard: engine.guard,
    roots: links.roots,
    ids: engine.store.ids,
    person: {
      chooseFile,
      confirmReplace,
      confirmProtected,
      show: async (path) => void (await vscode.window.showTextDocument(vscode.Uri.file(path))),
    },
  });
  const ways = { insert: insertAtCursor, open: openAsNew, terminal: putIntoTerminal } as const;
  return {
    find: async (paths) => findFiles(paths, links),
    use: async (how, text, info) => ways[how](text, info),
    diagram: async (text) => diagrams.open(text),
    loadDiagramCode: async () => diagrams.loadCode(),
    apply: async (block) => applier.apply(block),
  };
}

/** Puts a text where the cursor is, in the place of what is selected. */
async function insertAtCursor(text: string): Promise<void> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editor = activeTextEditor ?? visibleTextEditors[0];
  if (editor === undefined)
    throw fault('not_found', told`No editor is open to insert it into. Nothing was changed.`);
  const { document, selection } = editor;
  const done = await editor.edit((edit) => edit.replace(selection, text));
  if (!done)
    throw fault('permission', told`${document.fileName} cannot be edited. Nothing was changed.`);
  await vscode.window.showTextDocument(document, editor.viewColumn);
}

/** Names of languages as fences have them, where VS Code has others. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascriptreact',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  cs: 'csharp',
  'c++': 'cpp',
  kt: 'kotlin',
  md: 'markdown',
  yml: 'yaml',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  ps1: 'powershell',
  pwsh: 'powershell',
  docker: 'dockerfile',
  make: 'makefile',
};

async function openAsNew(content: string, info: string): Promise<void> {
  const name = /^[\w+#-]+/u.exec(info)?.[0].toLowerCase() ?? '';
  const language = LANGUAGES[name] ?? name;
  const known = await vscode.languages.getLanguages();
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(known.includes(language) ? { language } : {}),
  });
  await vscode.window.showTextDocument(document);
}

async function confirmProtected(shown: string, why: string): Promise<boolean> {
  const apply = l10n.t('Apply');
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('Change {0}?', shown),
    { modal: true, detail: why },
    apply,
  );
  return chosen === apply;
}

/** Files offered for a block. */
const MOST_OFFERED = 30;

async function chooseFile(likely: readonly string[]): Promise<string | undefined> {
  const open = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []))
    .filter(({ scheme }) => scheme === 'file')
    .map((uri) => vscode.workspace.asRelativePath(uri));
  const paths = [...new Set([...likely, ...open])].slice(0, MOST_OFFERED);
  const other = { label: l10n.t('$(new-file) Another or new file…'), path: undefined };
  const chosen = await vscode.window.showQuickPick(
    [...paths.map((path) => ({ label: path, path })), other],
    {
      title: l10n.t('Belay: Apply Code Block'),
      placeHolder: l10n.t('The file that becomes this block, as a pending change'),
    },
  );
  if (chosen === undefined || chosen.path !== undefined) return chosen?.path;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Belay: Apply Code Block'),
    prompt: l10n.t('Path of the file, from the folder of the workspace'),
    placeHolder: 'src/example.ts',
  });
  return typed?.trim() === '' ? undefined : typed?.trim();
}

async function confirmReplace({
  shown,
  lines,
  blockLines,
  leavesOut,
}: UnclearReplacement): Promise<'replace' | 'other' | undefined> {
  const sizes = [count(lines, 'line'), count(blockLines, 'line')];
  const [replace, other] = [l10n.t('Replace All'), l10n.t('Choose Another File…')];
  const chosen = await vscode.window.showWarningMessage(
    l10n.t('Replace all of {0} with this block?', shown),
    {
      modal: true,
      detail: [
        leavesOut
          ? l10n.t(
              'The file has {0}, the block {1}, and the block says that it leaves lines out.',
              ...sizes,
            )
          : l10n.t('The file has {0}, the block {1}, and most of the file is not in it.', ...sizes),
        l10n.t('It becomes a pending change: nothing is written before you keep it.'),
      ].join(' '),
    },
    replace,
    other,
  );
  return chosen === replace ? 'replace' : chosen === other ? 'other' : undefined;
}
