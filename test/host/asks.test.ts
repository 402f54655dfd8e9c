import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { CommitMessages } from '../../src/hosts/vscode/asks/commit-message.ts';
import type { CommitRepository } from '../../src/hosts/vscode/asks/commit-message.ts';
import { ProblemActions } from '../../src/hosts/vscode/asks/problem-actions.ts';
import { LENT_TOOL_NAMES, lentName } from '../../src/manifest/lent-tool-names.ts';
import { type ModelServer, startModelServer } from '../support/model-server/server.ts';
import { eventually } from './eventually.ts';

const [workspace] = vscode.workspace.workspaceFolders ?? [];
assert.ok(workspace);
const root = workspace.uri.fsPath;
const inFolder = (name: string): vscode.Uri => vscode.Uri.file(path.join(root, 'asks', name));

/** The mode, as the model is told. */
const READ = /Mode: read only\./u;

describe('Belay in the menus of VS Code', function () {
  this.timeout(90_000);

  let server: ModelServer;
  const settings = vscode.workspace.getConfiguration('belay');
  const run = async (command: string, ...given: unknown[]): Promise<unknown> =>
    vscode.commands.executeCommand(command, ...given);

  before(async () => {
    server = await startModelServer({
      strict: false,
      keyless: true,
      script: () => ({ content: [{ type: 'text', text: 'Mend the sum\n\nIt was one too much.' }] }),
    });
    await settings.update('model.baseUrl', server.url, vscode.ConfigurationTarget.Global);
    await mkdir(path.join(root, 'asks'), { recursive: true });
    await writeFile(inFolder('sum.txt').fsPath, 'one\ntwo\nthree\n');
  });
  after(async () => {
    await settings.update('model.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await run('workbench.action.closeAllEditors');
    await run('notifications.clearAll');
    await server.close();
    await rm(path.join(root, 'asks'), { recursive: true, force: true });
  });

  /** What the model is sent when this is done; requests for titles are others. */
  async function asked(words: RegExp, work: () => Promise<unknown>): Promise<string> {
    const before = server.requests.length;
    await work();
    return eventually(`the model is asked: ${String(words)}`, () =>
      server.requests
        .slice(before)
        .map(({ body }) => JSON.stringify(body))
        .find((text) => words.test(text) && /"tools":/u.test(text)),
    );
  }

  it('offers to fix and to explain a problem as code actions, loads nothing for it, and sends what is meant', async () => {
    const uri = inFolder('sum.txt');
    const editor = await vscode.window.showTextDocument(uri);
    const range = new vscode.Range(1, 0, 1, 3);
    const problem = new vscode.Diagnostic(range, 'Two is one too much.');
    Object.assign(problem, { source: 'sample', code: 7 });
    const collection = vscode.languages.createDiagnosticCollection('belay-asks');
    collection.set(uri, [problem]);
    try {
      const offered = await eventually('the actions are offered', async () => {
        const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          range,
        );
        const ours = actions.filter(({ title }) => title.endsWith('with Belay'));
        return ours.length === 2 && ours;
      });
      assert.deepEqual(
        offered.map(({ title, kind }) => [title, kind?.value]),
        [
          ['Fix with Belay', 'quickfix'],
          ['Explain with Belay', 'quickfix'],
        ],
      );
      const [fix, explain] = offered.map(({ command }) => command);
      assert.ok(fix !== undefined && explain !== undefined);
      const fixing = await asked(/Fix this problem/u, async () =>
        run(fix.command, ...((fix.arguments ?? []) as unknown[])),
      );
      assert.match(fixing, /asks\/sum\.txt:\\n\\n- line 2: Two is one too much\. \(sample 7\)/u);
      assert.match(fixing, /The person mentions @sum\.txt:2/u);
      const explaining = await asked(/Explain this problem/u, async () =>
        run(explain.command, ...((explain.arguments ?? []) as unknown[])),
      );
      assert.match(explaining, READ);
      assert.doesNotMatch(fixing, READ);
    } finally {
      collection.dispose();
    }
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    assert.match(
      await asked(/Explain lines 1 to 2 of/u, async () => run('belay.explain')),
      /one\\n|two/u,
    );
  });

  it('takes the kinds that VS Code asks for, and nothing where nothing is meant', () => {
    const actions = new ProblemActions();
    const document = { uri: inFolder('sum.txt') };
    const at = new vscode.Range(0, 0, 0, 0);
    const context = { diagnostics: [], triggerKind: 1, only: undefined };
    assert.deepEqual(actions.provideCodeActions(document, at, context), []);
    const only = vscode.CodeActionKind.SourceFixAll;
    const problem = new vscode.Diagnostic(at, 'no');
    const given = { ...context, only, diagnostics: [problem] };
    assert.deepEqual(actions.provideCodeActions(document, at, given), []);
  });

  it('fixes a failed test with what its runner says, and reviews changes in mode Read', async () => {
    const tests = vscode.tests.createTestController('belay-asks', 'Sums');
    try {
      const suite = tests.createTestItem('s', 'sums', inFolder('sum.txt'));
      const test = tests.createTestItem('t', 'adds', inFolder('sum.txt'));
      suite.children.add(test);
      tests.items.add(suite);
      const message = vscode.TestMessage.diff('They differ.', '2', '3');
      message.location = new vscode.Location(inFolder('sum.txt'), new vscode.Position(1, 0));
      const sent = await asked(/sums › adds/u, async () => run('belay.fixTest', { test, message }));
      assert.match(sent, /asks\/sum\.txt:2\) fails/u);
      assert.match(sent, /They differ\.\\nexpected: 2\\nactual: 3/u);
      await asked(/The test “sums › adds”/u, async () => run('belay.fixTest', test));
    } finally {
      tests.dispose();
    }
    const reviewed = await asked(/Review my uncommitted changes as/u, async () =>
      run('belay.reviewChanges'),
    );
    assert.match(reviewed, /The person mentions @git-changes/u);
    assert.match(reviewed, READ);
    const file = await asked(/uncommitted changes of asks\/sum\.txt/u, async () =>
      run('belay.reviewChanges', inFolder('sum.txt')),
    );
    assert.match(file, /The person mentions @sum\.txt/u);
  });

  it('mentions files, the selection and a terminal, and shows the text of a link: nothing is sent', async () => {
    const before = server.requests.length;
    await vscode.window.showTextDocument(inFolder('sum.txt'));
    await run('belay.mention', inFolder('sum.txt'), [inFolder('sum.txt'), workspace.uri]);
    await run('belay.mention');
    await run('belay.mentionTerminal');
    await run('belay.openPrompt', { path: '/prompt', query: 'text=rm -rf everything' });
    await run('belay.openPrompt', { path: '/prompt', query: 'nothing' });
    await run('belay.fixTest', undefined);
    assert.equal(server.requests.length, before);
  });

  it('writes a commit message into the input of the repository that is meant', async () => {
    const folder = path.join(root, 'asks', 'repository');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder });
    git('init', '-q');
    await writeFile(path.join(folder, 'sum.txt'), '3\n');
    git('add', '.');
    git('-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-qm', 'Add the sum');
    await writeFile(path.join(folder, 'sum.txt'), 'password = "hunter2hunter2"\n2\n');
    interface Git {
      getAPI(version: 1): {
        openRepository(uri: vscode.Uri): Promise<CommitRepository | null>;
      };
    }
    const api = (await vscode.extensions.getExtension<Git>('vscode.git')?.activate())?.getAPI(1);
    const repository = await api?.openRepository(vscode.Uri.file(folder));
    assert.ok(repository);
    const before = server.requests.length;
    void run('belay.writeCommitMessage', { rootUri: vscode.Uri.file(folder) });
    await eventually(
      'the message is there',
      () => repository.inputBox.value === 'Mend the sum\n\nIt was one too much.',
    );
    const [request] = server.requests.slice(before).map(({ body }) => JSON.stringify(body));
    assert.match(request ?? '', /-3\\n/u);
    assert.match(request ?? '', /Add the sum/u);
    assert.doesNotMatch(request ?? '', /hunter2/u);
  });

  it('keeps what was typed into the input: while it writes, when it is stopped, and when it fails', async () => {
    const repository = { rootUri: vscode.Uri.file('/r'), inputBox: { value: 'typed' } };
    let during: (onText: (text: string) => void) => Promise<string> = async () => 'whole';
    const messages = new CommitMessages({
      changes: async () => [{ type: 'text', text: 'What is staged:\ndiff' }],
      write: async ({ typed, onText }) => {
        assert.equal(typed, 'typed');
        return during(onText);
      },
      sessionId: () => '',
    });
    const { inputBox } = repository;
    const stop = new AbortController();
    assert.equal(await messages.write(repository, stop.signal), true);
    assert.equal(inputBox.value, 'whole');

    inputBox.value = 'typed';
    during = async (onText) => {
      onText('half');
      assert.equal(inputBox.value, 'half');
      throw new Error('the model is gone');
    };
    await assert.rejects(messages.write(repository, stop.signal), /gone/u);
    assert.equal(inputBox.value, 'typed');

    during = async (onText) => {
      onText('half');
      inputBox.value = 'half and mine';
      onText('half and more');
      return 'whole';
    };
    assert.equal(await messages.write(repository, stop.signal), false);
    assert.equal(inputBox.value, 'half and mine');

    inputBox.value = 'typed';
    during = async (onText) => {
      onText('half');
      stop.abort();
      onText('more');
      return 'whole';
    };
    assert.equal(await messages.write(repository, stop.signal), false);
    assert.equal(inputBox.value, 'typed');
  });

  it('lends tools that only read to agents of other extensions, with the rules and masks of its own', async () => {
    const declared = vscode.lm.tools.map(({ name }) => name);
    for (const tool of LENT_TOOL_NAMES) assert.ok(declared.includes(lentName(tool)), tool);
    await writeFile(inFolder('found.txt').fsPath, 'a needle in a haystack\n');
    await writeFile(inFolder('.env').fsPath, 'NEEDLE=needle in secret\n');
    const use = async (tool: string, input: object): Promise<string> =>
      (await run('sample.useTool', tool, input)) as string;
    const found = await use('belay_search_text', { pattern: 'needle', path: 'asks' });
    assert.match(found, /found\.txt[\s\S]*a needle in a haystack/u);
    assert.doesNotMatch(found, /in secret/u);
    assert.match(await use('belay_find_files', { pattern: '**/found.txt' }), /asks\/found\.txt/u);
    assert.match(await use('belay_pending_changes', {}), /Nothing waits|not decided yet/u);
    assert.match(await use('belay_editor_state', {}), /\S/u);
    await assert.rejects(use('belay_search_text', { pattern: 'root', path: '/etc/passwd' }));
    await assert.rejects(use('belay_pending_changes', { path: '/etc/passwd' }));
  });
});
