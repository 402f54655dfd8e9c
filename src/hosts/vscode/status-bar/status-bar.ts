import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import { type StatusInput, statusText } from '../../../window/status-text.ts';

/** Belay's item in the status bar; a click shows what waits, the sessions at work, the next pending change, or the panel. */
export class StatusBar implements Disposable {
  readonly #item = vscode.window.createStatusBarItem('belay', vscode.StatusBarAlignment.Right, 10);

  constructor() {
    this.#item.name = 'Belay';
    this.update({ running: 0, pending: 0, changes: 0, cutOff: 0 });
    this.#item.show();
  }

  update(input: StatusInput): void {
    const { text, tooltip, label, warning } = statusText(input);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.backgroundColor = warning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.command = commandFor(input);
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function commandFor({ pending, running, changes, cutOff }: StatusInput): CommandId {
  if (pending > 0) return 'belay.showPending';
  if (running > 1) return 'belay.showActiveSessions';
  if (cutOff > 0 && running === 0) return 'belay.openSession';
  return changes > 0 ? 'belay.nextChange' : 'belay.focusPanel';
}
