import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { promptIn, saysReady } from '../../../src/core/background/ready-line.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { ToolOutcome } from '../../../src/core/tool-call/tool-call.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';
import { textOf } from '../tool-call/rig.ts';

describe('commands in the background', function () {
  this.timeout(30_000);

  let workspace: WorkspaceRig;

  beforeEach(async () => {
    workspace = await WorkspaceRig.open();
  });

  afterEach(async () => {
    await workspace.close();
  });

  /** Calls a tool; while it works the clock goes on as fast as the machine can. */
  async function call(name: string, input: JsonObject): Promise<ToolOutcome> {
    const running = workspace.call(name, input);
    const over = running.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([over, sleep(10, false)]))) await workspace.rig.clock.advance(25);
    return running;
  }

  const idOf = ({ result }: Pick<ToolOutcome, 'result'>): string =>
    (result.display as { readonly id?: string } | undefined)?.id ?? '';

  async function ended(id: string): Promise<void> {
    for (let tries = 0; tries < 500; tries += 1) {
      if (!workspace.background.find(workspace.rig.session, id).running) return;
      await sleep(10);
    }
    assert.fail(`${id} runs on`);
  }

  it('gives the first output as soon as a server is up, and goes on', async () => {
    const outcome = await call('run_command', {
      command: 'echo "listening on http://localhost:3000"; sleep 600',
      background: true,
    });
    const id = idOf(outcome);
    assert.equal(outcome.result.state, 'done');
    assert.match(
      textOf(outcome),
      /^listening on http:\/\/localhost:3000\n\[background-\d+ is running/u,
    );
    assert.equal(outcome.result.display?.['running'], true);
    assert.equal(workspace.background.find(workspace.rig.session, id).running, true);
  });

  it('tells an early end with its exit code, as a failure', async () => {
    const outcome = await call('run_command', {
      command: 'echo no port; exit 98',
      background: true,
    });
    assert.equal(outcome.result.state, 'failed');
    assert.match(textOf(outcome), /^no port\n\[background-\d+ ended with exit code 98\]$/u);
    assert.equal(outcome.result.display?.['exitCode'], 98);
    assert.deepEqual(workspace.background.takeNews(workspace.rig.session), []);
  });

  it('says what it waits for; what is written is answered', async () => {
    const outcome = await call('run_command', {
      command: 'printf "Proceed? [y/N] "; read answer; echo "said $answer"; exit 5',
      background: true,
    });
    const id = idOf(outcome);
    assert.match(
      textOf(outcome),
      /waits for an answer to "Proceed\? \[y\/N\]": give it with background_command/u,
    );
    const answered = await call('background_command', { action: 'write', id, input: 'y' });
    assert.match(textOf(answered), /said y\n\[background-\d+ ended with exit code 5\]/u);
  });

  it('reads only what is new, and waits for it when asked to', async () => {
    const outcome = await call('run_command', {
      command: 'echo "ready on 1"; while read line; do echo "new $line"; done',
      background: true,
    });
    const id = idOf(outcome);
    const nothing = await call('background_command', { action: 'read', id });
    assert.match(textOf(nothing), /^\[no new output\]/u);
    await workspace.background.find(workspace.rig.session, id).write('x');
    const more = await call('background_command', { action: 'read', id, wait: 20 });
    assert.match(textOf(more), /^new x\n\[/u);
    const listed = await call('background_command', { action: 'list' });
    assert.match(textOf(listed), new RegExp(`^${id} is running: echo`, 'u'));
  });

  it('stops with the signal it ended by; stopping is no failure', async () => {
    const { result } = await call('run_command', {
      command: 'echo ready in 1 s; sleep 600',
      background: true,
    });
    const id = idOf({ result });
    const stopped = await call('background_command', { action: 'stop', id });
    assert.equal(stopped.result.state, 'done');
    assert.match(textOf(stopped), /\[background-\d+ ended by SIGTERM\]$/u);
    const again = await call('background_command', { action: 'stop', id });
    assert.match(textOf(again), /ended by SIGTERM/u);
  });

  it('tells the model once that one ended, and what the person did', async () => {
    const { session } = workspace.rig;
    const { result } = await call('run_command', {
      command: 'echo ready on 1; read x; exit 3',
      background: true,
    });
    const id = idOf({ result });
    assert.match(workspace.background.running(session).join(), new RegExp(`^${id} .* runs$`, 'u'));
    workspace.background
      .find(session, id)
      .write('go')
      .catch(() => undefined);
    await ended(id);
    assert.deepEqual(workspace.background.takeNews(session), [
      `${id} (echo ready on 1; read x; exit 3) ended with exit code 3.`,
    ]);
    assert.deepEqual(workspace.background.takeNews(session), []);
    assert.deepEqual(workspace.background.running(session), []);
    const other = idOf(
      await call('run_command', { command: 'echo ready on 1; sleep 600', background: true }),
    );
    await workspace.background.stopAll(undefined, 'person');
    assert.match(
      workspace.background.takeNews(session).join(),
      new RegExp(`^${other} .* ended by SIGTERM \\(stopped by the person\\)`, 'u'),
    );
  });

  it('writing needs a yes that shows the input and the command; reading and stopping do not', async () => {
    const { result } = await call('run_command', {
      command: 'echo ready on 1; cat',
      background: true,
    });
    const id = idOf({ result });
    workspace.mode = 'ask';
    workspace.rig.answers.push({ allowed: false });
    const denied = await call('background_command', {
      action: 'write',
      id,
      input: 'rm -rf x\u200b',
    });
    assert.equal(denied.result.state, 'denied');
    const [question] = workspace.rig.questions;
    assert.equal(question?.detail, 'rm -rf x<U+200B>');
    assert.match(question.where ?? '', /^To “echo ready on 1; cat/u);
    assert.equal((await call('background_command', { action: 'read', id })).result.state, 'done');
    assert.equal((await call('background_command', { action: 'stop', id })).result.state, 'done');
    assert.equal(workspace.rig.questions.length, 1);
  });

  it('a session knows only its own; a deleted one leaves nothing running', async () => {
    const { rig } = workspace;
    const { result } = await call('run_command', {
      command: 'echo ready on 1; sleep 600',
      background: true,
    });
    const id = idOf({ result });
    assert.throws(() => workspace.background.find('other', id), /There is no background command/u);
    const command = workspace.background.find(rig.session, id);
    await workspace.background.forget(rig.session);
    assert.equal(command.running, false);
    assert.deepEqual(workspace.background.list(rig.session), []);
  });

  it('D4: a run that is stopped while one starts leaves nothing running', async () => {
    const { rig } = workspace;
    const running = workspace.call('run_command', {
      command: 'echo x; sleep 600',
      background: true,
    });
    while (workspace.background.list(rig.session).length === 0) await sleep(5);
    rig.abort.abort('canceled');
    const outcome = await running;
    assert.equal(outcome.result.state, 'canceled');
    assert.equal(
      workspace.background.list(rig.session).some((one) => one.running),
      false,
    );
  });

  it('durability 6: what a process that died left running is found and stopped; a living one is left alone', async () => {
    const { rig } = workspace;
    const { result } = await call('run_command', {
      command: 'echo ready on 1; sleep 600',
      background: true,
    });
    const id = idOf({ result });
    await workspace.background.stopAbandoned();
    assert.equal(workspace.background.find(rig.session, id).running, true);
    const [record] = (await rig.store.values.list('background/')).filter(({ key }) =>
      key.endsWith(id),
    );
    assert.ok(record);
    const value = record.value as { readonly group: JsonObject };
    await rig.store.values.set(record.key, { ...value, owner: { pid: 1, birth: 'long ago' } });
    await workspace.background.stopAbandoned();
    await ended(id);
    assert.equal(
      (await rig.store.values.list('background/')).some(({ key }) => key.endsWith(id)),
      false,
    );
  });

  it('C9: the group is recorded with the call before the command can do anything', async () => {
    const outcome = await call('run_command', {
      command: 'echo ready on 1; sleep 600',
      background: true,
    });
    const row = await workspace.rig.row(outcome.result.callId);
    assert.ok((row?.process?.pid ?? 0) > 1);
  });
});

