import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { ApprovalQueue } from '../../src/window/approvals/approval-queue.ts';
import { messageViews } from '../../src/panel/session/message-view.ts';
import { PanelHost } from '../../src/panel/panel-host.ts';
import { textOf } from '../../src/domain/message.ts';
import { OtherWindow } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Script } from '../support/model-server/turn.ts';
import { Mirror } from '../unit/panel/mirror.ts';

/** A panel as this window has it, with another window on the same folder. */
async function twoWindows(
  script: Script,
): Promise<{ test: TestEngine; other: OtherWindow; mirror: Mirror } & AsyncDisposable> {
  const test = await TestEngine.open({ script });
  const other = await OtherWindow.open({ at: test, modelUrl: test.server.url });
  const { agent, broker, store, catalog } = test.engine;
  const watching = new Set<() => void>();
  const watch = store.watch(() => {
    void agent.queue.refresh();
    for (const listener of watching) listener();
  });
  const panel = new PanelHost({
    agent,
    broker,
    records: {
      transcripts: store.transcripts,
      runs: store.runs,
      blobs: store.blobs,
      todos: test.engine.todos,
      journals: test.engine.journals,
      followUps: test.engine.runs.followUps,
    },
    sessions: {
      list: () => store.transcripts.sessions(),
      refresh: async () => undefined,
      hide: () => undefined,
      onChange: () => ({ dispose: () => undefined }),
    },
    desk: new ApprovalQueue(),
    later: {
      editor: undefined as never,
      rules: undefined as never,
      providers: undefined as never,
      input: undefined as never,
      code: undefined as never,
    },
    setup: {
      hasKey: () => true,
      trusted: () => true,
      hasWorkspace: () => true,
      models: () => catalog.models,
      choice: { demo: 'demo' },
      defaults: () => ({ model: 'claude-sonnet-4-5', mode: 'auto', thinking: 'off', persona: '' }),
      onChange: () => ({ dispose: () => undefined }),
    },
    memory: {
      lastSession: () => undefined,
      setLastSession: () => undefined,
      saved: () => undefined,
      save: () => undefined,
      become: () => undefined,
      settled: async () => undefined,
      changesUnfolded: () => false,
      unfoldChanges: () => undefined,
    },
    others: {
      isElsewhere: async (id) => agent.runs.lease.isElsewhere(id),
      onChange: (listener) => {
        watching.add(listener);
        return { dispose: () => watching.delete(listener) };
      },
      draftOf: async (id) => store.transcripts.draftOf(id),
      reconcile: async () => agent.handoffs.reconcile(),
    },
    clock: new SystemClock(),
    log: silentLog,
  });
  const mirror = new Mirror(panel);
  await mirror.ready();
  return {
    test,
    other,
    mirror,
    [Symbol.asyncDispose]: async () => {
      panel.dispose();
      watch.dispose();
      await other[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 800; turn += 1) {
    if (await check()) return;
    await delay(25);
  }
  assert.fail(`it did not come about within 20 s: ${what}`);
}

describe('stories of two windows on one workspace', function () {
  this.timeout(60_000);

  it('watches live what the other window does, may not send, and has everything when it has ended', async () => {
    let goOn: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await using windows = await twoWindows(async (request) => {
      if (!JSON.stringify(request.messages).includes('tool_use'))
        return calls(call('run_command', { command: 'echo seen' }));
      await held;
      return say('A long answer. '.repeat(100), { deltaSize: 30, gapMs: 30 });
    });
    const { test, other, mirror } = windows;
    const sessionId = await other.start('go');
    await mirror.request('openSession', { sessionId });
    await eventually('it is at work elsewhere', () => mirror.session.elsewhere);
    assert.equal(mirror.session.handoff, null);
    await eventually('the call is shown with its result', () =>
      JSON.stringify(mirror.session.messages).includes('seen\\n'),
    );
    goOn?.();
    await eventually('the answer grows here too', () => {
      const last = mirror.session.messages.at(-1);
      return last?.open === true && JSON.stringify(last.parts).includes('A long answer.');
    });
    await assert.rejects(
      mirror.request('send', { sessionId, text: 'me too', attachments: [], how: 'queue' }),
      /at work in another window/u,
    );
    assert.deepEqual(test.engine.agent.queue.list(sessionId), []);
    await other.ask('settled', sessionId);
    await eventually(
      'it is free again',
      () => !mirror.session.elsewhere && !mirror.session.loading,
    );
    assert.deepEqual(mirror.session.messages, messageViews(await test.messages(sessionId)));
    assert.equal(mirror.session.handoff, null);
    await mirror.request('send', { sessionId, text: 'and here', attachments: [], how: 'queue' });
    await test.engine.agent.runs.settled(sessionId);
  });

  it('takes over when the other window has died: the handoff is offered, and nothing is done twice', async () => {
    await using windows = await twoWindows((request) =>
      JSON.stringify(request.messages).includes('tool_use')
        ? say('Taken over.')
        : calls(
            call('run_command', { command: 'echo one >> out.txt' }),
            call('run_command', { command: 'echo two >> out.txt; sleep 30' }, 'two'),
          ),
    );
    const { test, other, mirror } = windows;
    const sessionId = await other.start('go');
    await mirror.request('openSession', { sessionId });
    await eventually('it is at work elsewhere', () => mirror.session.elsewhere);
    await assert.rejects(
      mirror.request('resume', { runId: mirror.session.run.runId ?? 'r', decisions: {} }),
    );
    await eventually('the second command is at work', async () =>
      (await readFile(path.join(test.workspace, 'out.txt'), 'utf8').catch(() => '')).includes(
        'two',
      ),
    );
    await other.kill();
    await eventually('the handoff is offered', () => mirror.session.handoff !== null);
    assert.equal(mirror.session.elsewhere, false);
    assert.deepEqual(
      mirror.session.handoff?.unknown.map(({ callId }) => callId),
      ['two'],
    );
    await mirror.request('resume', {
      runId: mirror.session.handoff?.runId ?? '',
      decisions: { two: 'happened' },
    });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    assert.equal(mirror.session.handoff, null);
  });

  it('C7: what the other window had queued is sent here once, whatever this window remembered', async () => {
    const known = Promise.withResolvers<void>();
    await using windows = await twoWindows(async (request) => {
      const asked = JSON.stringify(request.messages.at(-1));
      if (asked.includes('first')) await known.promise;
      return say('ok');
    });
    const { test, other } = windows;
    const { agent } = test.engine;
    const sessionId = await other.start('first');
    for (const text of ['second', 'third'])
      await other.ask('send', sessionId, { text, how: 'queue' });
    await eventually(
      'this window knows of the queue',
      () => agent.queue.list(sessionId).length === 2,
    );
    known.resolve();
    await other.seen('agent_run.started', 3);
    await eventually('the queue has run dry', async () => {
      const messages = await test.messages(sessionId);
      return messages.filter(({ origin }) => origin === 'person').length === 3;
    });
    await other.kill();
    await agent.handoffs.reconcile();
    await agent.start();
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    await agent.send(sessionId, { text: 'fourth' });
    const asked = async (): Promise<string[]> =>
      (await test.messages(sessionId)).filter(({ origin }) => origin === 'person').map(textOf);
    await eventually('the last one is sent', async () => (await asked()).includes('fourth'));
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    assert.deepEqual(await asked(), ['first', 'second', 'third', 'fourth']);
  });

  it('a deleted session in which another window writes before the time is over is kept', async () => {
    await using windows = await twoWindows(() => say('ok'));
    const { test, other, mirror } = windows;
    const { transcripts } = test.engine.store;
    const kept = await other.start('first');
    await other.ask('settled', kept);
    const gone = await test.start('mine');
    await test.engine.agent.runs.settled(gone);
    await mirror.request('deleteSessions', { sessionIds: [kept, gone] });
    assert.notEqual(await transcripts.session(gone), undefined, 'it can be brought back');
    await other.ask('send', kept, { text: 'second' });
    await other.ask('settled', kept);
    await mirror.request('finishDelete', {});
    assert.equal(await transcripts.session(gone), undefined);
    const persons = (await test.messages(kept)).filter(({ origin }) => origin === 'person');
    assert.equal(persons.length, 2);
    assert.match(mirror.snapshot?.sessions.deleted?.said ?? '', /was kept: something was written/u);
  });

  it('durability 4: a session that another window works on is not deleted here', async () => {
    const refused = Promise.withResolvers<void>();
    await using windows = await twoWindows(async () => {
      await refused.promise;
      return say('ok');
    });
    const { test, other } = windows;
    const sessionId = await other.start('first');
    await assert.rejects(test.engine.agent.removal.delete(sessionId), { code: 'busy' });
    refused.resolve();
    await other.ask('settled', sessionId);
    await test.engine.agent.removal.delete(sessionId);
    assert.equal(await test.engine.store.transcripts.session(sessionId), undefined);
  });
});
