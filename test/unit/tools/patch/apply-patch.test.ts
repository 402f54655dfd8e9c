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
      'The patch was applied to 4 files.\nEdited a.ts (+2 −1 lines).\nMoved b.ts to deep/c.ts.\nEdited b.ts (+1 −1 lines).\nCreated new/d.md (+1 −0 lines).\nDeleted old.md.',
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
    assert.deepEqual(
      question?.edits?.map(({ path: file, movesTo, creates, deletes }) => [
        file,
        movesTo?.name,
        creates,
        deletes ?? false,
      ]),
      [
        [workspace.at('a.ts'), undefined, false, false],
        [workspace.at('b.ts'), 'deep/c.ts', false, false],
        [workspace.at('new/d.md'), undefined, true, false],
        [workspace.at('old.md'), undefined, false, true],
      ],
    );
    await workspace.text('apply_patch', everything);
    await requireEverything();
  });

  it('asks about one changed file as about an edit, and writes what the person made of it', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push({ editedAfter: 'one\r\nTWO\r\nthree\r\n' });
    const text = await workspace.text('apply_patch', patch('*** Update File: a.ts', '-two', '+2'));
    assert.equal(workspace.rig.questions[0]?.title, 'Edit a.ts');
    assert.equal(await workspace.read('a.ts'), 'one\r\nTWO\r\nthree\r\n');
    assert.match(text, /The user changed the edit/u);
  });

  it('asks again when a file changed while the user was asked', async () => {
    workspace.mode = 'ask';
    workspace.rig.answers.push(
      () => {
        writeFileSync(workspace.at('a.ts'), 'zero\r\none\r\ntwo\r\nthree\r\n');
        return { allowed: true };
      },
      { allowed: false },
    );
    await workspace.call(
      'apply_patch',
      patch('*** Update File: a.ts', '-three', '+3', '*** Delete File: old.md'),
    );
    assert.equal(workspace.rig.questions.length, 2);
    assert.match(workspace.rig.questions[1]?.edits?.[0]?.before ?? '', /^zero/u);
    assert.ok(existsSync(workspace.at('old.md')));
  });

  it('writes nothing when a part does not fit, and names each part that does not', async () => {
    await workspace.write('unread.ts', 'x\n');
    const before = await workspace.snapshot();
    const text = await workspace.failure(
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
    assert.match(
      text,
      /^Nothing was written\. a\.ts: The patch does not fit a\.ts\. Hunk 2 of 2 does/u,
    );
    assert.match(text, /unread\.ts: unread\.ts has not been read/u);
    assert.match(text, /b\.ts: b\.ts exists already/u);
    assert.match(text, /nowhere: nowhere does not exist/u);
    assert.deepEqual(await workspace.snapshot(), before);
  });

  it('writes nothing when its only part does not fit', async () => {
    const before = await workspace.snapshot();
    assert.match(
      await workspace.failure('apply_patch', patch('*** Update File: a.ts', '-four', '+4')),
      /^Nothing was written\. The patch does not fit a\.ts\. The hunk does not fit/u,
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

  it('a failure in the middle gives every file its bytes back', async () => {
    const before = await workspace.snapshot();
    const { files } = workspace;
    const remove = files.delete.bind(files);
    files.delete = async (file: string) => {
      if (file.endsWith('old.md')) await files.read(workspace.at('missing'));
      await remove(file);
    };
    assert.match(await workspace.failure('apply_patch', everything), /missing does not exist/u);
    assert.deepEqual(await workspace.snapshot(), before);
  });
});
