import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Tool } from '../../src/core/tool-call/tool-call.ts';
import { abortError } from '../../src/domain/lifetime/abort.ts';
import { toolResultsOf } from '../../src/domain/message.ts';
import { crash } from '../support/engine/other-window.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say, talk } from '../support/model-server/turn.ts';

/** A tool that runs until its window closes. Without `begun` it ends at once. */
const tool = (name: string, sideEffects: boolean, begun?: () => void): Tool => ({
  name,
  description: 'Looks or acts.',
  inputSchema: { type: 'object', properties: {} },
  sideEffects,
  level: 'user',
  module: 'hub',
  server: 'hub',
  permission: 'none',
  check: (input) => ({ input }),
  run: async (_input, { signal }) => {
    begun?.();
    if (begun !== undefined)
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(abortError())),
      );
    return { content: [{ type: 'text', text: 'seen' }] };
  },
});

interface Case {
  readonly name: string;
  /** Behind the call that is interrupted, one that changes something waits. */
  readonly acts?: true;
  /** Changes the database while no window is open. */
  readonly sql?: string;
  readonly between?: (folder: string) => Promise<unknown>;
  readonly next?: Pick<TestEngineOptions, 'settings' | 'host'>;
  /** Nothing is offered either. */
  readonly ended?: true;
}

const database = (folder: string): DatabaseSync =>
  new DatabaseSync(path.join(folder, 'data', 'belay.db'));

/** Removes the mark that says how far the database was written, as when a folder is put back in part. */
const loseMark = async (folder: string): Promise<void> =>
  rm(path.join(folder, 'data', 'belay.written'));

/** A run whose window closes in the middle of a call. */
async function interrupt(acts: boolean): Promise<{ first: TestEngine; sessionId: string }> {
  const begun = Promise.withResolvers<void>();
  const first = await TestEngine.open({
    script: () =>
      calls(call('hub_look', {}, 'look'), ...(acts ? [call('hub_act', {}, 'act')] : [])),
    tools: [tool('hub_look', false, begun.resolve), tool('hub_act', true)],
    files: { 'AGENTS.md': 'Be brief.' },
  });
  const sessionId = await first.start('look around');
  await begun.promise;
  await first.close();
  return { first, sessionId };
}

/** The next start of VS Code, with `auto` unless the case says otherwise. */
async function restart(after: TestEngine, { next }: Pick<Case, 'next'> = {}): Promise<TestEngine> {
  const test = await TestEngine.open({
    script: () => say('all seen'),
    tools: [tool('hub_look', false), tool('hub_act', true)],
    after,
    ...next,
    settings: { 'loop.resume': 'auto', ...next?.settings },
  });
  await test.engine.agent.start();
  return test;
}

const STAYS: readonly Case[] = [
  { name: 'the setting says ask', next: { settings: { 'loop.resume': 'ask' } } },
  { name: 'a call that changes something is open, though it has not begun', acts: true },
  {
    name: 'a call may have changed something',
    sql: `UPDATE ledger SET idempotent = 0, state = 'running'`,
  },
  { name: 'the user stopped it', sql: 'UPDATE runs SET cancel_requested = 1', ended: true },
  {
    name: 'the user stopped it in the background, and the process there died',
    sql: `INSERT INTO key_values (session_id, key, value)
      SELECT session_id, 'detached', '"p"' FROM runs UNION
      SELECT session_id, 'detached/stop', '"p"' FROM runs`,
  },
  { name: 'it waited for the user', sql: `UPDATE checkpoints SET kind = 'human_pause'` },
  {
    name: 'the instructions changed',
    between: async (folder) => writeFile(path.join(folder, 'workspace', 'AGENTS.md'), 'Be long.'),
  },
  { name: 'the workspace is not trusted', next: { host: { trusted: () => false } } },
  {
    name: 'it belongs to a sub-agent, whose parent decides',
    sql: `UPDATE sessions SET type = 'task'`,
    ended: true,
  },
  { name: 'a part of the database is lost', between: loseMark },
  {
    name: 'a part of the database was lost, and another process has said so',
    between: async (folder) => {
      await loseMark(folder);
      const test = await TestEngine.open({ script: () => say(''), after: { folder } });
      await test.engine.store.acknowledgeLoss();
      await test.close();
    },
  },
  {
    name: 'its session is held',
    sql: `INSERT INTO key_values (session_id, key, value) SELECT session_id, 'held', 'true' FROM runs`,
  },
];

