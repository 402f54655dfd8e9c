import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { textOf } from '../../src/domain/message.ts';
import type { Message } from '../../src/domain/message.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { withSnapshots } from '../support/engine/with-snapshots.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const find = async (test: TestEngine, sessionId: string, text: string): Promise<Message> => {
  const found = (await test.messages(sessionId)).find((message) => textOf(message) === text);
  assert.ok(found !== undefined, text);
  return found;
};
const send = async (test: TestEngine, sessionId: string, text: string): Promise<void> => {
  await test.engine.agent.send(sessionId, { text });
  await test.engine.agent.runs.settled(sessionId);
};
const fork = async (test: TestEngine, sessionId: string, text: string) => {
  const { id } = await find(test, sessionId, text);
  return test.engine.fork.fork(await test.engine.fork.point(sessionId, id));
};
const said = async (test: TestEngine, sessionId: string): Promise<string[]> =>
  (await test.messages(sessionId))
    .filter(({ origin, role }) => origin !== 'environment' && role !== 'tool')
    .map(textOf)
    .filter((text) => text !== '');
/** Everything of a session but what a later run changes. */
const whole = async ({ engine }: TestEngine, id: string): Promise<object> => ({
  session: await engine.store.transcripts.session(id),
  messages: await engine.store.transcripts.messages({ sessionId: id }),
  values: await engine.store.values.list('', id),
  runs: await engine.store.runs.runs({ sessionId: id }),
});

