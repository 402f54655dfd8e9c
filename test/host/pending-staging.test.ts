import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';
import { PendingKit } from './pending-kit.ts';

const run = promisify(execFile);

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\n';
const AFTER = 'one\n2\nthree\nfour\n5\nsix\n';

interface GitApi {
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

interface Repository {
  readonly state: { readonly HEAD: { readonly name?: string } | undefined };
  status(): Promise<void>;
}

describe('pending changes and git', function () {
  this.timeout(60_000);

  let kit: PendingKit;
  let file: string;
  let repository: Repository;

  const git = async (...args: readonly string[]): Promise<void> => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    await run('git', [...identity, ...args], { cwd: kit.folder });
  };

  beforeEach(async () => {
    // In the workspace, where files are watched.
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root);
    kit = await PendingKit.open(root);
    file = await kit.file('a.txt', BEFORE);
    await kit.file('b.txt', BEFORE);
    await git('init', '--quiet', '--initial-branch', 'main');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'first');
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(extension);
    const api = (await extension.activate()).getAPI(1);
    const opened = await api.openRepository(vscode.Uri.file(kit.folder));
    assert.ok(opened);
    repository = opened;
  });

  afterEach(() => kit.close());

  it('staging a file keeps what is written in it, and nothing else', async () => {
    await kit.edit(file, AFTER);
    await kit.edit(kit.path('b.txt'), AFTER);
    await kit.edit(kit.path('c.txt'), 'new\n');
    await repository.status();
    await git('add', 'a.txt');
    await repository.status();
    await eventually('it is kept', () => kit.hunks(file).length === 0);
    assert.equal(kit.hunks(kit.path('b.txt')).length, 2);
    await git('add', 'c.txt');
    await repository.status();
    await eventually('it is kept', () => kit.hunks(kit.path('c.txt')).length === 0);
    assert.equal(kit.hunks(kit.path('b.txt')).length, 2);
    assert.equal(await readFile(file, 'utf8'), AFTER);
  });

  it('staging a part keeps the changes in it', async () => {
    await kit.edit(file, AFTER);
    await writeFile(kit.path('part.txt'), BEFORE.replace('two', '2'));
    const { stdout } = await run('git', ['hash-object', '-w', 'part.txt'], { cwd: kit.folder });
    await git('update-index', '--cacheinfo', `100644,${stdout.trim()},a.txt`);
    await repository.status();
    await eventually('one is kept', () => kit.hunks(file).length === 1);
    assert.deepEqual(kit.hunks(file), ['-five+5']);
  });

  it('what was staged before the agent came stays pending, also when it makes the same of it', async () => {
    await writeFile(file, AFTER);
    await git('add', 'a.txt');
    await writeFile(file, BEFORE);
    await repository.status();
    await kit.edit(file, AFTER);
    await kit.settled();
    await repository.status();
    await kit.settled();
    assert.equal(kit.hunks(file).length, 2);
  });

  it('what an agent’s command stages is not kept', async () => {
    await kit.edit(file, AFTER);
    await repository.status();
    await kit.command(() => git('add', 'a.txt'));
    await repository.status();
    await kit.edit(kit.path('b.txt'), AFTER);
    await kit.settled();
    await git('add', 'b.txt');
    await repository.status();
    await eventually('the person’s is', () => kit.hunks(kit.path('b.txt')).length === 0);
    assert.equal(kit.hunks(file).length, 2);
  });

  it('pending changes live through a checkout of another branch and back', async () => {
    await git('checkout', '--quiet', '-b', 'other');
    await writeFile(file, `zero\n${BEFORE}`);
    await git('commit', '--quiet', '-am', 'second');
    await git('checkout', '--quiet', 'main');
    await kit.edit(kit.path('b.txt'), AFTER);
    const untouched = await kit.file('c.txt', BEFORE);
    await kit.edit(untouched, AFTER);
    await git('checkout', '--quiet', 'other');
    await kit.edit(file, `zero\n${AFTER}`);
    await git('stash', '--quiet');
    await eventually('the file is as it was', () => kit.hunks(file).length === 0);
    await git('stash', 'pop', '--quiet');
    await eventually('it is pending again', () => kit.hunks(file).length === 2);
    assert.equal(await readFile(file, 'utf8'), `zero\n${AFTER}`);
    assert.deepEqual(kit.hunks(file), ['-two+2', '-five+5']);
    assert.deepEqual(kit.hunks(untouched), ['-two+2', '-five+5']);
    assert.equal(await readFile(untouched, 'utf8'), AFTER);
  });
});
