import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolResultsOf } from '../../src/domain/message.ts';
import { processRow } from '../../src/hosts/node/processes/process-table.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

describe('commands in the background, through the whole engine', function () {
  this.timeout(60_000);

  const sentAt = (test: TestEngine, index: number): string =>
    JSON.stringify(test.server.requests[index]?.body.messages ?? []);

  it('the model is told at the next turn that one has ended, once, behind everything it had seen', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', {
            command: 'echo ready on 1; while [ ! -e go ]; do sleep 0.05; done; exit 3',
            background: true,
          }),
        ),
        calls(call('run_command', { command: 'touch go; sleep 1.5' })),
        say('It has ended.'),
        say('Fine.'),
      ),
    });
    const { sessionId, end } = await test.run('Start it.');
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    assert.doesNotMatch(sentAt(test, 1), /ended with exit code/u);
    assert.match(
      sentAt(test, 2),
      /<background>\\n[^<]* ended with exit code 3\.\\n<\/background>/u,
    );
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    assert.equal(sentAt(test, 3).match(/ended with exit code 3/gu)?.length, 1);
    // What was sent once is sent the same ever after.
    const plain = (index: number): string =>
      sentAt(test, index)
        .replaceAll(/,"cache_control":\{[^}]*\}/gu, '')
        .slice(0, -2);
    assert.ok(plain(3).startsWith(plain(2)), `${plain(3)}\n${plain(2)}`);
  });

  it('what runs is noted beside the next message; it is gone with its session', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(call('run_command', { command: 'echo ready on 1; sleep 600', background: true })),
        say('It runs.'),
        say('Still.'),
      ),
    });
    const { sessionId } = await test.run('Start it.');
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    assert.match(
      sentAt(test, 2),
      /Commands in the background:\\n- \S+ \(echo ready on 1; sleep 600\) runs/u,
    );
    const [command] = test.engine.commands.background?.list(sessionId) ?? [];
    assert.equal(command?.running, true);
    await test.engine.agent.removal.delete(sessionId);
    assert.equal(command.running, false);
  });

  it('what one detached ends with it, and is told', async function () {
    if (process.platform !== 'linux') this.skip();
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', {
            command:
              'setsid nohup sh -c "echo \\$\\$ > pid; exec sleep 600" > /dev/null 2>&1 & sleep 1; echo done',
            background: true,
          }),
        ),
        calls(call('run_command', { command: 'sleep 2' })),
        say('Done.'),
      ),
    });
    await test.run('Start it.');
    const pid = Number(readFileSync(path.join(test.workspace, 'pid'), 'utf8'));
    assert.ok(pid > 0);
    assert.notEqual(processRow(pid)?.state, 'S');
    assert.match(sentAt(test, 2), /what it had detached was stopped with it: sleep/u);
  });

  it('one that runs when the window closes is stopped with it', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', {
            command: 'echo $$ > pid; echo ready on 1; exec sleep 600',
            background: true,
          }),
        ),
        say('It runs.'),
      ),
    });
    const { sessionId } = await test.run('Start it.');
    const [command] = test.engine.commands.background?.list(sessionId) ?? [];
    assert.ok(existsSync(path.join(test.workspace, 'pid')));
    await test.close();
    assert.equal(command?.running, false);
    const [result] = (await openedAgain(test)).flatMap(toolResultsOf);
    const pid = (result?.display as { readonly id?: string } | undefined)?.id;
    assert.ok(pid);
  });

  /** The same folders in a new process: nothing is stopped, because nothing is left. */
  async function openedAgain(test: TestEngine) {
    await using again = await TestEngine.open({ script: inOrder(), after: test });
    const [session] = await again.engine.store.transcripts.sessions();
    assert.deepEqual(await again.engine.store.values.list('background/'), []);
    return await again.messages(session?.id ?? '');
  }

  it('durability 6: one that a crash left behind is stopped at the next start', async function () {
    if (process.platform !== 'linux') this.skip();
    await using test = await TestEngine.open({
      script: inOrder(
        calls(
          call('run_command', { command: 'echo ready on 1; exec sleep 600', background: true }),
        ),
        say('It runs.'),
      ),
    });
    await test.run('Start it.');
    const [record] = await test.engine.store.values.list('background/');
    assert.ok(record);
    const { group } = record.value as { readonly group: { readonly pid: number } };
    assert.equal(processRow(group.pid)?.name, 'sleep');
    // Another process whose owner has died: as after a crash in which the guard was killed, too.
    await test.engine.store.values.set(record.key, {
      ...(record.value as object),
      owner: { pid: 1, birth: 'long ago' },
    });
    const again = await TestEngine.open({ script: inOrder(), after: test });
    const list = async () => again.engine.store.values.list('background/');
    for (let tries = 0; tries < 300 && (await list()).length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await list(), []);
    assert.notEqual(processRow(group.pid)?.state, 'S');
    // The first goes before the folder that both work in.
    await test.close();
    await again[Symbol.asyncDispose]();
  });
});