describe('a session is forked', () => {
  it('from an answer: the fork goes on with everything up to it, the original stays as it was', async () => {
    await using test = await TestEngine.open({
      files: { 'a.txt': 'one\n' },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        say('First done.'),
        say('Second done.'),
        say('Fork done.'),
        say('Original done.'),
      ),
    });
    const { agent, store, fork: forks } = test.engine;
    const { sessionId } = await test.run('First');
    await agent.sessions.setOptions(sessionId, { model: 'claude-haiku-4-5', mode: 'plan' });
    await agent.sessions.rename(sessionId, 'A story (fork)');
    await send(test, sessionId, 'Second');
    const before = await whole(test, sessionId);
    const { sessionId: forkId, asked } = await fork(test, sessionId, 'First done.');
    assert.equal(asked, undefined);
    assert.deepEqual(await whole(test, sessionId), before);
    assert.equal((await store.transcripts.session(forkId))?.title, 'A story (fork)');
    assert.deepEqual(agent.sessions.optionsOf(forkId), agent.sessions.optionsOf(sessionId));
    assert.deepEqual(await said(test, forkId), ['First', 'First done.']);
    await send(test, forkId, 'Another way');
    assert.deepEqual(await said(test, forkId), [
      'First',
      'First done.',
      'Another way',
      'Fork done.',
    ]);
    const request = test.server.requests.at(-1)?.text ?? '';
    assert.match(request, /copy of the beginning of another/u);
    assert.doesNotMatch(request, /Second/u);
    assert.deepEqual(await whole(test, sessionId), before);
    await send(test, sessionId, 'Third');
    assert.deepEqual((await said(test, sessionId)).slice(-2), ['Third', 'Original done.']);
    // Those that can be chosen: messages of the person and last words, the newest first.
    assert.deepEqual((await forks.messages(sessionId)).slice(-2).map(textOf), [
      'First done.',
      'First',
    ]);
  });

  it('from a message of the person: what came before it, and the message to be sent in other words', async () => {
    await using test = await TestEngine.open({ script: () => say('done') });
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const { sessionId: forkId, asked } = await fork(test, sessionId, 'Second');
    assert.equal(asked?.text, 'Second');
    assert.deepEqual(await said(test, forkId), ['First', 'done']);
    const empty = await fork(test, sessionId, 'First');
    assert.deepEqual(await test.messages(empty.sessionId), []);
    await send(test, empty.sessionId, 'First, better');
    assert.deepEqual(await said(test, empty.sessionId), ['First, better', 'done']);
    assert.doesNotMatch(test.server.requests.at(-1)?.text ?? '', /copy of the beginning/u);
  });

  it('big results, also those on disk, and the steps are there when the original is deleted', async () => {
    await using test = await TestEngine.open({
      files: { 'big.txt': `${'line of a big file\n'.repeat(1900)}THE END\n` },
      settings: { 'advanced.maxToolResultChars': 5000 },
      script: (request) => {
        const ids = JSON.stringify(request.messages).match(/\b[ot]\d+-\d+\b/gu) ?? [];
        const asked = JSON.stringify(request.messages.at(-1));
        if (asked.includes('First'))
          return calls(
            call('read_file', { files: [{ path: 'big.txt' }] }),
            call('run_command', { command: 'seq 1 200000' }),
            call('use_tool', { tool: 'todo', input: { items: [{ text: 's', status: 'open' }] } }),
          );
        if (asked.includes('Page'))
          return calls(
            ...[...new Set(ids)].map((id) => call('read_result', { result_id: id, offset: 3000 })),
          );
        return say('done');
      },
    });
    const { agent, todos } = test.engine;
    const { sessionId } = await test.run('First');
    const { sessionId: forkId } = await fork(test, sessionId, 'done');
    const results = (messages: readonly Message[]) =>
      messages.flatMap(({ parts }) =>
        parts.flatMap((one) => (one.type === 'tool_result' ? [one] : [])),
      );
    const cut = results(await test.messages(forkId)).filter((one) => one.cut !== undefined);
    assert.equal(cut.length, 2, 'both were too long');
    await agent.removal.delete(sessionId);
    const { blobs } = test.engine.commands;
    for (const { cut: part } of cut) {
      const page = await blobs.result(forkId, part?.resultId ?? '', (part?.total ?? 0) - 8, 8);
      assert.equal(page?.text.length, 8);
    }
    assert.deepEqual(
      (await todos.read(forkId)).map(({ text }) => text),
      ['s'],
    );
    await send(test, forkId, 'Page');
    const paged = results(await test.messages(forkId)).slice(-2);
    assert.deepEqual(
      paged.map(({ name, state }) => `${name} ${state}`),
      ['read_result done', 'read_result done'],
    );
  }).timeout(30_000);

  it('with the files as they were then, which the fork can bring back; and it can go back further', async () => {
    const edit = (from: string, to: string) =>
      call('edit_file', { path: 'a.txt', edits: [{ old_string: from, new_string: to }] });
    await using kit = await withSnapshots({
      files: { 'a.txt': 'one\ntwo\n' },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        calls(edit('one', 'ONE')),
        say('First done.'),
        calls(edit('two', 'TWO')),
        say('Second done.'),
      ),
    });
    const { test } = kit;
    const { restore, redo, fork: forks } = test.engine;
    const text = (): Promise<string> => readFile(path.join(test.workspace, 'a.txt'), 'utf8');
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const before = await whole(test, sessionId);
    const { id } = await find(test, sessionId, 'First done.');
    const point = await forks.point(sessionId, id);
    assert.equal(point.files, 1);
    const previews = await restore.preview(point.records);
    const { sessionId: forkId } = await forks.fork(point);
    await restore.restoreFilesIn(forkId, 'First done.', previews);
    assert.equal(await text(), 'ONE\ntwo\n');
    assert.deepEqual(await whole(test, sessionId), before);
    const redoable = await redo.redoable(forkId);
    assert.equal(redoable?.last.what, 'files');
    await redo.redo(forkId, redoable?.previews ?? []);
    assert.equal(await text(), 'ONE\nTWO\n');
    const [first] = await restore.targets(forkId);
    assert.ok(first !== undefined);
    const all = await restore.preview(first.records);
    await restore.restore({ target: first, what: 'files', previews: all });
    assert.equal(await text(), 'one\ntwo\n');
  });

  it('is refused while a run is on, and from what is not there', async () => {
    await using test = await TestEngine.open({
      script: () => say('x'.repeat(500), { gapMs: 20, deltaSize: 10 }),
    });
    const { agent, store, fork: forks } = test.engine;
    const sessionId = await test.start('go');
    await assert.rejects(fork(test, sessionId, 'go'), { code: 'busy' });
    agent.runs.cancel(sessionId);
    await agent.runs.settled(sessionId);
    await assert.rejects(forks.point(sessionId, 'm-none'), { code: 'not_found' });
    assert.equal((await store.transcripts.sessions()).length, 1);
  });
});
