import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { textContent, textOf } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews, Selected } from '../../src/core/review/service/reviews.ts';
import { openInEdit } from '../support/engine/open-in-mode.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', ''].join('\n');
const FILES = { 'a.txt': LINES, 'b.txt': LINES };

/** Three files are changed. */
const editing: readonly Turn[] = [
  calls(call('read_file', { files: [{ path: 'a.txt' }, { path: 'b.txt' }] })),
  calls(
    call('edit_file', {
      path: 'a.txt',
      edits: [
        { old_string: 'two', new_string: 'TWO' },
        { old_string: 'seven', new_string: 'SEVEN' },
      ],
    }),
    call('edit_file', { path: 'b.txt', edits: [{ old_string: 'four', new_string: 'FOUR' }] }),
    call('write_file', { path: 'new/c.txt', content: 'three\n' }),
  ),
  say('Done.'),
];

describe('pending changes of a run in mode Edit', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let sessionId: string;

  const open = async (script: readonly Turn[], after?: TestEngine): Promise<void> => {
    test = await openInEdit(after ?? FILES, script);
  };
  const restart = async (script: readonly Turn[]): Promise<void> => {
    await test.close();
    await open(script, test);
  };
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
  });

  const reviews = (): Reviews => test.engine.reviews ?? assert.fail();
  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const textAt = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const hunk = (name: string, removed: string): Selected => {
    const review = reviews().find(at(name)) ?? assert.fail(name);
    const found = hunksOf(review).find((one) => one.removed[0] === removed);
    return { path: at(name), choice: [found?.id ?? assert.fail(removed)] };
  };
  /** What the model was sent last. */
  const sent = (): string => JSON.stringify(test.server.requests.at(-1)?.body);
  const results = async (): Promise<string> =>
    (await test.messages(sessionId))
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? part.content : []))
      .flatMap((part) => (part.type === 'text' ? part.text : []))
      .join('\n---\n');

  it('the model hears of each decision once, at the next request, also after a restart', async () => {
    await open([...editing, say('not asked')]);
    ({ sessionId } = await test.run('Go'));
    await reviews().decisions.keep(hunk('a.txt', 'two'));
    await reviews().decisions.undo(hunk('a.txt', 'seven'));
    const mine = LINES.replace('four', 'FOUR, by me');
    await writeFile(at('b.txt'), mine);
    reviews().files.documentChanged(at('b.txt'), textContent(mine), 'editor');
    assert.equal(await textAt('a.txt'), LINES.replace('two', 'TWO'));

    await restart([say('I see.'), say('Nothing new.')]);
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    const news = sent();
    assert.match(news, /The user undid your changes of [^"]*a\.txt/u);
    assert.match(news, /-SEVEN\\n\+seven/u);
    assert.match(news, /The user changed [^"]*b\.txt[^"]*FOUR, by me/u);
    assert.equal(news.split('The user undid').length, 2, 'told once');

    await restart([say('Nothing new.')]);
    await test.engine.agent.send(sessionId, { text: 'Anything else?' });
    await test.engine.agent.runs.settled(sessionId);
    assert.equal(sent().split('The user undid').length, 2, 'told once');
    assert.equal(sent().split('FOUR, by me').length, 2, 'told once');
  });

  it('an undo is told by the news alone, not by the next edit too; what else changed is', async () => {
    const edit = (old_string: string, new_string: string): Turn =>
      calls(call('edit_file', { path: 'a.txt', edits: [{ old_string, new_string }] }));
    await open([
      calls(call('read_file', { files: [{ path: 'a.txt' }] })),
      edit('two', 'TWO'),
      edit('seven', 'SEVEN'),
      say('Done.'),
      edit('four', 'FOUR'),
      say('Again.'),
      edit('five', 'FIVE'),
      say('And again.'),
    ]);
    ({ sessionId } = await test.run('Go'));
    await reviews().decisions.undo(hunk('a.txt', 'seven'));
    await test.engine.agent.send(sessionId, { text: 'Go on' });
    await test.engine.agent.runs.settled(sessionId);
    assert.match(sent(), /-SEVEN\\n\+seven/u);
    assert.doesNotMatch(await results(), /had changed since you read it/u);
    const now = reviews().find(at('a.txt')) ?? assert.fail();
    assert.equal(textOf(now.document), LINES.replace('two', 'TWO').replace('four', 'FOUR'));
    // What nobody else tells is told by the edit.
    await writeFile(at('a.txt'), `zero\n${await textAt('a.txt')}`);
    await reviews().files.fileChanged(at('a.txt'));
    await test.engine.agent.send(sessionId, { text: 'Go on' });
    await test.engine.agent.runs.settled(sessionId);
    assert.match(`${await results()}${sent()}`, /\+zero/u);
  });

  it('of a file with several kinds of line ends says nothing of a formatter that there was none of', async () => {
    test = await TestEngine.open({
      files: { 'mixed.txt': 'a\r\nb\nc\rd\r\n' },
      settings: { 'permissions.mode': 'edit' },
      host: { reviewed: true },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'mixed.txt' }] })),
        calls(
          call('edit_file', {
            path: 'mixed.txt',
            edits: [{ old_string: 'c', new_string: 'C1\nC2' }],
          }),
        ),
        say('Done.'),
      ),
    });
    ({ sessionId } = await test.run('Go'));
    assert.doesNotMatch(await results(), /formatter/u);
    assert.match(await textAt('mixed.txt'), /^a\r\nb\nC1\r?\n?C2\rd\r\n$/u);
  });
});
