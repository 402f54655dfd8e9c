import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/** Files of the workspace that people write for agents; those of the home folder are read when they are asked for. */
const FILES =
  '**/{AGENTS.md,CLAUDE.md,GEMINI.md,TOOLS.md,.cursorrules,copilot-instructions.md,SKILL.md,*.instructions.md,*.prompt.md,*.agent.md,*.chatmode.md,*.mdc,.belay/**/*.md,.claude/commands/**/*.md}';

/** Tells of every change of such a file. */
export function watchCustomizations(changed: () => void): readonly Disposable[] {
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  return [
    watcher,
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
  ];
}

/** Tells when the person works on another file. */
export const onOtherEditor = (changed: () => void): Disposable =>
  vscode.window.onDidChangeActiveTextEditor(changed);
