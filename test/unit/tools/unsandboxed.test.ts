import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { WorkspaceRig } from '../../contract/tool/workspace-rig.ts';

describe('A5: run_command and the sandbox', function () {
  this.timeout(30_000);

  let workspace: WorkspaceRig;
  let seen: (boolean | undefined)[];

  beforeEach(async () => {
    workspace = await WorkspaceRig.open({});
    workspace.mode = 'ask';
    seen = [];
    const { shell } = workspace;
    const [run, start] = [shell.run.bind(shell), shell.start.bind(shell)];
    shell.run = async (request) => {
      seen.push(request.unsandboxed);
      return run(request);
    };
    shell.start = async (request) => {
      seen.push(request.unsandboxed);
      return start(request);
    };
  });

  afterEach(() => workspace.close());

  const tool = (): { readonly inputSchema: unknown } => {
    const found = workspace.rig.tools.find(({ name }) => name === 'run_command');
    assert.ok(found);
    return found;
  };

  it('has no argument for it while it is off', async () => {
    assert.doesNotMatch(JSON.stringify(tool().inputSchema), /sandbox/u);
    const input = { command: 'true', unsandboxed: 'I want to' };
    assert.match(await workspace.failure('run_command', input), /unsandboxed/u);
    assert.deepEqual(seen, []);
  });

  it('has one while it is on, and asks with the reason, in the background, too', async () => {
    workspace.settings.set('terminal.sandbox', 'on');
    assert.match(JSON.stringify(tool().inputSchema), /unsandboxed/u);
    const input = { command: 'echo hi', unsandboxed: 'it needs the cache\u200b' };
    assert.equal(await workspace.text('run_command', input), 'hi\n[exit code 0]');
    await workspace.call('run_command', { ...input, background: true });
    assert.deepEqual(seen, [true, true]);
    const [first, second] = workspace.rig.questions;
    assert.equal(first?.title, 'Run a command, outside the sandbox');
    assert.match(first.reason ?? '', /OUTSIDE THE SANDBOX.*reason: it needs the cache<U\+200B>/u);
    assert.equal(first.keep, undefined);
    assert.equal(second?.title, 'Run a command in the background, outside the sandbox');
  });

  it('runs nothing after a no', async () => {
    workspace.settings.set('terminal.sandbox', 'on');
    workspace.rig.answers.push({ allowed: false });
    await workspace.call('run_command', { command: 'true', unsandboxed: 'x' });
    assert.deepEqual(seen, []);
  });

  it('stays in the sandbox without it, whatever other spelling is used', async () => {
    workspace.settings.set('terminal.sandbox', 'on');
    await workspace.call('run_command', { command: 'true' });
    await workspace.call('run_command', { command: 'true', unsandboxed: '' });
    assert.deepEqual(seen, [false]);
  });

  it('runs read-only only what neither writes, goes on in the background nor leaves the sandbox', () => {
    const found = workspace.rig.tools.find(({ name }) => name === 'run_command');
    const canRun = (input: JsonObject): boolean | undefined => found?.canRunReadOnly?.(input);
    assert.equal(canRun({ command: 'true' }), true);
    for (const more of [{ writes: true }, { background: true }, { unsandboxed: 'why' }])
      assert.equal(canRun({ command: 'true', ...more }), false, JSON.stringify(more));
  });

  it('runs nothing that the sandbox alone allowed where there is no sandbox', async () => {
    workspace.settings.set('terminal.sandbox', 'on');
    workspace.rig.decide = async () => ({
      verdict: 'allow',
      judged: new Map(),
      readOnly: { hidden: [] },
    });
    assert.match(
      await workspace.failure('run_command', { command: 'touch made' }),
      /may run in the sandbox only/u,
    );
    assert.equal(existsSync(workspace.at('made')), false);
  });
});
