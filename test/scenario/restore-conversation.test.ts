import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SessionRestore } from '../../src/core/restore/session-restore.ts';
import type { RestoreTarget } from '../../src/core/restore/session-restore.ts';
import { textOf, typedTextOf } from '../../src/domain/message.ts';
import type { Attachment } from '../../src/domain/session/session.ts';
import { crash } from '../support/engine/other-window.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { withSnapshots } from '../support/engine/with-snapshots.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const edit = (from: string, to: string) =>
  call('edit_file', { path: 'a.txt', edits: [{ old_string: from, new_string: to }] });
const read = call('read_file', { files: [{ path: 'a.txt' }] });
const steps = (...texts: readonly string[]) =>
  call('use_tool', {
    tool: 'todo',
    input: { items: texts.map((text) => ({ text, status: 'open' })) },
  });

/** The messages of the person, the newest first. */
const targets = (test: TestEngine, sessionId: string): Promise<readonly RestoreTarget[]> =>
  test.engine.restore.targets(sessionId);
const targetOf = async (
  test: TestEngine,
  sessionId: string,
  text: string,
): Promise<RestoreTarget> => {
  const found = (await targets(test, sessionId)).find(
    ({ message }) => typedTextOf(message) === text,
  );
  assert.ok(found !== undefined, text);
  return found;
};
const send = async (test: TestEngine, sessionId: string, text: string): Promise<void> => {
  await test.engine.agent.send(sessionId, { text });
  await test.engine.agent.runs.settled(sessionId);
};
/** All that a person, the model and a later run can tell of a session. */
const whole = async ({ engine }: TestEngine, id: string): Promise<object> => ({
  messages: await engine.store.transcripts.messages({ sessionId: id }),
  compactions: await engine.store.transcripts.compactions(id),
  todo: await engine.store.values.get('todo', id),
  changes: await engine.store.values.list('changes/', id),
});
const texts = async (test: TestEngine, sessionId: string): Promise<string[]> =>
  (await test.messages(sessionId))
    .filter(({ origin, role }) => origin !== 'environment' && role !== 'tool')
    .map(textOf)
    .filter((text) => text !== '');
const file = (test: TestEngine): string => path.join(test.workspace, 'a.txt');
const lastRequest = ({ server }: TestEngine): string => server.requests.at(-1)?.text ?? '';

