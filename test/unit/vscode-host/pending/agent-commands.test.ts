import assert from 'node:assert/strict';
import { RunningCommands } from '../../../../src/hosts/vscode/pending/watching/agent-commands.ts';
import { TestEngine } from '../../../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../../../support/model-server/turn.ts';

const PATCH = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n';

describe('staging while an agent works', () => {
  it('is the user’s, unless a tool runs that executes programs', async () => {
    await using test = await TestEngine.open({
      files: { 'a.txt': 'one\n' },
      settings: { 'permissions.mode': 'auto' },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(
          call('todo', { items: [{ text: 'Edit', status: 'active' }] }),
          call('apply_patch', { patch: PATCH }),
          call('background_command', { action: 'read', id: 'none' }),
          call('run_command', { command: 'true' }),
        ),
        say('Done.'),
      ),
    });
    const commands = new RunningCommands(test.engine.broker);
    const [started, executing]: [string[], string[]] = [[], []];
    test.engine.broker.listen((event) => {
      if (event.type !== 'tool.started') return;
      started.push(event.name);
      if (commands.running) executing.push(event.name);
    });
    await test.run('Go');
    assert.deepEqual(started.toSorted(), [
      'apply_patch',
      'background_command',
      'read_file',
      'run_command',
      'todo',
    ]);
    assert.deepEqual([executing, commands.running], [['run_command'], false]);
    commands.dispose();
  });
});
