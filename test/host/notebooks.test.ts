import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorNotebooks } from '../../src/hosts/vscode/notebooks/notebooks.ts';

const cell = (kind: 'code' | 'markdown', source: string): object => ({
  cell_type: kind,
  metadata: {},
  source: [source],
  ...(kind === 'code' ? { execution_count: null, outputs: [] } : {}),
});

describe('notebooks', function () {
  this.timeout(60_000);
  const { signal } = new AbortController();
  const notebooks = new EditorNotebooks();
  let file: string;
  let controller: vscode.NotebookController | undefined;

  before(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    file = path.join(folder, 'sums.ipynb');
    const cells = [
      cell('markdown', '# Sums'),
      cell('code', '1 + 2'),
      cell('code', 'fail'),
      cell('code', 'wait'),
    ];
    await writeFile(file, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  });

  after(async () => {
    controller?.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('E11: are not run where nothing is installed that could', async () => {
    assert.equal(await notebooks.available(), false);
  });

  it('are read by cell; text and cells that are not there are refused', async () => {
    assert.equal(await notebooks.source(file, 2), '1 + 2');
    await assert.rejects(notebooks.source(file, 1), {
      code: 'invalid',
      message: /is text, not code/u,
    });
    await assert.rejects(notebooks.source(file, 9), { code: 'invalid', message: /has 4 cells/u });
  });

  describe('with a kernel', () => {
    before(() => {
      controller = vscode.notebooks.createNotebookController('sums', 'jupyter-notebook', 'Sums');
      controller.supportsExecutionOrder = true;
      let order = 0;
      controller.executeHandler = async (cells, _notebook, kernel) => {
        for (const one of cells) {
          const execution = kernel.createNotebookCellExecution(one);
          execution.executionOrder = order += 1;
          execution.start(Date.now());
          const source = one.document.getText();
          if (source === 'wait')
            await new Promise((resolve) => execution.token.onCancellationRequested(resolve));
          const item =
            source === '1 + 2'
              ? vscode.NotebookCellOutputItem.text('3')
              : vscode.NotebookCellOutputItem.error(new Error('no sum'));
          await execution.replaceOutput([new vscode.NotebookCellOutput([item])]);
          execution.end(source === '1 + 2', Date.now());
        }
      };
    });

    it('are run cell by cell, with their outputs, and saved', async () => {
      const ran = await notebooks.run(file, 2, signal);
      assert.deepEqual(ran, {
        started: true,
        success: true,
        order: 1,
        outputs: [{ kind: 'text', text: '3' }],
      });
      const notebook = vscode.workspace.notebookDocuments.find((one) => one.uri.fsPath === file);
      assert.equal(notebook?.isDirty, false);
    });

    it('tell that a cell failed, and how', async () => {
      const { success, outputs } = await notebooks.run(file, 3, signal);
      assert.equal(success, false);
      assert.match(outputs[0]?.kind === 'error' ? outputs[0].text : '', /no sum/u);
    });

    it('D4: are interrupted', async () => {
      const stop = new AbortController();
      const running = notebooks.run(file, 4, stop.signal);
      setTimeout(() => stop.abort(), 1000);
      await assert.rejects(running, { name: 'AbortError' });
    });
  });
});