describe('a conversation is put back to how it was before a message', () => {
  const story = inOrder(
    calls(read, steps('one')),
    say('First done.'),
    calls(edit('two', 'TWO'), steps('one', 'two')),
    say('Second done.'),
    say('Third done.'),
    say('Fourth done.'),
  );

  it('alone: what comes after it goes, its text comes back, the model is told that files are ahead; redo is exact', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { engine } = test;
    const { sessionId } = await test.run('First');
    const image: Attachment = {
      id: 'x',
      name: 'p.png',
      mediaType: 'image/png',
      size: 4,
      data: 'iVBORw==',
    };
    await engine.agent.send(sessionId, { text: 'Second', attachments: [image] });
    await engine.agent.runs.settled(sessionId);
    const before = await whole(test, sessionId);
    const target = await targetOf(test, sessionId, 'Second');
    assert.deepEqual([target.requests, target.answers, target.files], [1, 1, 1]);

    const done = await engine.restore.restore({ target, what: 'conversation', previews: [] });
    assert.equal(done.asked?.text, 'Second');
    assert.deepEqual(
      done.asked?.attachments.map(({ id: _id, size: _size, ...rest }) => rest),
      [{ name: 'p.png', mediaType: 'image/png', data: 'iVBORw==' }],
    );
    assert.deepEqual(await texts(test, sessionId), ['First', 'First done.']);
    assert.deepEqual(
      (await engine.todos.read(sessionId)).map(({ text }) => text),
      ['one'],
      'the steps are those of then',
    );
    assert.equal(await readFile(file(test), 'utf8'), 'one\nTWO\n');
    assert.equal(engine.agent.runs.isBusy(sessionId), false);

    await send(test, sessionId, 'Second in other words');
    assert.match(lastRequest(test), /took this conversation back[^"]*a\.txt/u);
    assert.doesNotMatch(lastRequest(test), /Second done/u);
    await send(test, sessionId, 'On');
    assert.equal(
      lastRequest(test).split('took this conversation back').length,
      2,
      'it is told once',
    );

    const branch = await whole(test, sessionId);
    const redoable = await engine.redo.redoable(sessionId);
    assert.deepEqual(
      [redoable?.last.what, redoable?.last.title, redoable?.previews.length, redoable?.since],
      ['conversation', 'Second', 0, 2],
    );
    await engine.redo.redo(sessionId, []);
    assert.deepEqual(await whole(test, sessionId), before);
    assert.equal(await engine.redo.redoable(sessionId), undefined);
    // What was said meanwhile is a snapshot.
    const [kept] = await engine.store.snapshots.list(sessionId);
    assert.equal(kept?.messageCount, (branch as { messages: unknown[] }).messages.length);
  });

  it('a restore is undone after a restart too', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const before = await whole(test, sessionId);
    const target = await targetOf(test, sessionId, 'First');
    await test.engine.restore.restore({ target, what: 'conversation', previews: [] });
    assert.deepEqual(await test.messages(sessionId), []);
    await test.close();
    await using again = await TestEngine.open({ script: story, after: test });
    const redoable = await again.engine.redo.redoable(sessionId);
    assert.equal(redoable?.last.title, 'First');
    await again.engine.redo.redo(sessionId, []);
    assert.deepEqual(await whole(again, sessionId), before);
  });

  it('with the files: both are as they were then, the model is told nothing; redo brings both back', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { engine } = test;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    await writeFile(file(test), `zero\n${await readFile(file(test), 'utf8')}`);
    const { messages } = (await whole(test, sessionId)) as { messages: unknown };
    const target = await targetOf(test, sessionId, 'Second');
    const previews = await engine.restore.preview(target.records);
    const done = await engine.restore.restore({ target, what: 'both', previews });
    assert.equal(done.files, 1);
    assert.equal(await readFile(file(test), 'utf8'), 'zero\none\ntwo\n');
    assert.deepEqual(await texts(test, sessionId), ['First', 'First done.']);
    const redoable = await engine.redo.redoable(sessionId);
    assert.deepEqual([redoable?.last.what, redoable?.previews.length], ['both', 1]);
    await engine.redo.redo(sessionId, redoable?.previews ?? []);
    assert.equal(await readFile(file(test), 'utf8'), 'zero\none\nTWO\n');
    assert.deepEqual(await test.messages(sessionId), messages);
    await send(test, sessionId, 'Third');
    assert.doesNotMatch(lastRequest(test), /took this conversation|put files back/u);
    // And the same way once more: the record of what was done to files still holds.
    const again = await targetOf(test, sessionId, 'Second');
    assert.equal((await engine.restore.preview(again.records)).length, 1);
  });

  it('nothing is done when a file or the conversation has changed since it was looked at', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { engine } = test;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const target = await targetOf(test, sessionId, 'Second');
    const previews = await engine.restore.preview(target.records);
    await writeFile(file(test), 'typed meanwhile\n');
    const before = await whole(test, sessionId);
    await assert.rejects(engine.restore.restore({ target, what: 'both', previews }), {
      code: 'invalid',
    });
    assert.deepEqual(await whole(test, sessionId), before);
    assert.equal(await engine.redo.redoable(sessionId), undefined);
    await send(test, sessionId, 'Third');
    const later = await whole(test, sessionId);
    await assert.rejects(engine.restore.restore({ target, what: 'conversation', previews: [] }), {
      code: 'invalid',
      message: /has changed meanwhile/u,
    });
    assert.deepEqual(await whole(test, sessionId), later);
  });

  it('of both the files go first: cut off in between, the rest can be done from the same message, or the files come back', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { engine } = test;
    const { store, agent, changes } = engine;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const target = await targetOf(test, sessionId, 'Second');
    const previews = await engine.restore.preview(target.records);
    const cutOff = new SessionRestore({
      ...store,
      agent,
      changes,
      clock: { now: () => 1 },
      states: { ...store.snapshots, rewind: async () => Promise.reject(new Error('cut off')) },
    });
    await assert.rejects(cutOff.restore({ target, what: 'both', previews }), /cut off/u);
    assert.equal(await readFile(file(test), 'utf8'), 'one\ntwo\n');
    // Back:
    const redoable = await engine.redo.redoable(sessionId);
    assert.deepEqual([redoable?.last.what, redoable?.previews.length], ['files', 1]);
    await engine.redo.redo(sessionId, redoable?.previews ?? []);
    assert.equal(await readFile(file(test), 'utf8'), 'one\nTWO\n');
    // Or on:
    await assert.rejects(
      cutOff.restore({
        target: await targetOf(test, sessionId, 'Second'),
        what: 'both',
        previews: await engine.restore.preview((await targetOf(test, sessionId, 'Second')).records),
      }),
      /cut off/u,
    );
    const rest = await targetOf(test, sessionId, 'Second');
    assert.deepEqual(await engine.restore.preview(rest.records), [], 'the files are restored');
    await engine.restore.restore({ target: rest, what: 'both', previews: [] });
    assert.deepEqual(await texts(test, sessionId), ['First', 'First done.']);
  });

  it('files alone: the model is told that they are behind the conversation', async () => {
    await using kit = await withSnapshots({ files: { 'a.txt': 'one\ntwo\n' }, script: story });
    const { test } = kit;
    const { engine } = test;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const target = await targetOf(test, sessionId, 'First');
    const previews = await engine.restore.preview(target.records);
    await engine.restore.restore({ target, what: 'files', previews });
    await send(test, sessionId, 'Third');
    assert.match(lastRequest(test), /put files back[^"]*a\.txt/u);
    const redoable = await engine.redo.redoable(sessionId);
    await engine.redo.redo(sessionId, redoable?.previews ?? []);
    await send(test, sessionId, 'Fourth');
    assert.match(lastRequest(test), /undid a restore of files[^"]*a\.txt/u);
    assert.equal(await readFile(file(test), 'utf8'), 'one\nTWO\n');
  });

  it('what was changed in a part that was taken out can still be taken back, but not by what came after', async () => {
    await using kit = await withSnapshots({
      files: { 'a.txt': 'one\ntwo\n' },
      script: inOrder(
        calls(read),
        say('First done.'),
        calls(edit('two', 'TWO')),
        say('Second done.'),
        calls(edit('one', 'ONE')),
        say('Third done.'),
      ),
    });
    const { test } = kit;
    const { engine } = test;
    const { sessionId } = await test.run('First');
    await send(test, sessionId, 'Second');
    const second = await targetOf(test, sessionId, 'Second');
    await engine.restore.restore({ target: second, what: 'conversation', previews: [] });
    await send(test, sessionId, 'Third');
    const then = async (text: string): Promise<string[]> =>
      (await engine.restore.preview((await targetOf(test, sessionId, text)).records)).map(
        ({ to }) => (to.kind === 'file' ? new TextDecoder().decode(to.bytes) : to.kind),
      );
    assert.deepEqual(await then('First'), ['one\ntwo\n']);
    assert.deepEqual(await then('Third'), ['one\nTWO\n']);
  });

  it('compactions that stand for what is taken out go with it, and come back with it', async () => {
    await using test = await TestEngine.open({
      script: (request) =>
        JSON.stringify(request.system ?? '').includes('You summarize')
          ? say('## Goal – all of it')
          : say('x'.repeat(4000)),
    });
    const { agent, store, restore, redo } = test.engine;
    const { sessionId } = await test.run('one');
    for (const text of ['two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
      await send(test, sessionId, text);
    await agent.compaction.summarize(sessionId);
    const [made] = await store.transcripts.compactions(sessionId);
    assert.ok(made !== undefined);
    const before = await whole(test, sessionId);
    const early = (await targets(test, sessionId)).find(
      ({ message }) => message.seq <= made.throughSeq && textOf(message) !== 'one',
    );
    assert.ok(early !== undefined);
    await restore.restore({ target: early, what: 'conversation', previews: [] });
    assert.deepEqual(await store.transcripts.compactions(sessionId), []);
    await send(test, sessionId, 'again');
    assert.match(lastRequest(test), /"one"/u);
    await redo.redo(sessionId, []);
    assert.deepEqual(await whole(test, sessionId), before);
    // One that stands for what stays is left in force.
    const late = await targetOf(test, sessionId, 'eight');
    await restore.restore({ target: late, what: 'conversation', previews: [] });
    assert.equal((await store.transcripts.compactions(sessionId)).length, 1);
  }).timeout(30_000);

  it('what waits in the queue is not sent by the restore, and goes after the message that is sent again', async () => {
    await using test = await TestEngine.open({ script: () => say('done') });
    const { agent, store, restore } = test.engine;
    const { sessionId } = await test.run('first');
    const queued = { id: 'q-9', sessionId, text: 'then this', attachments: [] };
    await store.recorder.commit([
      { kind: 'queued', queued: { ...queued, mode: 'queue', position: 1, createdAt: 0 } },
    ]);
    await agent.queue.refresh();
    const target = await targetOf(test, sessionId, 'first');
    await restore.restore({ target, what: 'conversation', previews: [] });
    await agent.start();
    assert.equal(agent.runs.isBusy(sessionId), false);
    assert.equal(agent.queue.list(sessionId).length, 1);
    await agent.send(sessionId, { text: 'first, better' });
    while (agent.runs.isBusy(sessionId)) await agent.runs.settled(sessionId);
    assert.deepEqual(await texts(test, sessionId), ['first, better', 'done', 'then this', 'done']);
  });

  it('a run that a crash left behind is ended with results for its calls, so that redo brings them back whole', async () => {
    await using crashed = await crash({
      script: () => calls(call('run_command', { command: 'echo on >> out.txt; sleep 30' })),
      until: async (window) => window.seen('tool.started'),
    });
    await using test = await TestEngine.open({ script: () => say('fine'), after: crashed });
    const { agent, restore, redo } = test.engine;
    const { sessionId } = crashed;
    await agent.handoffs.reconcile();
    const [target] = await targets(test, sessionId);
    assert.ok(target !== undefined);
    await restore.restore({ target, what: 'conversation', previews: [] });
    assert.deepEqual(await test.messages(sessionId), []);
    assert.equal(await agent.handoffs.of(sessionId), undefined);
    await redo.redo(sessionId, []);
    const back = await test.messages(sessionId);
    assert.equal(
      back.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool_call').length,
      back.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool_result').length,
    );
    await send(test, sessionId, 'go on');
    assert.equal((await test.messages(sessionId)).at(-1)?.role, 'assistant');
  }).timeout(30_000);

  it('a message that steered a run in its middle: no call is left without its result', async () => {
    const reached = Promise.withResolvers<void>();
    const steered = Promise.withResolvers<void>();
    await using test = await TestEngine.open({
      files: { 'a.txt': 'one\n' },
      script: async (_request, n) => {
        if (n === 1) {
          reached.resolve();
          await steered.promise;
          return calls(read);
        }
        return say(`answer ${n}`);
      },
    });
    const { agent, restore } = test.engine;
    const sessionId = await test.start('go');
    await reached.promise;
    await agent.send(sessionId, { text: 'rather so', how: 'steer' });
    steered.resolve();
    await agent.runs.settled(sessionId);
    const target = await targetOf(test, sessionId, 'rather so');
    await restore.restore({ target, what: 'conversation', previews: [] });
    const left = await test.messages(sessionId);
    assert.deepEqual(
      left.map(({ role }) => role),
      ['user', 'user', 'assistant', 'tool'],
    );
    await send(test, sessionId, 'or so');
    assert.equal((await test.messages(sessionId)).at(-1)?.role, 'assistant');
  });

  it('is refused while a run is on, and the message must be there', async () => {
    await using test = await TestEngine.open({
      script: () => say('x'.repeat(500), { gapMs: 20, deltaSize: 10 }),
    });
    const { agent, restore, redo } = test.engine;
    const sessionId = await test.start('go');
    const [target] = await targets(test, sessionId);
    assert.ok(target !== undefined);
    await assert.rejects(restore.restore({ target, what: 'conversation', previews: [] }), {
      code: 'busy',
    });
    agent.runs.cancel(sessionId);
    await agent.runs.settled(sessionId);
    await assert.rejects(restore.target(sessionId, 'm-none'), { code: 'not_found' });
    await assert.rejects(redo.redo(sessionId, []), { code: 'not_found' });
  });
});
