import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ManageDisplay } from '../../../src/tools/manage-files/manage-files-face.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

describe('manage_files', () => {
  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({
      'a.ts': 'a\n',
      'b.ts': 'b\n',
      'src/one.ts': '1\n',
      'src/deep/two.ts': '2\n',
    });
  });

  afterEach(async () => {
    await workspace.close();
  });

  const manage = (...operations: JsonObject[]): Promise<string> =>
    workspace.text('manage_files', { operations });
  const fails = (...operations: JsonObject[]): Promise<string> =>
    workspace.failure('manage_files', { operations });
  const exists = (name: string): Promise<boolean> =>
    lstat(workspace.at(name)).then(
      () => true,
      () => false,
    );

  for (const mode of ['ask', 'edit'] as const)
    it(`mode ${mode}: a file that may hold secrets is moved after a question only: by another name it is read without`, async () => {
      workspace.mode = mode;
      await workspace.write('id_rsa', 'PRIVATE\n');
      await workspace.write('conf/.aws/token.txt', 'PRIVATE\n');
      for (const path of ['id_rsa', 'conf/.aws/token.txt', 'conf/.aws']) {
        workspace.rig.answers.push({ allowed: false });
        const before = workspace.rig.questions.length;
        const operations = [{ kind: 'rename', path, to: 'notes' }];
        const { result } = await workspace.call('manage_files', { operations });
        assert.equal(result.state, 'denied', path);
        assert.match(workspace.rig.questions[before]?.reason ?? '', /passwords or keys/u);
        assert.equal(await exists(path), true);
      }
    });

  it('no copy has a repository in it', async () => {
    await workspace.write('tool/.git/config', '[core]\n');
    await workspace.write('tool/x.ts', 'x\n');
    assert.match(await fails({ kind: 'copy', path: 'tool', to: 'other' }), /holds tool\/\.git/u);
    assert.equal(await exists('other'), false);
  });

  it('does several things in order, each with a result, and makes missing folders', async () => {
    const text = await manage(
      { kind: 'rename', path: 'a.ts', to: 'lib/x/a.ts' },
      { kind: 'copy', path: 'src', to: 'lib/src' },
      { kind: 'create_folder', path: 'empty/inner' },
      { kind: 'delete', path: 'b.ts' },
    );
    assert.equal(
      text,
      'Moved a.ts to lib/x/a.ts.\nCopied src to lib/src.\nCreated the folder empty/inner.\nDeleted b.ts. Belay keeps it for 30 days.',
    );
    assert.equal(await workspace.read('lib/x/a.ts'), 'a\n');
    assert.equal(await workspace.read('lib/src/deep/two.ts'), '2\n');
    assert.equal(await workspace.read('src/one.ts'), '1\n');
    assert.ok((await lstat(workspace.at('empty/inner'))).isDirectory());
    assert.equal(await exists('b.ts'), false);
  });

  it('says what takes each operation back, and what was deleted is there', async () => {
    const outcome = await workspace.call('manage_files', {
      operations: [
        { kind: 'delete', path: 'src' },
        { kind: 'rename', path: 'a.ts', to: 'new/folder/a.ts' },
      ],
    });
    const { operations } = outcome.result.display as unknown as ManageDisplay;
    const [deleted, moved] = operations;
    assert.equal(await readFile(path.join(deleted?.kept ?? '', 'deep', 'two.ts'), 'utf8'), '2\n');
    assert.deepEqual(moved, {
      kind: 'rename',
      path: 'a.ts',
      to: 'new/folder/a.ts',
      created: [workspace.at('new'), workspace.at('new/folder')],
    });
  });

  it('stops at the first that fails, and says which were done and which not tried', async () => {
    const outcome = await workspace.call('manage_files', {
      operations: [
        { kind: 'copy', path: 'a.ts', to: 'c.ts' },
        { kind: 'copy', path: 'b.ts', to: 'a.ts' },
        { kind: 'delete', path: 'b.ts' },
      ],
    });
    assert.equal(outcome.result.state, 'failed');
    assert.match(
      textOf(outcome),
      /^Copied a\.ts to c\.ts\.\nFailed: .*a\.ts exists already\. Nothing was changed\.\nNot tried: delete b\.ts\.$/u,
    );
    assert.equal(await workspace.read('a.ts'), 'a\n');
    assert.equal(await workspace.read('b.ts'), 'b\n');
    const { note } = outcome.result.display as unknown as ManageDisplay;
    assert.equal(note, '1 of 3 done');
  });

  it('replaces nothing, and says how to put something into a folder', async () => {
    assert.match(
      await fails({ kind: 'rename', path: 'a.ts', to: 'b.ts' }),
      /b\.ts exists already/u,
    );
    assert.match(
      await fails({ kind: 'rename', path: 'a.ts', to: 'src' }),
      /src is a folder that exists already.*e\.g\. src\/name/u,
    );
    assert.match(await fails({ kind: 'create_folder', path: 'src' }), /exists already/u);
    assert.match(await fails({ kind: 'rename', path: 'src', to: 'src/in' }), /put into itself/u);
    assert.match(await fails({ kind: 'copy', path: 'src', to: 'src/in' }), /put into itself/u);
    assert.equal(await exists('src/in'), false);
  });

  it('moves, copies and deletes links themselves, never what they lead to', async () => {
    await symlink('src', workspace.at('link'));
    await manage(
      { kind: 'copy', path: 'link', to: 'copied' },
      { kind: 'rename', path: 'link', to: 'moved' },
    );
    assert.equal(await readlink(workspace.at('copied')), 'src');
    assert.equal(await readlink(workspace.at('moved')), 'src');
    await manage({ kind: 'delete', path: 'moved' }, { kind: 'delete', path: 'copied' });
    assert.deepEqual(await readdir(workspace.at('src')), ['deep', 'one.ts']);
    assert.equal(await exists('moved'), false);
    await mkdir(workspace.at('inside'));
    await symlink('../src', workspace.at('inside/link'));
    await manage({ kind: 'copy', path: 'inside', to: 'outside' });
    assert.equal(await readlink(workspace.at('outside/link')), '../src');
  });

  it('changes only the case of a name', async () => {
    await manage({ kind: 'rename', path: 'a.ts', to: 'A.ts' });
    assert.deepEqual(
      (await readdir(workspace.folder)).filter((name) => /^a\.ts$/iu.test(name)),
      ['A.ts'],
    );
  });

  it('leaves folders alone that hold what the person keeps back, or what programs obey', async () => {
    await workspace.write('src/deep/.env.secret', 's');
    await workspace.write('.belayignore', '*.secret\n');
    for (const operation of [
      { kind: 'delete', path: 'src' },
      { kind: 'copy', path: 'src', to: 'open' },
      { kind: 'rename', path: 'src', to: 'open' },
    ])
      assert.match(await fails(operation), /src was left as it is.*the person keeps it from you/u);
    await workspace.write('tool/.git/config', '[core]\n');
    assert.match(
      await fails({ kind: 'delete', path: 'tool' }),
      /tool was left.*holds tool\/\.git/u,
    );
    await workspace.write('other/.vscode/tasks.json', '{}');
    assert.match(await fails({ kind: 'delete', path: 'other' }), /holds other\/\.vscode/u);
    assert.equal(await exists('tool/.git/config'), true);
    workspace.mode = 'ask';
    await manage({ kind: 'delete', path: 'other' });
    assert.equal(await exists('other'), false);
  });

  it('does not touch workspace folders', async () => {
    workspace.mode = 'ask';
    for (const kind of ['delete', 'rename']) {
      const more = kind === 'delete' ? {} : { to: '../elsewhere' };
      assert.match(await fails({ kind, path: '.', ...more }), /is a workspace folder|outside/u);
    }
    assert.equal(await exists('a.ts'), true);
  });

  it('shows the person each operation, with what is in a folder', async () => {
    workspace.mode = 'ask';
    await symlink('src', workspace.at('link'));
    await manage(
      { kind: 'delete', path: 'src' },
      { kind: 'rename', path: 'a.ts', to: 'c.ts' },
      { kind: 'delete', path: 'link' },
      { kind: 'create_folder', path: 'new' },
    );
    const [question] = workspace.rig.questions;
    assert.equal(question?.title, 'Change 4 files or folders');
    assert.equal(
      question.detail,
      'Delete the folder src (3 files and folders)\nMove a.ts → c.ts\nDelete the link link\nCreate the folder new',
    );
  });

  it('understands what other products call things', async () => {
    await manage(
      { type: 'move', from: 'a.ts', new_path: 'c.ts' },
      { kind: 'mkdir', path: 'made' },
      { kind: 'rm', path: 'b.ts' },
    );
    assert.deepEqual(await readdir(workspace.folder), ['c.ts', 'made', 'src']);
  });

  it('forgets what was deleted more than 30 days ago, and nothing else', async () => {
    const old = path.join(workspace.removed, 'old');
    await mkdir(old, { recursive: true });
    await writeFile(path.join(old, 'x'), '');
    const { utimes } = await import('node:fs/promises');
    await utimes(old, new Date('2020-01-01'), new Date('2020-01-01'));
    await manage({ kind: 'delete', path: 'a.ts' });
    await manage({ kind: 'delete', path: 'b.ts' });
    assert.equal((await readdir(workspace.removed)).length, 2);
    assert.equal((await readdir(workspace.removed)).includes('old'), false);
  });
});
