import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { textOf, toolCallsOf } from '../../src/domain/message.ts';
import {
  callDelta,
  chatCalls,
  chatSay,
  chunk,
  startChatServer,
} from '../support/chat-server/chat-server.ts';
import type { ChatScript } from '../support/chat-server/chat-server.ts';
import { chatInstance } from '../support/chat-server/composed-chat.ts';
import { OtherWindow } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

const command = (text: string): string => JSON.stringify({ command: text });

const script: ChatScript = ({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? chatSay('All three are written.')
    : chatCalls(
        [
          callDelta(0, 'a', 'run_command', command('echo one >> out.txt')),
          callDelta(0, 'b', 'run_command', command('sleep 0.5; echo two >> out.txt')),
          callDelta(0, 'c', 'run_command', command('echo three >> out.txt')),
        ],
        'stop',
        [chunk({ reasoning_content: 'Three lines.' })],
      );

describe('the engine over Chat Completions', function () {
  this.timeout(60_000);

  it('a message, a tool call, an answer; the title and the usage are of that model', async () => {
    const server = await startChatServer({ script });
    await using test = await TestEngine.open({
      script: () => say('not asked'),
      settings: { 'model.name': '' },
      host: { instances: [chatInstance(server.url)], keyOf: async () => Promise.resolve('key') },
    });
    const { sessionId, end } = await test.run('write three lines');
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const messages = await test.messages(sessionId);
    assert.equal(textOf(messages.at(-1) ?? { parts: [] }), 'All three are written.');
    assert.equal(messages.at(-1)?.model, 'gpt-x-2026');
    assert.equal(await readFile(path.join(test.workspace, 'out.txt'), 'utf8'), 'one\ntwo\nthree\n');
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer key');
    assert.equal(server.requests[0]?.body.model, 'gpt-x');
    assert.ok((await test.engine.store.usage.total(0)).tokens > 0);
    assert.equal(test.server.all.length, 0, 'nothing went to the public API');
    await server.close();
  });

  it('C8, C9: a run is resumed after its process was killed', async () => {
    const server = await startChatServer({ script });
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belay-chat-'));
    await mkdir(path.join(folder, 'workspace'));
    await writeFile(path.join(folder, 'workspace', 'a.txt'), 'a');
    let sessionId: string;
    {
      await using window = await OtherWindow.open({
        at: { folder },
        modelUrl: server.url,
        chatUrl: server.url,
        settings: { 'model.name': '' },
      });
      sessionId = await window.start('write three lines');
      await window.seen('tool.finished');
      await window.kill();
    }
    await using test = await TestEngine.open({
      script: () => say('not asked'),
      settings: { 'model.name': '' },
      after: { folder },
      host: { instances: [chatInstance(server.url)], keyOf: async () => Promise.resolve('key') },
    });
    const { agent } = test.engine;
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(sessionId);
    assert.ok(handoff);
    await agent.handoffs.resume(handoff.run.id, {});
    const end = await agent.runs.settled(sessionId);
    assert.equal(end?.reason, 'done', JSON.stringify(end));
    const messages = await test.messages(sessionId);
    assert.equal(messages.flatMap(toolCallsOf).length, 3);
    const sent = server.requests.at(-1)?.body.messages ?? [];
    assert.equal(sent.filter(({ role }) => role === 'tool').length, 3);
    const thought = sent.find(({ role }) => role === 'assistant')?.['reasoning_content'];
    assert.equal(thought, 'Three lines.', 'thinking went back after the restart');
    const lines = (await readFile(path.join(test.workspace, 'out.txt'), 'utf8')).trim().split('\n');
    assert.deepEqual(lines, [...new Set(lines)], 'no line was written twice');
    await server.close();
  });
});
