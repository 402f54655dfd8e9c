import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EditorLanguageModels } from '../../src/hosts/vscode/language-models/editor-language-models.ts';
import { FoundModels } from '../../src/providers/found/found-models.ts';
import {
  editorModelsContract,
  editorProvider,
} from '../contract/provider/editor-models-contract.ts';
import { message, modelRequest, outcomeOf } from '../support/model-call.ts';
import { eventually } from './eventually.ts';

editorModelsContract('VS Code', () => new EditorLanguageModels());

describe('models that VS Code has', () => {
  const offer = async (ids: readonly string[] | null): Promise<void> => {
    await vscode.commands.executeCommand('sample.setModels', ids);
  };
  afterEach(async () => offer(null));

  it('a picture that VS Code cannot read is a failure with a way on', async () => {
    const provider = await editorProvider(new EditorLanguageModels());
    const broken = { type: 'binary', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const { failure } = await outcomeOf(
      provider.call,
      modelRequest({ model: 'sample/helpful', messages: [message('user', [broken])] }),
    );
    assert.equal(failure?.code, 'image_rejected', JSON.stringify(failure));
  });

  it('come and go while Belay runs, and a call to one that is gone says so', async () => {
    const editor = new EditorLanguageModels();
    const found = new FoundModels({ editor, origins: {} });
    try {
      assert.deepEqual(found.editorModels, [], 'nothing is looked for before the first look');
      await found.look();
      const ids = (): readonly string[] =>
        found.editorModels.map(({ id }) => id).filter((id) => id.startsWith('sample/'));
      assert.ok(ids().includes('sample/helpful'));
      assert.equal(found.firstModels()[0]?.model, 'sample/helpful');
      await offer(['slow']);
      await eventually('the others are gone', () => ids().join() === 'sample/slow');
      await assert.rejects(
        editor.send(
          'sample/helpful',
          { messages: [], tools: [], required: false, justification: '' },
          new AbortController().signal,
        ),
        { code: 'NotFound' },
      );
      await offer(null);
      await eventually('they are back', () => ids().length === 4);
    } finally {
      found.dispose();
    }
  });
});
