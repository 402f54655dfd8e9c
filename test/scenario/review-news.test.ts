import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { textContent } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews, Selected } from '../../src/core/review/service/reviews.ts';
import { textOf } from '../../src/domain/message.ts';
import { openInEdit } from '../support/engine/open-in-mode.ts';
import type { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', ''].join('\n');

const edit = (old_string: string, new_string: string): Turn =>
  calls(call('edit_file', { path: 'a.txt', edits: [{ old_string, new_string }] }));
const editing: readonly Turn[] = [
  calls(call('read_file', { files: [{ path: 'a.txt' }] })),
  calls(
    call('edit_file', {
      path: 'a.txt',
      edits: [
        { old_string: 'two', new_string: 'TWO' },
        { old_string: 'four', new_string: 'FOUR' },
      ],
    }),
  ),
  say('Done.'),
];

describe('what the person decided goes to the model with the next message', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let sessionId: string;

  const reviews = (): Reviews => test.engine.reviews ?? assert.fail();
  const file = (): string => path.join(realpathSync(test.workspace), 'a.txt');
  const hunk = (removed: string): Selected => {
    const review = reviews().find(file()) ?? assert.fail();
    const found = hunksOf(review).find((one) => one.removed[0] === removed);
    return { path: file(), choice: [found?.id ?? assert.fail(removed)] };
  };
  const begin = async (script: readonly Turn[]): Promise<void> => {
    test = await openInEdit({ 'a.txt': LINES }, [...editing, ...script]);
    ({ sessionId } = await test.run('Go'));
  };
  const send = async (text: string): Promise<void> => {
    await test.engine.agent.send(sessionId, { text });
    await test.engine.agent.runs.settled(sessionId);
  };
  /** Requests so far, without those for a title. */
  const sent = (): readonly string[] =>
    test.server.requests
      .filter(({ body }) => (body.tools ?? []).length > 0)
      .map(({ body }) => JSON.stringify(body.messages));
  const messageOf = async (text: string): Promise<string> =>
    (await test.messages(sessionId)).find((one) => textOf(one) === text)?.id ?? assert.fail(text);

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
  });

  it('in the one request of that message, before it; after an undo, a keep and an edit', async () => {
    await begin([say('I see.'), say('Nothing new.')]);
    const before = sent().length;
    await reviews().decisions.undo(hunk('two'));
    const { document } = reviews().find(file()) ?? assert.fail();
    assert.equal(document.kind, 'text');
    const text = textContent((await readFile(file(), 'utf8')).replace('FOUR', 'FOUR, by me'));
    reviews().files.documentChanged(file(), text, 'editor');
    await send('And now?');
    assert.equal(sent().length, before + 1, 'one model call');
    const request = sent().at(-1) ?? '';
    const [rejected, edited, asked] = ['-TWO', 'FOUR, by me', 'And now?'].map((text) =>
      request.indexOf(text),
    );
    assert.ok(
      rejected !== undefined && rejected > 0 && edited !== undefined && asked !== undefined,
    );
    assert.ok(rejected < asked && edited > 0 && edited < asked, request);
    await send('More?');
    assert.equal(sent().length, before + 2);
    assert.equal(sent().at(-1)?.split('-TWO').length, 2, 'told once');
    assert.deepEqual(
      (await test.messages(sessionId))
        .filter(({ role }) => role === 'assistant')
        .map(textOf)
        .slice(-2),
      ['I see.', 'Nothing new.'],
    );
  });

  it('what is decided while the last answer comes waits for the next message', async () => {
    let decided: Promise<string | undefined> | undefined;
    test = await openInEdit({ 'a.txt': LINES }, [...editing, say('I see.')]);
    test.engine.broker.listen((event) => {
      if (event.type !== 'message.completed' || textOf(event.message) !== 'Done.') return;
      decided = reviews().decisions.undo(hunk('two'));
    });
    ({ sessionId } = await test.run('Go'));
    assert.ok(decided !== undefined);
    await decided;
    assert.equal(sent().length, 3, 'nobody asked for another answer');
    await send('And now?');
    assert.equal(sent().length, 4);
    assert.match(sent().at(-1) ?? '', /-TWO/u);
  });

  it('what is decided while tools run is known to the next turn', async () => {
    test = await openInEdit({ 'a.txt': LINES }, [
      ...editing.slice(0, 2),
      calls(call('run_command', { command: 'sh b.sh' })),
      say('I see.'),
    ]);
    // The call waits for the decision: a tool that ends by itself may be faster.
    test.human.decide = async () => {
      await reviews().decisions.undo(hunk('two'));
      return {};
    };
    ({ sessionId } = await test.run('Go'));
    assert.equal(test.human.approvals.length, 1);
    assert.equal(sent().length, 4);
    assert.match(sent().at(-1) ?? '', /-TWO/u);
  });

  it('is told again when the part of the conversation that told it is taken out, once', async () => {
    await begin([say('I see.'), say('On it.'), say('And on.'), say('Last.')]);
    await reviews().decisions.undo(hunk('two'));
    await send('Second');
    await send('Third');
    const { restore } = test.engine;
    // The first restore is of the last message alone: what told it is still there.
    const third = await restore.target(sessionId, await messageOf('Third'));
    await restore.restore({ target: third, what: 'conversation', previews: [] });
    const [first] = (await test.messages(sessionId)).filter((one) => textOf(one) === 'Go');
    const target = await restore.target(sessionId, first?.id ?? assert.fail());
    await restore.restore({ target, what: 'conversation', previews: [] });
    assert.deepEqual(await test.messages(sessionId), []);
    await send('In other words');
    assert.match(sent().at(-1) ?? '', /still holds:\\n<review>\\nThe user undid[^"]*-TWO/u);
    await send('More');
    assert.equal(sent().at(-1)?.split('-TWO').length, 2, 'told once');
    assert.equal(await readFile(file(), 'utf8'), LINES.replace('four', 'FOUR'));
  });

  it('restores one behind the other lose nothing of it, nor does a fork', async () => {
    await begin([say('I see.'), edit('five', 'FIVE'), say('On it.'), say('Forked.'), say('Last.')]);
    await reviews().decisions.undo(hunk('two'));
    await send('Second');
    await reviews().decisions.undo(hunk('four'));
    await send('Third');
    const { restore, fork, agent } = test.engine;
    const [answer] = (await test.messages(sessionId)).filter((one) => textOf(one) === 'Done.');
    const point = await fork.point(sessionId, answer?.id ?? assert.fail());
    const forked = await fork.fork(point);
    await agent.send(forked.sessionId, { text: 'In the fork' });
    await agent.runs.settled(forked.sessionId);
    assert.match(sent().at(-1) ?? '', /still holds[^"]*-TWO[^"]*-FOUR/u);
    for (const text of ['Third', 'Second', 'Go']) {
      const target = await restore.target(sessionId, await messageOf(text));
      await restore.restore({ target, what: 'conversation', previews: [] });
    }
    await send('In other words');
    assert.match(sent().at(-1) ?? '', /-TWO[^"]*-FOUR|-FOUR[^"]*-TWO/u);
  });

  it('a restore of conversation and files that leaves a file tells what was decided about that one', async () => {
    await begin([say('I see.'), say('Again.'), say('And again.')]);
    await reviews().decisions.undo(hunk('two'));
    await send('Second');
    const { restore } = test.engine;
    const again = async (kept: readonly string[]): Promise<string> => {
      const text = kept[0] ?? 'nothing kept';
      const [first] = (await test.messages(sessionId)).filter(
        ({ role, origin = 'person' }) => role === 'user' && origin === 'person',
      );
      const target = await restore.target(sessionId, first?.id ?? assert.fail());
      await restore.restore({ target, what: 'both', previews: [], kept });
      await send(text);
      return sent().at(-1) ?? '';
    };
    assert.match(
      await again([file(), `${file()}.old`]),
      /left as they became later: [^"]*a\.txt[^"]*still holds:\\n<review>\\nThe user undid[^"]*-TWO/u,
    );
    // Of what went back nothing holds any more; `a.txt` is another file.
    assert.doesNotMatch(await again([`${file()}.old`]), /-TWO/u);
  });
});
