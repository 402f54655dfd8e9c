import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Sample } from '../../contract/tool/samples.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { FakeNotebooks } from '../../support/fake-notebooks.ts';

// The same port over a kernel in a real VS Code: test/host/notebooks.test.ts.
describe('run_notebook_cell', () => {
  let workspace: WorkspaceRig;
  let notebooks: FakeNotebooks;
  const call = { path: 'sums.ipynb', cell: 1 };

  beforeEach(async () => {
    notebooks = new FakeNotebooks();
    const sample: Sample = { good: {}, bad: [], changes: true, parts: () => ({ notebooks }) };
    workspace = await WorkspaceRig.open({ 'sums.ipynb': '1 + 2' }, { notebooks: sample });
    workspace.mode = 'ask';
  });

  afterEach(async () => {
    await workspace.close();
  });

  it('asks with the source of the cell, and gives the outputs', async () => {
    const text = await workspace.text('run_notebook_cell', call);
    assert.equal(text, 'Cell 1 of sums.ipynb ran (run 1).\n3');
    const [question] = workspace.rig.questions;
    assert.deepEqual([question?.title, question?.detail], ['Run cell 1 of sums.ipynb', '1 + 2']);
  });

  it('runs nothing when the cell is another one than the person saw', async () => {
    workspace.rig.answers.push(() => {
      writeFileSync(workspace.at('sums.ipynb'), 'deleteEverything()');
      return {};
    });
    assert.match(
      await workspace.failure('run_notebook_cell', call),
      /was changed after you asked/u,
    );
    assert.deepEqual(notebooks.ran, []);
  });

  it('says that no kernel took it', async () => {
    notebooks.next = { started: false, outputs: [] };
    assert.match(
      await workspace.failure('run_notebook_cell', call),
      /No kernel ran cell 1 of sums\.ipynb, so nothing happened.*Select Notebook Kernel/u,
    );
  });

  it('shows errors and images', async () => {
    notebooks.next = {
      started: true,
      success: false,
      outputs: [
        { kind: 'error', text: 'ValueError: no' },
        { kind: 'image', mediaType: 'image/png', data: 'AQID' },
        { kind: 'other', mediaType: 'application/vnd.plotly.v1+json' },
      ],
    };
    const { result } = await workspace.call('run_notebook_cell', call);
    assert.equal(result.state, 'failed');
    const [words, image] = result.content;
    assert.equal(
      words?.type === 'text' && words.text,
      'Cell 1 of sums.ipynb failed.\nValueError: no\n[image, image/png]\n[application/vnd.plotly.v1+json, shown in the notebook]',
    );
    assert.deepEqual(image, { type: 'binary', mediaType: 'image/png', data: 'AQID' });
  });

  it('E11: is there only where notebooks can be run', async () => {
    const tool = workspace.rig.tools.find(({ name }) => name === 'run_notebook_cell');
    assert.equal(await tool?.available?.(), true);
    const bare = await WorkspaceRig.open();
    const absent = bare.rig.tools.find(({ name }) => name === 'run_notebook_cell');
    assert.equal(await absent?.available?.(), false);
    await bare.close();
  });
});