describe('runs that go on by themselves after a start, where belay.loop.resume is auto', () => {
  it('C8: a run that was killed while the model answered goes on, and the session says so', async () => {
    await using crashed = await crash({
      script: inOrder(calls(call('list_files', {}, 'list')), talk('I see. '.repeat(100))),
      until: async (window) => window.seen('message.delta', 2),
    });
    await using test = await TestEngine.open({
      script: () => say('all seen'),
      after: crashed,
      settings: { 'loop.resume': 'auto' },
    });
    const { agent } = test.engine;
    await agent.start();
    assert.equal((await agent.runs.settled(crashed.sessionId))?.reason, 'done');
    const { message } = await test.event('warning');
    assert.match(message, /went on by itself.*belay\.loop\.resume/u);
    assert.equal(test.server.requests.length, 1);
  });

  it('C8: a run that was interrupted in a read goes on, and the read is made again', async () => {
    const { first, sessionId } = await interrupt(false);
    await using test = await restart(first);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'done');
    const results = (await test.messages(sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map(({ callId, state }) => [callId, state]),
      [['look', 'done']],
    );
  });

  for (const one of STAYS)
    it(`C8: a run does not go on by itself when ${one.name}`, async () => {
      const { first, sessionId } = await interrupt(one.acts === true);
      if (one.sql !== undefined) {
        using opened = database(first.folder);
        opened.exec(one.sql);
      }
      await one.between?.(first.folder);
      await using test = await restart(first, one);
      const { agent } = test.engine;
      assert.equal(agent.runs.isBusy(sessionId), false);
      assert.equal(test.server.requests.length, 0);
      assert.equal((await agent.handoffs.of(sessionId)) === undefined, one.ended === true);
    });

  it('C8: a run that was offered at an earlier start stays offered', async () => {
    const { first, sessionId } = await interrupt(false);
    await (await restart(first, { next: { settings: { 'loop.resume': 'ask' } } })).close();
    await using test = await restart(first);
    assert.equal(test.engine.agent.runs.isBusy(sessionId), false);
    assert.equal((await test.engine.agent.handoffs.of(sessionId))?.resumable, true);
  });

  it('C8: a run goes on by itself once: interrupted again, it is offered', async () => {
    const { first, sessionId } = await interrupt(false);
    const begun = Promise.withResolvers<void>();
    const second = await TestEngine.open({
      script: () => say('all seen'),
      tools: [tool('hub_look', false, begun.resolve), tool('hub_act', true)],
      after: first,
      settings: { 'loop.resume': 'auto' },
    });
    await second.engine.agent.start();
    await begun.promise;
    await second.close();
    await using test = await restart(second);
    assert.equal(test.engine.agent.runs.isBusy(sessionId), false);
    assert.equal((await test.engine.agent.handoffs.of(sessionId))?.resumable, true);
  });

  it('C7 C8: no more runs go on than may be on at once; the others are offered', async () => {
    const gate = Promise.withResolvers<void>();
    const first = await TestEngine.open({ script: () => talk('I see. '.repeat(100)) });
    const sessions = [await first.start('one'), await first.start('two')];
    await first.close();
    await using test = await TestEngine.open({
      script: async () => gate.promise.then(() => say('done')),
      after: first,
      settings: { 'loop.resume': 'auto', 'advanced.parallelRuns': 1 },
    });
    const { agent } = test.engine;
    await agent.start();
    assert.equal(sessions.filter((id) => agent.runs.isBusy(id)).length, 1);
    const offered = await Promise.all(sessions.map(async (id) => agent.handoffs.of(id)));
    assert.equal(offered.filter((handoff) => handoff !== undefined).length, 1);
    gate.resolve();
    await Promise.all(sessions.map(async (id) => agent.runs.settled(id)));
  });

  it('C8 A2: a run that goes on by itself stops at a used-up budget, before anything is sent', async () => {
    const { first, sessionId } = await interrupt(false);
    await using test = await restart(first, {
      next: { settings: { 'budget.tokensPerSession': 1 } },
    });
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'budget');
    assert.equal(test.server.requests.length, 0);
  });
});
