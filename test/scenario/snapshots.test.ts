import assert from 'node:assert/strict';
import { textOf } from '../../src/domain/message.ts';
import { crash } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const texts = async (test: TestEngine, sessionId: string): Promise<string[]> =>
  (await test.messages(sessionId))
    .filter(({ origin, role }) => origin !== 'environment' && role !== 'tool')
    .map(textOf);

describe('stories of snapshots', () => {
  it('D8: a session is put back to a saved state and goes on from there; what it was is kept', async () => {
    await using test = await TestEngine.open({
      script: inOrder(say('one'), say('two'), say('three')),
    });
    const { agent, store, restore, redo } = test.engine;
    const { sessionId } = await test.run('first');
    const saved = await store.snapshots.save(sessionId, 'after the first');
    await agent.send(sessionId, { text: 'second' });
    await agent.runs.settled(sessionId);
    const [state] = await store.snapshots.list(sessionId);
    assert.equal(state?.id, saved);
    await restore.replace(sessionId, state);
    const last = await redo.last(sessionId);
    assert.deepEqual([last?.title, last?.isSnapshot], ['after the first', true]);
    assert.deepEqual(await texts(test, sessionId), ['first', 'one']);
    await agent.send(sessionId, { text: 'third' });
    await agent.runs.settled(sessionId);
    assert.deepEqual(await texts(test, sessionId), ['first', 'one', 'third', 'three']);
    assert.doesNotMatch(test.server.requests.at(-1)?.text ?? '', /"second"/u);
    const [automatic] = await store.snapshots.list(sessionId);
    assert.deepEqual([automatic?.kind, automatic?.messageCount], ['automatic', 5]);
    await restore.replace(sessionId, automatic);
    assert.deepEqual(await texts(test, sessionId), ['first', 'one', 'second', 'two']);
    await redo.redo(sessionId, []);
    assert.deepEqual(await texts(test, sessionId), ['first', 'one', 'third', 'three']);
    assert.equal(await redo.last(sessionId), undefined);
  });

  it('D8: a session is emptied, and the next message is its first', async () => {
    await using test = await TestEngine.open({ script: inOrder(say('one'), say('two')) });
    const { agent, restore } = test.engine;
    const { sessionId } = await test.run('first');
    await restore.replace(sessionId, undefined);
    assert.deepEqual(await test.messages(sessionId), []);
    await agent.send(sessionId, { text: 'anew' });
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
    assert.deepEqual(await texts(test, sessionId), ['anew', 'two']);
  });

  it('D8: a session at work is not changed', async () => {
    await using test = await TestEngine.open({
      script: () => say('x'.repeat(500), { gapMs: 20, deltaSize: 10 }),
    });
    const { agent, restore } = test.engine;
    const sessionId = await test.start('go');
    await assert.rejects(restore.replace(sessionId, undefined), { code: 'busy' });
    agent.runs.cancel(sessionId);
    await agent.runs.settled(sessionId);
    assert.deepEqual((await texts(test, sessionId))[0], 'go');
  });

  it('D8: emptying a session ends what a crash had left behind in it', async () => {
    await using crashed = await crash({
      script: () => calls(call('run_command', { command: 'echo on >> out.txt; sleep 30' })),
      until: async (window) => window.seen('tool.started'),
    });
    await using test = await TestEngine.open({ script: () => say('fine'), after: crashed });
    const { agent, restore } = test.engine;
    const { sessionId } = crashed;
    await agent.handoffs.reconcile();
    assert.notEqual(await agent.handoffs.of(sessionId), undefined);
    await restore.replace(sessionId, undefined);
    assert.equal(await agent.handoffs.of(sessionId), undefined);
    await agent.send(sessionId, { text: 'anew' });
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
  }).timeout(30_000);

  it('what is queued in an imported session waits until the person sends something in it', async () => {
    await using test = await TestEngine.open({ script: () => say('done') });
    const { agent, store } = test.engine;
    const { sessionId } = await test.run('first');
    const queued = { id: 'q-9', sessionId, text: 'sent by nobody', attachments: [] };
    const lines: string[] = [];
    for await (const line of store.transfer.exportSession(sessionId)) {
      if (line.includes('"type":"end"'))
        lines.push(
          JSON.stringify({
            type: 'queued',
            queued: { ...queued, mode: 'queue', position: 1, createdAt: 0 },
          }),
          JSON.stringify({
            type: 'value',
            sessionId,
            key: 'changes/00000001',
            value: { callId: 'x', tool: 'x', at: 0, uncertain: false, folders: [] },
          }),
        );
      lines.push(
        line.replace(
          /("type":"end","lines":)(\d+)/u,
          (_, end: string, count: string) => `${end}${Number(count) + 2}`,
        ),
      );
    }
    const { sessionId: imported } = await store.transfer.importSession(lines);
    assert.deepEqual(await store.values.list('changes/', imported), []);
    await agent.queue.refresh();
    assert.equal(agent.queue.list(imported).length, 1, 'it is there to be seen');
    await agent.start();
    await agent.runs.settled(imported);
    assert.equal(agent.queue.list(imported).length, 1);
    await agent.send(imported, { text: 'go on' });
    const told = async (): Promise<string> => JSON.stringify(await test.messages(imported));
    while (!(await told()).includes('go on')) await agent.runs.settled(imported);
    assert.match(await told(), /sent by nobody[^]*go on/u);
  });

  it('D8: an exported session is imported with everything and goes on; a damaged file only in part', async () => {
    await using test = await TestEngine.open({
      script: inOrder(
        calls(call('run_command', { command: 'echo hello' }, 'one')),
        say('done'),
        say('on'),
        say('further'),
      ),
    });
    const { agent, store } = test.engine;
    const { sessionId } = await test.run('first');
    const lines: string[] = [];
    for await (const line of store.transfer.exportSession(sessionId)) lines.push(line);
    const whole = await store.transfer.importSession(lines);
    const strip = async (id: string): Promise<unknown[]> =>
      (await test.messages(id)).map((message) => ({ ...message, sessionId: '', runId: '' }));
    assert.deepEqual(await strip(whole.sessionId), await strip(sessionId));
    await agent.send(whole.sessionId, { text: 'go on' });
    assert.equal((await agent.runs.settled(whole.sessionId))?.reason, 'done');
    const broken = lines.findIndex((line) => line.includes('"tool_result"'));
    const damaged = lines.with(broken, (lines[broken] ?? '').slice(0, 60));
    await assert.rejects(store.transfer.importSession(damaged), (error: Error) => {
      assert.match(error.message, new RegExp(`line ${broken + 1}\\b`, 'iu'));
      return true;
    });
    const part = await store.transfer.importSession(damaged, { partial: true });
    assert.ok(part.skipped.some(({ line }) => line === broken + 1));
    await agent.send(part.sessionId, { text: 'go on' });
    assert.equal(
      (await agent.runs.settled(part.sessionId))?.reason,
      'done',
      'the API takes its history',
    );
  });
});
