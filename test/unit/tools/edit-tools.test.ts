import assert from 'node:assert/strict';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, stat, symlink, utimes } from 'node:fs/promises';
import type { ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

const edits = (old_string: string, new_string: string) => [{ old_string, new_string }];

describe('edit_file and write_file', function () {
  this.timeout(60_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({ 'a.ts': 'one\ntwo\nthree\n' });
    await workspace.call('read_file', { path: 'a.ts' });
  });

  afterEach(async () => {
    await workspace.close();
  });

  /** What the human does while the question is open, before they say yes. */
  const meanwhile = (act: (question: ApprovalQuestion) => void): void => {
    workspace.mode = 'ask';
    workspace.rig.answers.push((question) => {
      act(question);
      return { allowed: true };
    });
  };

  describe('what is asked', () => {
    beforeEach(() => {
      workspace.mode = 'ask';
    });

    it('nothing is on disk before the yes, and exactly what was shown after it', async () => {
      let during = '';
      workspace.rig.answers.push((question) => {
        assert.deepEqual(question.edits?.[0], {
          path: workspace.at('a.ts'),
          name: 'a.ts',
          before: 'one\ntwo\nthree\n',
          after: 'one\nTWO\nthree\n',
          creates: false,
        });
        assert.equal(question.title, 'Edit a.ts');
        during = question.edits?.[0]?.before ?? '';
        return { allowed: true };
      });
      const outcome = await workspace.call('edit_file', {
        path: 'a.ts',
        edits: edits('two', 'TWO'),
      });
      assert.equal(outcome.result.state, 'done');
      assert.equal(during, 'one\ntwo\nthree\n');
      assert.equal(await workspace.read('a.ts'), 'one\nTWO\nthree\n');
    });

    it('a no leaves everything as it was', async () => {
      const before = await workspace.snapshot();
      workspace.rig.answers.push({ allowed: false, reason: 'Not like that.' }, { allowed: false });
      assert.equal(
        (await workspace.call('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') })).result
          .state,
        'denied',
      );
      assert.equal(
        (await workspace.call('write_file', { path: 'deep/new.ts', content: 'x' })).result.state,
        'denied',
      );
      assert.deepEqual(await workspace.snapshot(), before);
      assert.deepEqual(
        await readdir(workspace.folder),
        ['a.ts'],
        'a folder was made for a file that was denied',
      );
    });

    it('nothing is asked about an edit that does not fit', async () => {
      assert.match(
        await workspace.failure('edit_file', { path: 'a.ts', edits: edits('four', 'x') }),
        /does not fit/u,
      );
      assert.equal(workspace.rig.questions.length, 0);
    });

    it('a file that is made says so', async () => {
      await workspace.call('write_file', { path: 'deep/new.ts', content: 'x\n' });
      assert.equal(workspace.rig.questions[0]?.title, 'Create deep/new.ts');
      assert.deepEqual(workspace.rig.questions[0].edits?.[0], {
        path: workspace.at('deep/new.ts'),
        name: 'deep/new.ts',
        before: '',
        after: 'x\n',
        creates: true,
      });
      assert.equal(await workspace.read('deep/new.ts'), 'x\n');
    });

    it('what the person changed is written, told to the model, and may be edited further', async () => {
      workspace.rig.answers.push({ editedAfter: 'one\nTwo!\nthree\n' });
      const outcome = await workspace.call('edit_file', {
        path: 'a.ts',
        edits: edits('two', 'TWO'),
      });
      assert.equal(await workspace.read('a.ts'), 'one\nTwo!\nthree\n');
      assert.match(textOf(outcome), /The user changed the edit.*-TWO\n\+Two!/su);
      assert.equal(outcome.result.display?.['changedByPerson'], true);
      workspace.mode = 'edit';
      await workspace.text('edit_file', { path: 'a.ts', edits: edits('Two!', 'TWO') });
    });

    it('a file reached through a link is named by where it really is', async () => {
      await symlink(workspace.at('a.ts'), workspace.at('link.ts'));
      await workspace.call('edit_file', { path: 'link.ts', edits: edits('two', 'TWO') });
      assert.match(
        workspace.rig.questions[0]?.detail ?? '',
        new RegExp(`Really: ${workspace.at('a.ts')}`, 'u'),
      );
      assert.equal(await workspace.read('a.ts'), 'one\nTWO\nthree\n');
    });
  });

  describe('what happens while the user is asked', () => {
    const fails = () =>
      workspace.failure('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') });

    it('the file was changed: nothing is overwritten', async () => {
      meanwhile(() => writeFileSync(workspace.at('a.ts'), 'newer text\n'));
      assert.match(
        await fails(),
        /was changed by something else since you read it, so it was not written/u,
      );
      assert.equal(await workspace.read('a.ts'), 'newer text\n');
    });

    it('the file was deleted: it is not made again', async () => {
      meanwhile(() => rmSync(workspace.at('a.ts')));
      assert.match(await fails(), /does not exist/u);
      assert.deepEqual(await readdir(workspace.folder), []);
    });

    it('the file became read-only: it stays as it is', async () => {
      meanwhile(() => chmodSync(workspace.at('a.ts'), 0o444));
      assert.match(await fails(), /is read-only\. Nothing was changed/u);
      assert.equal(await workspace.read('a.ts'), 'one\ntwo\nthree\n');
    });

    it('a file that was to be made is there by now: it is not replaced', async () => {
      meanwhile(() => writeFileSync(workspace.at('new.ts'), 'theirs\n'));
      assert.match(
        await workspace.failure('write_file', { path: 'new.ts', content: 'ours\n' }),
        /has not been read in this session/u,
      );
      assert.equal(await workspace.read('new.ts'), 'theirs\n');
    });

    it('the folder became a link to elsewhere: nothing is written there', async () => {
      const elsewhere = await WorkspaceRig.open({ 'b.ts': 'x\n' });
      try {
        await workspace.write('dir/b.ts', 'x\n');
        await workspace.call('read_file', { path: 'dir/b.ts' });
        meanwhile(() => {
          rmSync(workspace.at('dir'), { recursive: true });
          symlinkSync(elsewhere.folder, workspace.at('dir'));
        });
        assert.match(
          await workspace.failure('edit_file', { path: 'dir/b.ts', edits: edits('x', 'y') }),
          /became a link to another place/u,
        );
        assert.equal(await elsewhere.read('b.ts'), 'x\n');
      } finally {
        await elsewhere.close();
      }
    });

    it('the run is stopped: nothing is written', async () => {
      meanwhile(() => workspace.rig.abort.abort('canceled'));
      assert.equal(
        (await workspace.call('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') })).result
          .state,
        'canceled',
      );
      assert.equal(await workspace.read('a.ts'), 'one\ntwo\nthree\n');
    });
  });

  describe('what must have been read', () => {
    it('a file that the session has not read is not edited', async () => {
      await workspace.write('b.ts', 'x\n');
      for (const [tool, input] of [
        ['edit_file', { path: 'b.ts', edits: edits('x', 'y') }],
        ['write_file', { path: 'b.ts', content: 'y' }],
      ] as const) {
        assert.match(
          await workspace.failure(tool, input),
          /has not been read in this session\. Read it first/u,
        );
      }
      assert.equal(await workspace.read('b.ts'), 'x\n');
    });

    it('nor one whose same lines have changed since: the texts are shown, nothing is written', async () => {
      await workspace.write('a.ts', 'one\ntwo and more\nthree\n');
      const message = await workspace.failure('edit_file', {
        path: 'a.ts',
        edits: edits('two', 'TWO'),
      });
      assert.match(
        message,
        /^a\.ts was changed by something else since you read it, so it was not written/u,
      );
      assert.match(
        message,
        /At line 2 there was:\ntwo\nThere is now:\ntwo and more\nYour edit wants:\nTWO\nRead it again/u,
      );
      assert.equal(await workspace.read('a.ts'), 'one\ntwo and more\nthree\n');
      await workspace.call('read_file', { path: 'a.ts' });
      await workspace.text('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') });
    });

    it('a change that keeps the size is noticed, too', async () => {
      await workspace.write('a.ts', 'one\nTWO\nthree\n');
      await utimes(workspace.at('a.ts'), new Date(), new Date(Date.now() + 5000));
      assert.match(
        await workspace.failure('edit_file', { path: 'a.ts', edits: edits('two', 'x') }),
        /was changed by something else since you read it/u,
      );
    });

    it('a file that was only touched is the same', async () => {
      await utimes(workspace.at('a.ts'), new Date(), new Date(Date.now() + 5000));
      await workspace.text('edit_file', { path: 'a.ts', edits: edits('two', 'TWO') });
    });

    it('a change that keeps size and time is noticed, as unsaved text of an editor is', async () => {
      const { mtime } = await stat(workspace.at('a.ts'));
      await workspace.write('a.ts', 'one\nTWO\nthree\n');
      await utimes(workspace.at('a.ts'), mtime, mtime);
      assert.match(
        await workspace.failure('write_file', { path: 'a.ts', content: 'x' }),
        /was changed by something else since you read it/u,
      );
    });

    it('of a file too large to be read whole, size and time decide', async () => {
      const text = `${`${'a line of text '.repeat(10)}\n`.repeat(40_000)}two\n`;
      await workspace.write('large.txt', text);
      await workspace.call('read_file', { path: 'large.txt', start_line: 40_001 });
      await workspace.text('edit_file', { path: 'large.txt', edits: edits('two', 'TWO') });
      await utimes(workspace.at('large.txt'), new Date(), new Date(Date.now() + 5000));
      await workspace.text('edit_file', { path: 'large.txt', edits: edits('TWO', 'two') });
      await workspace.call('read_file', { path: 'large.txt', start_line: 1, end_line: 1 });
      await workspace.write('large.txt', `${text}more\n`);
      assert.match(
        await workspace.failure('edit_file', { path: 'large.txt', edits: edits('two', 'x') }),
        /has changed since/u,
      );
    });

    it('what the session wrote itself it has seen', async () => {
      await workspace.text('write_file', { path: 'new.ts', content: 'x\n' });
      await workspace.text('edit_file', { path: 'new.ts', edits: edits('x', 'y') });
      await workspace.text('edit_file', { path: 'new.ts', edits: edits('y', 'z') });
      await workspace.text('write_file', { path: 'new.ts', content: 'whole\n' });
      assert.equal(await workspace.read('new.ts'), 'whole\n');
    });

    it('another session has not seen it', async () => {
      const outcome = await workspace.call(
        'edit_file',
        { path: 'a.ts', edits: edits('two', 'x') },
        { sessionId: 'another' },
      );
      assert.match(textOf(outcome), /has not been read in this session/u);
    });
  });

  describe('what is kept', () => {
    const kept: readonly (readonly [
      what: string,
      before: string | Buffer,
      after: string | Buffer,
    ])[] = [
      ['CR LF', 'a\r\ntwo\r\nb\r\n', 'a\r\nTWO\r\n2\r\nb\r\n'],
      ['a missing final line end', 'a\ntwo', 'a\nTWO\n2'],
      ['a BOM', '\ufefftwo\n', '\ufeffTWO\n2\n'],
      [
        'UTF-16',
        Buffer.from('\ufeffä two\r\n', 'utf16le'),
        Buffer.from('\ufeffä TWO\r\n2\r\n', 'utf16le'),
      ],
      [
        'UTF-16 of the other order',
        Buffer.from('\ufeffä two\n', 'utf16le').swap16(),
        Buffer.from('\ufeffä TWO\n2\n', 'utf16le').swap16(),
      ],
      ['Latin-1', Buffer.from('grün two\n', 'latin1'), Buffer.from('grün TWO\n2\n', 'latin1')],
      ['what is invisible elsewhere', 'a\u200b\u001b\ntwo\n', 'a\u200b\u001b\nTWO\n2\n'],
    ];
    for (const [what, before, after] of kept) {
      it(what, async () => {
        await workspace.write('k', before);
        await workspace.call('read_file', { path: 'k' });
        await workspace.text('edit_file', { path: 'k', edits: edits('two', 'TWO\n2') });
        assert.deepEqual(
          await workspace.files.read(workspace.at('k')).then((bytes) => Buffer.from(bytes)),
          Buffer.from(after),
        );
      });
    }

    it('the mode of the file', async () => {
      await workspace.write('run.sh', 'two\n');
      await chmod(workspace.at('run.sh'), 0o755);
      await workspace.call('read_file', { path: 'run.sh' });
      await workspace.text('edit_file', { path: 'run.sh', edits: edits('two', 'x') });
      assert.equal((await stat(workspace.at('run.sh'))).mode & 0o777, 0o755);
    });

    it('CR LF of a file that is replaced as a whole', async () => {
      await workspace.write('k', 'a\r\nb\r\n');
      await workspace.call('read_file', { path: 'k' });
      await workspace.text('write_file', { path: 'k', content: 'a\nc\n' });
      assert.equal(await workspace.read('k'), 'a\r\nc\r\n');
    });
  });

  describe('what is refused, with nothing written', () => {
    it('characters that the encoding lacks', async () => {
      await workspace.write('latin.txt', Buffer.from('grün two\n', 'latin1'));
      await workspace.call('read_file', { path: 'latin.txt' });
      assert.match(
        await workspace.failure('edit_file', { path: 'latin.txt', edits: edits('two', '😀') }),
        /an encoding that lacks a character/u,
      );
    });

    it('folders, binary files, read-only files', async () => {
      await mkdir(workspace.at('folder'));
      await workspace.write('bin', Buffer.from([1, 0, 2]));
      await workspace.write('fixed', 'x\n');
      await chmod(workspace.at('fixed'), 0o444);
      await workspace.call('read_file', { path: 'fixed' });
      assert.match(
        await workspace.failure('write_file', { path: 'folder', content: 'x' }),
        /folder is a folder and cannot be edited/u,
      );
      assert.match(
        await workspace.failure('write_file', { path: 'bin', content: 'x' }),
        /binary file and cannot be edited as text/u,
      );
      assert.match(
        await workspace.failure('edit_file', { path: 'fixed', edits: edits('x', 'y') }),
        /is read-only/u,
      );
    });

    it('content that is there already', async () => {
      assert.match(
        await workspace.failure('write_file', { path: 'a.ts', content: 'one\ntwo\nthree\n' }),
        /has this content already/u,
      );
    });

    it('a file below a file', async () => {
      assert.match(
        await workspace.failure('write_file', { path: 'a.ts/b', content: 'x' }),
        /part of the path is a file/u,
      );
    });

    it('security 1: the repository’s own files, in every mode', async () => {
      assert.match(
        await workspace.failure('write_file', { path: '.git/hooks/pre-commit', content: 'x' }),
        /may not be used by a tool/u,
      );
      assert.deepEqual(await readdir(workspace.folder), ['a.ts']);
    });

    it('anything in the mode read', async () => {
      workspace.mode = 'read';
      assert.match(
        await workspace.failure('edit_file', { path: 'a.ts', edits: edits('two', 'x') }),
        /permission mode is "Read"/u,
      );
    });
  });

  it('tells the model what a formatter made of the file as it was saved', async () => {
    const { files } = workspace;
    const write = files.write.bind(files);
    files.write = (file, content, options) =>
      write(
        file,
        new TextEncoder().encode(new TextDecoder().decode(content).replaceAll(' ;', ';')),
        options,
      );
    const text = await workspace.text('edit_file', { path: 'a.ts', edits: edits('two', 'two ;') });
    assert.match(
      text,
      /^Edited a\.ts \(\+1 −1 lines\)\.\nThe file was changed further as it was saved.*-two ;\n\+two;/su,
    );
    await workspace.text('edit_file', { path: 'a.ts', edits: edits('two;', 'done') });
  });

  it('shows a diff with its counts, and links to the first change', async () => {
    const { result } = await workspace.call('edit_file', {
      path: 'a.ts',
      edits: [
        { old_string: 'two', new_string: '2\n2' },
        { old_string: 'three\n', new_string: '' },
      ],
    });
    assert.deepEqual(result.display, {
      kind: 'edit',
      path: 'a.ts',
      added: 2,
      removed: 2,
      created: false,
      changedByPerson: false,
      diff: '@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+2',
      diffCut: false,
    });
    assert.deepEqual(result.files, [{ path: workspace.at('a.ts'), line: 2 }]);
    assert.equal(textOf({ result }), 'Edited a.ts (+2 −2 lines).');
  });

  it('understands how other products call the arguments', async () => {
    await workspace.text('edit_file', { file_path: 'a.ts', old_str: 'one', new_str: '1' });
    await workspace.text('edit_file', {
      path: 'a.ts',
      old_string: 'two',
      new_string: '2',
      replace_all: 'true',
    });
    await workspace.text('edit_file', {
      path: 'a.ts',
      edits: '[{"old_string": "three", "new_string": "3"}]',
    });
    await workspace.text('write_file', { file_path: 'b.ts', contents: 'x' });
    assert.equal(await workspace.read('a.ts'), '1\n2\n3\n');
  });
});
