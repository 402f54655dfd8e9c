import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChangeEvidence } from '../../src/domain/review/evidence.ts';
import { BelayError } from '../../src/domain/failure.ts';
import type { CommandHandlers } from '../../src/hosts/vscode/commands/register.ts';
import { pendingChangeCommands } from '../../src/hosts/vscode/commands/review/pending-changes.ts';
import { pendingCommentCommands } from '../../src/hosts/vscode/commands/review/pending-comments.ts';
import type { CommandServices } from '../../src/hosts/vscode/commands/services.ts';
import { PendingControls } from '../../src/hosts/vscode/pending/pending-controls.ts';
import { EventBroker } from '../../src/core/session/event-broker.ts';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { CommentAnswers } from '../../src/window/pending/comment-answers.ts';
import { noEvents, silentLog } from '../support/memory-recorder.ts';
import { PendingKit } from './pending-kit.ts';

export const TEN_LINES = Array.from({ length: 10 }, (_, at) => `line ${at}\n`).join('');

type Commands = Pick<
  CommandHandlers,
  keyof ReturnType<typeof pendingChangeCommands> | keyof ReturnType<typeof pendingCommentCommands>
>;

/** What a person presses, beside the product's own, and a session that takes their comments. */
export class ControlsKit {
  readonly pending: PendingKit;
  readonly sent: { readonly sessionId: string; readonly text: string }[] = [];
  /** Why a comment is not taken. */
  refusal: string | undefined;
  showsLenses = true;
  /** Events of the session's runs. */
  readonly broker = new EventBroker(new SystemClock(), silentLog, noEvents);
  /** What is on record about each change. */
  found: ChangeEvidence | undefined;
  readonly evidence = {
    known: () => this.found,
    of: async (changes: readonly unknown[]) =>
      changes.flatMap(() => (this.found === undefined ? [] : [this.found])),
  };
  controls!: PendingControls;
  press!: Commands;

  private constructor(pending: PendingKit) {
    this.pending = pending;
  }

  static async open(): Promise<ControlsKit> {
    const kit = new ControlsKit(await PendingKit.open());
    kit.begin();
    return kit;
  }

  begin(): void {
    this.controls = new PendingControls({
      window: this.pending.window,
      titleOf: () => 'a title',
      requestText: () => 'add tests',
      evidence: this.evidence,
      shownSession: () => undefined,
      send: async (sessionId, text) => {
        if (this.refusal !== undefined)
          throw new BelayError({ code: 'store', message: this.refusal });
        this.sent.push({ sessionId, text });
      },
      answers: new CommentAnswers(this.broker),
      isOn: () => this.showsLenses,
      onSettingChanged: () => ({ dispose: () => {} }),
      onError: (error) => void this.pending.problems.push(String(error)),
      commentController: 'belay-test-changes',
    });
    const services = { controls: this.controls } as unknown as CommandServices;
    this.press = { ...pendingChangeCommands(services), ...pendingCommentCommands(services) };
  }

  async close(): Promise<void> {
    this.controls.dispose();
    await this.pending.close();
    await vscode.commands.executeCommand('notifications.clearAll');
  }

  /** As when the window is closed and opened again, with something done in between. */
  async reopen(between: () => Promise<void>): Promise<void> {
    await this.pending.reviews.flush();
    this.controls.dispose();
    await this.pending.stop();
    await between();
    await this.pending.start();
    this.begin();
  }

  /** A file with changes in its lines 1 and 8, and one in its middle taken away. */
  async changed(name: string): Promise<string> {
    const file = await this.pending.file(name, TEN_LINES);
    const text = TEN_LINES.replace('line 1\n', 'LINE 1\n').replace('line 5\n', '');
    await this.pending.edit(file, text.replace('line 8\n', 'LINE 8\nmore\n'));
    return file;
  }

  async goTo(file: string, line: number, to = line): Promise<vscode.TextEditor> {
    const document = await this.pending.show(file);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(line, 0, to, 0);
    return editor;
  }
}

/** Where the cursor is: scheme, name and line of the active editor. */
export function cursor(): string {
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  const { document, selection } = editor;
  return `${document.uri.scheme} ${path.basename(document.uri.path)}:${selection.active.line}`;
}
