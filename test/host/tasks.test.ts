import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isAbortError } from '../../src/domain/lifetime/abort.ts';
import { EditorTasks } from '../../src/hosts/vscode/tasks/editor-tasks.ts';
import { eventually } from './eventually.ts';

/** What stands in the tasks.json of these tests. */
const DECLARED = [
  { label: 'build', command: 'echo built', group: 'build' },
  { label: 'fails', command: 'exit 3' },
  {
    label: 'problems',
    command: 'echo "README.md(2,1): error TS1005: a semicolon is missing"; exit 2',
    problemMatcher: '$tsc',
  },
  { label: 'waits', command: 'sleep 600' },
  { label: 'watch', command: 'echo begun; sleep 600', isBackground: true },
];

describe('tasks of VS Code', function () {
  this.timeout(60_000);

  let file: vscode.Uri;
  const tasks = new EditorTasks();
  const never = new AbortController().signal;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    file = vscode.Uri.joinPath(folder.uri, '.vscode/tasks.json');
    const declared = DECLARED.map((task) => ({ type: 'shell', problemMatcher: [], ...task }));
    const content = JSON.stringify({ version: '2.0.0', tasks: declared });
    await vscode.workspace.fs.writeFile(file, Buffer.from(content));
    await eventually('the tasks', async () => {
      const found = await vscode.tasks.fetchTasks();
      return found.some(({ name }) => name === 'watch');
    });
  });

  after(async () => {
    for (const execution of vscode.tasks.taskExecutions) execution.terminate();
    await vscode.workspace.fs.delete(file);
  });

  it('are listed with their source and group', async () => {
    const ours = (await tasks.list()).filter(({ source }) => source === 'Workspace');
    assert.deepEqual(
      ours.map(({ id }) => id),
      ['build', 'fails', 'problems', 'waits', 'watch'],
    );
    assert.equal(ours[0]?.group, 'build');
    assert.equal(ours[4]?.background, true);
  });

  it('run to their end, with the exit code', async () => {
    assert.deepEqual(await tasks.run('build', never), {
      exitCode: 0,
      running: false,
      problems: [],
    });
    assert.equal((await tasks.run('fails', never)).exitCode, 3);
  });

  it('tell what their matchers found', async () => {
    const { exitCode, problems } = await tasks.run('problems', never);
    assert.equal(exitCode, 2);
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.path ?? '', /README\.md$/u);
    assert.equal(problems[0]?.line, 2);
    assert.match(problems[0]?.message ?? '', /semicolon/u);
  });

  it('D4: end when the run is stopped', async () => {
    const stop = new AbortController();
    const running = tasks.run('waits', stop.signal);
    await sleep(1500);
    stop.abort('canceled');
    await assert.rejects(running, isAbortError);
    for (let tries = 0; tries < 600 && isRunning('waits'); tries += 1) await sleep(50);
    assert.equal(isRunning('waits'), false);
  });

  it('that watch go on, and are not waited for', async () => {
    const { running, exitCode } = await tasks.run('watch', never);
    assert.equal(running, true);
    assert.equal(exitCode, undefined);
    assert.equal(isRunning('watch'), true);
  });

  it('that are gone are named', async () => {
    await assert.rejects(tasks.run('nothing', never), { code: 'not_found' });
  });
});

function isRunning(name: string): boolean {
  return vscode.tasks.taskExecutions.some(({ task }) => task.name === name);
}
