import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { WorkspaceRig } from '../../../contract/tool/workspace-rig.ts';
import { textOf } from '../../tool-call/rig.ts';

const patch = (...lines: string[]): { readonly patch: string } => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

describe('apply_patch', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({
      'a.ts': 'one\r\ntwo\r\nthree\r\n',
      'b.ts': '\ufeffb1\nb2',
      'old.md': 'text\n',
    });
    await workspace.call('read_file', {
      files: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'old.md' }],
    });
  });

  afterEach(async () => {
    await workspace.close();
  });

  const everything = patch(
    '*** Update File: a.ts',
    ' one',
    '-two',
    '+2',
    '+2b',
    '*** Update File: b.ts',
    '*** Move to: deep/c.ts',
    '-b2',
    '+B2',
    '*** Add File: new/d.md',
    '+new',
    '*** Delete File: old.md',
  );

  async function requireEverything(): Promise<void> {
    assert.equal(await workspace.read('a.ts'), 'one\r\n2\r\n2b\r\nthree\r\n');
    assert.equal(await workspace.read('deep/c.ts'), '\ufeffb1\nB2');
    assert.equal(await workspace.read('new/d.md'), 'new\n');
    assert.equal(existsSync(workspace.at('b.ts')), false);
    assert.equal(existsSync(workspace.at('old.md')), false);
  }

  it('changes, moves, adds and deletes; keeps line ends, byte order mark and a missing line end', async () => {
    const outcome = await workspace.call('apply_patch', everything);
    assert.equal(
      textOf(outcome),
      'The patch was applied to 4 of 4 files.\nEdited a.ts (+2 −1 lines).\nMoved b.ts to deep/c.ts.\nEdited b.ts (+1 −1 lines).\nCreated new/d.md (+1 −0 lines).\nDeleted old.md.',
    );
    await requireEverything();
    assert.equal(outcome.result.display?.['kind'], 'patch');
    assert.deepEqual(outcome.result.display?.['files'], [
      { path: 'a.ts', action: 'edit', added: 2, removed: 1 },
      { path: 'deep/c.ts', action: 'move', added: 1, removed: 1 },
      { path: 'new/d.md', action: 'add', added: 1, removed: 0 },
      { path: 'old.md', action: 'delete', added: 0, removed: 1 },
    ]);
    // What it wrote it has seen.
    await workspace.text('edit_file', {
      path: 'deep/c.ts',
      edits: [{ old_string: 'B2', new_string: 'b2' }],
    });
  });

  it('asks once for all of it, and writes nothing before the yes', async () => {
    workspace.mode = 'ask';
    const before = await workspace.snapshot();
    workspace.rig.answers.push({ allowed: false });
    await workspace.call('apply_patch', everything);
    assert.deepEqual(await workspace.snapshot(), before);
    const [question] = workspace.rig.questions;
    assert.equal(question?.title, 'Apply a patch to 4 files');
    for (const part of [
      `Edit ${workspace.at('a.ts')}`,
      '-two',
      '+2b',
      `Move ${workspace.at('b.ts')} to ${workspace.at('deep/c.ts')}`,
      `Create ${workspace.at('new/d.md')}`,
      `Delete ${workspace.at('old.md')}`,
    ])
      assert.ok(question?.detail.includes(part), `${part} is not shown`);
    await workspace.text('apply_patch', everything);
    await requireEverything();
  });

  it('asks about one changed file as about an edit, and writes what the person made of it', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push({ editedAfter: 'one\r\nTWO\r\nthree\r\n' });
    const text = await workspace.text('apply_patch', patch('*** Update File: a.ts', '-two', '+2'));
    assert.equal(workspace.rig.questions[0]?.title, 'Edit a.ts');
    assert.equal(await workspace.read('a.ts'), 'one\r\nTWO\r\nthree\r\n');
    assert.match(text, /The person changed the proposal/u);
  });

  it('writes nothing when one of several files changed after the question', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push(() => {
      writeFileSync(workspace.at('a.ts'), 'one\r\ntwo\r\nthree\r\nfour\r\n');
      return { allowed: true };
    });
    assert.match(
      await workspace.failure(
        'apply_patch',
        patch('*** Update File: a.ts', '-three', '+3', '*** Delete File: old.md'),
      ),
      /changed by something else after the patch was proposed, so nothing was written/u,
    );
    assert.ok(existsSync(workspace.at('old.md')));
  });

  it('does what fits, and names the file and the hunk that do not', async () => {
    await workspace.write('unread.ts', 'x\n');
    const outcome = await workspace.call(
      'apply_patch',
      patch(
        '*** Update File: a.ts',
        '-one',
        '+1',
        '@@',
        '-four',
        '+4',
        '*** Update File: unread.ts',
        '-x',
        '+y',
        '*** Add File: b.ts',
        '+x',
        '*** Delete File: nowhere',
      ),
    );
    assert.equal(await workspace.read('a.ts'), '1\r\ntwo\r\nthree\r\n');
    assert.equal(await workspace.read('unread.ts'), 'x\n');
    assert.equal(await workspace.read('b.ts'), '\ufeffb1\nb2');
    const text = textOf(outcome);
    assert.match(text, /^The patch was applied to 1 of 4 files\./u);
    assert.match(text, /Hunk 2 of 2 was left out: it does not fit/u);
    assert.match(text, /unread\.ts was left out: unread\.ts has not been read/u);
    assert.match(text, /b\.ts was left out: b\.ts exists already/u);
    assert.match(text, /nowhere was left out: nowhere does not exist/u);
    assert.equal(outcome.result.display?.['left'], 4);
  });

  it('writes nothing when nothing fits', async () => {
    const before = await workspace.snapshot();
    assert.match(
      await workspace.failure('apply_patch', patch('*** Update File: a.ts', '-four', '+4')),
      /^Nothing was written\. No hunk for a\.ts fits\. The hunk was left out: it does not fit/u,
    );
    assert.match(
      await workspace.failure(
        'apply_patch',
        patch('*** Update File: a.ts', '*** Move to: b.ts', '-one', '+1'),
      ),
      /b\.ts exists already; nothing was moved there/u,
    );
    assert.deepEqual(await workspace.snapshot(), before);
  });

  it('merges with what changed since the file was read', async () => {
    await workspace.write('a.ts', 'zero\r\none\r\ntwo\r\nthree\r\n');
    const text = await workspace.text(
      'apply_patch',
      patch('*** Update File: a.ts', '-three', '+3'),
    );
    assert.equal(await workspace.read('a.ts'), 'zero\r\none\r\ntwo\r\n3\r\n');
    assert.match(text, /had changed since you read it, and your edit was merged/u);
  });

  it('does not delete what changed since it was read', async () => {
    await workspace.write('old.md', 'newer\n');
    assert.match(
      await workspace.failure('apply_patch', patch('*** Delete File: old.md')),
      /has not been read as it is now/u,
    );
    assert.equal(await workspace.read('old.md'), 'newer\n');
  });

  it('security 1: no file of the repository itself, wherever it stands in the patch', async () => {
    const before = await workspace.snapshot();
    for (const lines of [
      ['*** Update File: a.ts', '-one', '+1', '*** Add File: .git/hooks/pre-commit', '+x'],
      ['*** Update File: a.ts', '*** Move to: .git/config', '-one', '+1'],
    ])
      assert.match(
        await workspace.failure('apply_patch', patch(...lines)),
        /may not be used by a tool/u,
      );
    assert.deepEqual(await workspace.snapshot(), before);
  });

  it('a failure in the middle does not hide what was written', async () => {
    const { files } = workspace;
    const write = files.write.bind(files);
    files.write = async (file, content, options) => {
      if (file.endsWith('d.md')) await files.read(workspace.at('missing'));
      await write(file, content, options);
    };
    const text = await workspace.text('apply_patch', everything);
    assert.match(text, /applied to 3 of 4 files/u);
    assert.match(text, /new\/d\.md was left out: .*missing does not exist/u);
    assert.equal(existsSync(workspace.at('old.md')), false);
  });
});
