import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toolCallsOf, toolResultsOf } from '../../src/domain/message.ts';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { HandClock } from '../support/hand-clock.ts';
import { OtherWindow } from '../support/engine/other-window.ts';
import { TestEngine, type TestHost } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say, talk } from '../support/model-server/turn.ts';

const SLOW = calls(
  call('run_command', { command: 'echo one >> out.txt' }),
  call('run_command', { command: 'sleep 0.2; echo two >> out.txt' }),
  call('run_command', { command: 'echo three >> out.txt' }),
);

/** Runs until the second call has begun, then the window closes. */
async function interrupted(
  files: Record<string, string> = {},
  host: Partial<TestHost> = {},
): Promise<{ test: TestEngine; sessionId: string }> {
  const test = await TestEngine.open({ script: inOrder(SLOW, say('all three')), files, host });
  const sessionId = await test.start('write three lines');
  while (test.ofType('tool.started').length < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await test.close();
  return { test, sessionId };
}

describe('stories of resuming', () => {
  it('C8 C9: a run goes on where its window was closed: finished calls are replayed, open ones run', async () => {
    const { test: first, sessionId } = await interrupted();
    await using test = await TestEngine.open({ script: () => say('all three'), after: first });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(sessionId);
    assert.equal(handoff?.run.state, 'timed_out');
    assert.equal(handoff.promptDrift, false);
    assert.equal(handoff.finished.length >= 1, true);
    await agent.handoffs.resume(handoff.run.id, {});
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
    const lines = (await readFile(path.join(test.workspace, 'out.txt'), 'utf8')).trim().split('\n');
    assert.deepEqual(lines, [...new Set(lines)], 'a line was written twice');
    assert.ok(lines.includes('one') && lines.includes('three'));
    assert.equal(await agent.handoffs.of(sessionId), undefined);
  });

  it('C8: instructions that changed meanwhile are told before anything goes on', async () => {
    const { test: first, sessionId } = await interrupted({ 'AGENTS.md': 'Be brief.' });
    await writeFile(path.join(first.workspace, 'AGENTS.md'), 'Be long.');
    await using test = await TestEngine.open({ script: () => say('x'), after: first });
    assert.equal((await test.engine.agent.handoffs.of(sessionId))?.promptDrift, true);
  });

  it('C8: tools of servers that are still starting are no change; those that are gone are one', async () => {
    const tools = ['b_one', 'a_two'].map((name): Tool => ({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object', properties: {} },
      sideEffects: false,
      level: 'user',
      module: name,
      server: name,
      permission: 'none',
      check: (input) => ({ input }),
      run: async () => ({ content: [] }),
    }));
    const { test, sessionId } = await interrupted({}, { mcpTools: async () => tools });
    await using first = test;
    const drift = async (host: Partial<TestHost>): Promise<boolean | undefined> => {
      const test = await TestEngine.open({ script: () => say('x'), after: first, host });
      const handoff = await test.engine.agent.handoffs.of(sessionId);
      await test.close();
      return handoff?.promptDrift;
    };
    const starting = { mcpTools: async () => [], startingServers: () => ['a_two', 'b_one'] };
    assert.equal(await drift(starting), false, 'starting');
    assert.equal(
      await drift({ mcpTools: async () => tools.toReversed() }),
      false,
      'in another order',
    );
    assert.equal(await drift({ mcpTools: async () => tools.slice(1) }), true, 'one is gone');
    await writeFile(path.join(first.workspace, 'AGENTS.md'), 'Be brief.');
    assert.equal(await drift(starting), true, 'instructions');
  });

  it('D4: a run that is given up leaves a history that can go on', async () => {
    const { test: first, sessionId } = await interrupted();
    await using test = await TestEngine.open({ script: () => say('onwards'), after: first });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(sessionId);
    await agent.handoffs.discard(handoff?.run.id ?? '');
    const messages = await test.messages(sessionId);
    assert.deepEqual(
      messages.flatMap(toolResultsOf).map((result) => result.callId),
      messages.flatMap(toolCallsOf).map((asked) => asked.id),
    );
    await agent.send(sessionId, { text: 'something else' });
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
  });

  it('C5: a run that had used up its hard time limit is stopped by it when it is resumed', async () => {
    const { test: first, sessionId } = await interrupted();
    {
      using database = new DatabaseSync(path.join(first.folder, 'data', 'belay.db'));
      database.exec(`UPDATE checkpoints SET loop = json_set(loop, '$.activeMs', 100000000)`);
    }
    let asked = 0;
    await using test = await TestEngine.open({
      script: () => say(`answer ${(asked += 1)}`),
      after: first,
    });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(sessionId);
    await agent.handoffs.resume(handoff?.run.id ?? '', {});
    const end = await agent.runs.settled(sessionId);
    assert.deepEqual([end?.reason, end?.canContinue], ['time_limit', true]);
    assert.equal(asked, 0, 'nothing was sent beyond the limit');
    const lines = await readFile(path.join(test.workspace, 'out.txt'), 'utf8');
    assert.ok(!lines.includes('three'), 'no call was begun beyond the limit');
  });

  it('C8: a run whose process died is offered a few minutes later, without a restart', async () => {
    const clock = new HandClock();
    await using test = await TestEngine.open({ script: () => talk('on and on'), host: { clock } });
    await using other = await OtherWindow.open({ at: test, modelUrl: test.server.url });
    await test.engine.agent.start();
    const sessionId = await other.start('write');
    await other.seen('message.delta');
    await other.kill();
    const known = test.events.length;
    clock.pass(150_000);
    const isReconciled = (): boolean =>
      test.events.slice(known).some(({ type }) => type === 'agent_run.reconcile');
    while (!isReconciled()) await new Promise((resolve) => setTimeout(resolve, 10));
    const handoff = await test.engine.agent.handoffs.of(sessionId);
    assert.deepEqual([handoff?.run.state, handoff?.resumable], ['timed_out', true]);
  });
});