describe('what a program says', () => {
  it('is up', () => {
    for (const line of [
      'Listening on port 3000',
      '  ➜  Local:   http://localhost:5173/',
      'Server started',
      '[webpack] compiled successfully',
      'Found 0 errors. Watching for file changes.',
      ' * Running on http://127.0.0.1:5000',
      'ready in 320 ms',
    ])
      assert.equal(saysReady(line), true, line);
    for (const line of ['Installing packages', 'GET /users 200', 'I am reading a file'])
      assert.equal(saysReady(line), false, line);
  });

  it('asks', () => {
    const asking: Readonly<Record<string, string>> = {
      'x\nOverwrite? [y/N] ': 'Overwrite? [y/N]',
      "Password for 'https://example.com': ": "Password for 'https://example.com':",
      'Are you sure you want to continue connecting (yes/no/[fingerprint])? ':
        'Are you sure you want to continue connecting (yes/no/[fingerprint])?',
      '>>> ': '>>>',
      'Press any key to continue . . .': 'Press any key to continue . . .',
    };
    for (const [output, prompt] of Object.entries(asking)) assert.equal(promptIn(output), prompt);
    for (const output of ['Done?\n', 'compiling', '', 'a: b'])
      assert.equal(promptIn(output), undefined, output);
  });
});
