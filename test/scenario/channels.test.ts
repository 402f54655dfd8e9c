import assert from 'node:assert/strict';
import { BelayError } from '../../src/domain/failure.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { say } from '../support/model-server/turn.ts';

describe('stories of threads and their sessions', function () {
  this.timeout(180_000);

  it('A4: reopening a thread finds the same session with its options, after a restart, too; threads do not mix', async () => {
    await using test = await TestEngine.open({ script: () => say('Yes.') });
    const { sessions } = test.engine.agent;
    const first = await sessions.forChannel('vscode', 'chat', 'thread-1', { mode: 'read' });
    await test.engine.agent.send(first.id, { text: 'Hello' });
    await test.engine.agent.runs.settled(first.id);
    const other = await sessions.forChannel('vscode', 'chat', 'thread-2');
    assert.notEqual(other.id, first.id);
    await test.close();
    await using again = await TestEngine.open({ after: test, script: () => say('Yes.') });
    const { agent, store } = again.engine;
    const found = await agent.sessions.forChannel('vscode', 'chat', 'thread-1', { mode: 'edit' });
    assert.equal(found.id, first.id);
    assert.ok(found.messageCount > 0);
    assert.equal(found.summarized, undefined);
    assert.equal(agent.sessions.optionsOf(found.id).mode, 'read', 'what it has stays');
    await agent.removal.delete(found.id);
    const anew = await agent.sessions.forChannel('vscode', 'chat', 'thread-1');
    assert.notEqual(anew.id, first.id);
    assert.deepEqual(
      (await store.channels.of(anew.id)).map(({ channel, thread }) => [channel, thread]),
      [['chat', 'thread-1']],
    );
    for (const thread of ['', 'x'.repeat(501)])
      await assert.rejects(
        agent.sessions.forChannel('vscode', 'chat', thread),
        (error) => error instanceof BelayError && error.code === 'invalid',
      );
  });

  it('A4: a session that no other surface asked for is a thread of its host', async () => {
    await using test = await TestEngine.open({ script: () => say('Yes.') });
    const { id } = await test.engine.agent.sessions.create();
    const [key] = await test.engine.store.channels.of(id);
    assert.deepEqual([key?.platform, key?.channel, key?.thread], ['headless', 'cli', id]);
  });

  it('A4: a script goes on with its thread, and has another conversation in another', async () => {
    await using place = await HeadlessPlace.make(({ messages }) =>
      say(`I know ${messages.filter(({ role }) => role === 'user').length}.`),
    );
    const answers: string[] = [];
    for (const args of [
      '--thread a --prompt One',
      '--thread b --prompt Two',
      '--thread a --prompt Three',
    ]) {
      const { code, stdout, stderr } = await place.run(args);
      assert.equal(code, 0, stderr);
      answers.push(stdout.trim());
    }
    assert.deepEqual(answers, ['I know 1.', 'I know 1.', 'I know 2.']);
    const last = place.server.requests.at(-1)?.body.messages ?? [];
    assert.match(JSON.stringify(last), /One.*I know 1.*Three/u);
    assert.doesNotMatch(JSON.stringify(last), /Two/u);
    const both = await place.run('--thread a --resume --prompt Four');
    assert.equal(both.code, 2, both.stderr);
  });
});
