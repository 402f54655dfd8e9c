import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { BelayError } from '../../src/domain/failure.ts';
import { importFromFile } from '../../src/hosts/vscode/commands/session-files.ts';
import type { SessionTransfer } from '../../src/hosts/vscode/commands/session-files.ts';

/** VS Code shows no dialogs to tests: what they ask is noted, and answered from here. */
class Dialogs {
  readonly asked: string[] = [];
  answer: string | undefined;
  readonly #open = vscode.window.showOpenDialog;
  readonly #warn = vscode.window.showWarningMessage;

  constructor(file: string) {
    Object.assign(vscode.window, {
      showOpenDialog: async () => Promise.resolve([vscode.Uri.file(file)]),
      showWarningMessage: async (message: string, options?: vscode.MessageOptions) => {
        this.asked.push(`${message} ${options?.detail ?? ''}`);
        return Promise.resolve(this.answer);
      },
    });
  }

  dispose(): void {
    Object.assign(vscode.window, { showOpenDialog: this.#open, showWarningMessage: this.#warn });
  }
}

describe('importing a session from a file', () => {
  let folder: string;
  let dialogs: Dialogs;
  const imports: { readonly partial: boolean }[] = [];
  /** Refuses as the store does; test/unit/store/transfer shows that one. */
  const transfer: SessionTransfer = {
    exportSession: async () => Promise.resolve(''),
    importSession: async (_text, options) => {
      imports.push({ partial: options?.partial === true });
      if (options?.partial === true)
        return Promise.resolve({ sessionId: 'new', skipped: 2, taken: [] });
      throw new BelayError({
        code: 'invalid',
        message: 'Line 3 is not JSON. Nothing was imported.',
        details: { line: 3, reason: 'json' },
      });
    },
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belay-import-'));
    const file = path.join(folder, 'session.belay.jsonl');
    await writeFile(file, 'damaged');
    imports.length = 0;
    dialogs = new Dialogs(file);
  });
  afterEach(async () => {
    dialogs.dispose();
    await rm(folder, { recursive: true });
  });

  it('D8: of a damaged file it says the line and the reason, offers the rest, and imports it after a yes', async () => {
    dialogs.answer = 'Import the Rest';
    assert.equal(await importFromFile(transfer), 'new');
    assert.deepEqual(imports, [{ partial: false }, { partial: true }]);
    assert.match(dialogs.asked[0] ?? '', /damaged.*Line 3 is not JSON/u);
    assert.match(dialogs.asked[1] ?? '', /without 2 lines/u);
  });

  it('D8: says which of its pending changes are not here, and why', async () => {
    const taken = [
      { path: 'a.txt', outcome: 'merged' },
      { path: 'b.txt', outcome: 'left', why: 'others' },
    ] as const;
    const whole: SessionTransfer = {
      ...transfer,
      importSession: async () => Promise.resolve({ sessionId: 'new', skipped: 0, taken }),
    };
    assert.equal(await importFromFile(whole), 'new');
    assert.match(
      dialogs.asked[0] ?? '',
      /pending changes in one file: .*a\.txt is another file here.*b\.txt are not pending here: other changes/u,
    );
  });

  it('D8: imports nothing of it after a no', async () => {
    dialogs.answer = undefined;
    await assert.rejects(importFromFile(transfer), { code: 'invalid', message: /Line 3/u });
    assert.deepEqual(imports, [{ partial: false }]);
  });
});
