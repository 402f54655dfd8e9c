import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

const edits = (old_string: string, new_string: string) => [{ old_string, new_string }];

describe('edits of a file that has changed, and edits of which some fit', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({ 'a.ts': 'one\ntwo\nthree\n' });
    await workspace.call('read_file', { path: 'a.ts' });
  });

  afterEach(async () => {
    await workspace.close();
  });

  describe('what changed meanwhile in other lines is kept', () => {
    it('since the file was read, by an edit and by a whole new content', async () => {
      await workspace.write('a.ts', 'zero\r\none\r\ntwo\r\nthree\r\n');
      const outcome = await workspace.call('edit_file', {
        path: 'a.ts',
        edits: edits('three', '3'),
      });
      assert.equal(await workspace.read('a.ts'), 'zero\r\none\r\ntwo\r\n3\r\n');
      assert.match(
        textOf(outcome),
        /^Edited a\.ts \(\+1 −1 lines\)\.\na\.ts had changed since you read it, and your edit was merged.*\n\+zero\n/su,
      );
      assert.equal(outcome.result.display?.['merged'], true);
      // It was told what had changed: it may go on from there.
      await workspace.text('edit_file', { path: 'a.ts', edits: edits('zero', '0') });
      await workspace.write('a.ts', '0\r\none\r\ntwo\r\n3\r\nfour\r\n');
      await workspace.text('write_file', { path: 'a.ts', content: '0\n1\ntwo\n3\n' });
      assert.equal(await workspace.read('a.ts'), '0\r\n1\r\ntwo\r\n3\r\nfour\r\n');
    });

    it('what was too much to be told is not overwritten later either', async () => {
      const many = Array.from({ length: 2000 }, (_, index) => `person ${index}\n`).join('');
      await workspace.write('a.ts', `one\ntwo\nthree\n${many}`);
      const text = await workspace.text('edit_file', { path: 'a.ts', edits: edits('one', '1') });
      assert.match(text, /What had changed \(\+2000 −0 lines\); read it before you rely on it/u);
      await workspace.text('write_file', { path: 'a.ts', content: '1\n2\nthree\n' });
      assert.equal(await workspace.read('a.ts'), `1\n2\nthree\n${many}`);
    });

    it('in the very moment of writing', async () => {
      const { files } = workspace;
      const write = files.write.bind(files);
      let raced = false;
      files.write = async (file, content, options) => {
        if (!raced) writeFileSync(workspace.at('a.ts'), 'one\ntwo\nthree\nfour\n');
        raced = true;
        await write(file, content, options);
      };
      await workspace.text('edit_file', { path: 'a.ts', edits: edits('two', '2') });
      assert.equal(await workspace.read('a.ts'), 'one\n2\nthree\nfour\n');
    });

    it('a change that is there already is not made again', async () => {
      await workspace.write('a.ts', 'one\nTWO\nthree\n');
      assert.match(
        await workspace.failure('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') }),
        /has your change already\. Nothing was written/u,
      );
    });
  });

  it('makes the edits that fit, names the others, and counts them on the card', async () => {
    const outcome = await workspace.call('edit_file', {
      path: 'a.ts',
      edits: [...edits('two', '2'), ...edits('four', '4')],
    });
    assert.equal(await workspace.read('a.ts'), 'one\n2\nthree\n');
    assert.equal(outcome.result.state, 'done');
    assert.equal(outcome.result.display?.['left'], 1);
    assert.match(
      textOf(outcome),
      /^Edited a\.ts \(\+1 −1 lines\)\.\n1 of 2 edits was made, 1 was not\..*\nEdit 2 of 2 does not fit/su,
    );
  });

  it('asked or not, the model hears of the edits that were left out', async () => {
    workspace.mode = 'ask';
    const outcome = await workspace.call('edit_file', {
      path: 'a.ts',
      edits: [...edits('two', '2'), ...edits('four', '4')],
    });
    assert.match(textOf(outcome), /Edit 2 of 2 does not fit/u);
  });

  it('never empties a file by an edit that fails', async () => {
    for (const [old_string, new_string] of [
      ['', ''],
      ['four', ''],
      ['e', ''],
      ['one\ntwo\nfour\n', ''],
    ] as const)
      await workspace.failure('edit_file', { path: 'a.ts', edits: edits(old_string, new_string) });
    const { files } = workspace;
    files.read = async () => {
      throw new Error('the disk is broken');
    };
    await workspace.failure('edit_file', { path: 'a.ts', edits: edits('one', '') });
    assert.equal(await workspace.read('a.ts'), 'one\ntwo\nthree\n');
  });

  it('makes many edits one after the other without losing any', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `word${index};`);
    await workspace.write('many.ts', names.join('\n'));
    await workspace.call('read_file', { path: 'many.ts' });
    for (const name of names)
      await workspace.text('edit_file', {
        path: 'many.ts',
        edits: edits(name, name.toUpperCase()),
      });
    assert.equal(await workspace.read('many.ts'), names.join('\n').toUpperCase());
  });
});
