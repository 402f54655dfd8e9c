import assert from 'node:assert/strict';
import { existsSync, realpathSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalQuestion } from '../../src/core/ports/person/approval.ts';
import { openInAsk } from '../support/engine/open-in-mode.ts';
import type { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const LINES = ['one', 'two', 'three', 'four', ''].join('\n');
const FILES = { 'a.txt': LINES, 'b.txt': LINES };

const edit = (file: string, old_string: string, new_string: string) =>
  call('edit_file', { path: file, edits: [{ old_string, new_string }] });
const readBoth = calls(call('read_file', { files: [{ path: 'a.txt' }, { path: 'b.txt' }] }));
const run = (command: string) => call('run_command', { command });

describe('mode Ask', function () {
  this.timeout(60_000);

  let test: TestEngine;
  const open = async (
    script: readonly Turn[],
    files: Readonly<Record<string, string>> = FILES,
  ): Promise<void> => {
    test = await openInAsk(files, script);
  };
  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const textAt = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const namesOn = ({ edits = [] }: ApprovalQuestion): readonly string[] =>
    edits.map((one) => path.relative(at('.'), one.path));
  const results = async (sessionId: string): Promise<string> =>
    (await test.messages(sessionId))
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? part.content : []))
      .flatMap((part) => (part.type === 'text' ? part.text : []))
      .join('\n---\n');

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
  });

  it('shows consecutive edits on one card, file by file, and what is allowed counts as kept', async () => {
    await open([
      readBoth,
      calls(
        edit('a.txt', 'two', 'TWO'),
        call('read_file', { path: 'b.txt' }),
        edit('a.txt', 'TWO', 'Two'),
        edit('b.txt', 'four', 'FOUR'),
        call('write_file', { path: 'new/c.txt', content: 'three\n' }),
      ),
      say('Done.'),
    ]);
    let before = '';
    test.human.decide = async () => {
      before = `${await textAt('a.txt')}${await textAt('b.txt')}`;
      return { allowed: true };
    };
    const { end } = await test.run('Go');
    assert.equal(end?.state, 'completed');
    assert.equal(before, LINES + LINES, 'nothing is written before the approval');
    assert.equal(test.human.approvals.length, 1);
    const [question] = test.human.approvals;
    assert.deepEqual(question && namesOn(question), ['a.txt', 'b.txt', 'new/c.txt']);
    assert.equal(question?.edits?.[0]?.after, LINES.replace('two', 'Two'));
    assert.equal(await textAt('a.txt'), LINES.replace('two', 'Two'));
    assert.equal(await textAt('b.txt'), LINES.replace('four', 'FOUR'));
    assert.equal(await textAt('new/c.txt'), 'three\n');
    assert.deepEqual(test.engine.reviews?.pending, []);
  });

  it('lets the agent fix a failing test: the second command sees the edited file', async () => {
    await open(
      [
        calls(call('read_file', { path: 'sum.sh' })),
        calls(run('sh sum.sh')),
        calls(edit('sum.sh', 'exit 1', 'exit 0')),
        calls(run('sh sum.sh')),
        say('Fixed.'),
      ],
      { 'sum.sh': 'exit 1\n' },
    );
    const { sessionId } = await test.run('Fix the test');
    const codes = (await test.messages(sessionId))
      .flatMap(({ parts }) => parts)
      .flatMap((part) =>
        part.type === 'tool_result' && part.name === 'run_command'
          ? [part.display?.['exitCode']]
          : [],
      );
    assert.deepEqual(codes, [1, 0]);
  });

  it('denies all edits of a card, cancels later calls of the turn, and goes on with the reason', async () => {
    await open([
      readBoth,
      calls(edit('a.txt', 'two', 'TWO'), edit('b.txt', 'four', 'FOUR'), run('touch made')),
      say('I see.'),
    ]);
    test.human.decide = async () => ({ allowed: false, reason: 'Use three instead.' });
    const { sessionId, end } = await test.run('Go');
    assert.equal(end?.state, 'completed');
    assert.equal(test.human.approvals.length, 1);
    const told = await results(sessionId);
    assert.match(told, /The user denied edit_file.*They said: Use three instead\./u);
    assert.equal(told.split('Canceled because the user denied').length, 3);
    assert.deepEqual([await textAt('a.txt'), await textAt('b.txt')], [LINES, LINES]);
    assert.equal(existsSync(at('made')), false);
  });

  it('allows all edits of the session, but not protected files', async () => {
    await open([
      readBoth,
      calls(edit('a.txt', 'two', 'TWO')),
      calls(edit('b.txt', 'four', 'FOUR')),
      calls(call('write_file', { path: '.vscode/tasks.json', content: '{}\n' })),
      say('Done.'),
    ]);
    test.human.decide = async ({ offersAllEdits }) =>
      offersAllEdits === true ? { allowed: true, keep: 'edits' } : { allowed: false };
    await test.run('Go');
    assert.deepEqual(test.human.approvals.map(namesOn), [['a.txt'], ['.vscode/tasks.json']]);
    assert.deepEqual(
      test.human.approvals.map(({ offersAllEdits }) => offersAllEdits),
      [true, undefined],
    );
    assert.equal(await textAt('b.txt'), LINES.replace('four', 'FOUR'));
    assert.equal(existsSync(at('.vscode/tasks.json')), false);
    assert.deepEqual(test.engine.reviews?.pending, []);
  });

  it('leaves an edit that does not fit off the card, with an error of its own', async () => {
    await open([
      readBoth,
      calls(
        edit('a.txt', 'two', 'TWO'),
        edit('a.txt', 'missing', 'x'),
        edit('b.txt', 'four', 'FOUR'),
      ),
      say('Done.'),
    ]);
    const { sessionId } = await test.run('Go');
    assert.deepEqual(test.human.approvals.map(namesOn), [['a.txt', 'b.txt']]);
    assert.match(await results(sessionId), /does not fit/u);
    assert.equal(await textAt('b.txt'), LINES.replace('four', 'FOUR'));
  });

  it('renews the card when a file changes while it waits; the old answer does not count', async () => {
    await open([readBoth, calls(edit('a.txt', 'two', 'TWO')), say('Done.')]);
    test.human.decide = async () => {
      if (test.human.approvals.length === 1)
        await writeFile(at('a.txt'), LINES.replace('four', 'by me'));
      return { allowed: true };
    };
    await test.run('Go');
    const [first, second] = test.human.approvals;
    assert.equal(test.human.approvals.length, 2);
    assert.notEqual(first?.hash, second?.hash);
    assert.equal(second?.edits?.[0]?.before, LINES.replace('four', 'by me'));
    assert.match(second.reason ?? '', /changed while you were deciding/u);
    assert.equal(await textAt('a.txt'), LINES.replace('two', 'TWO').replace('four', 'by me'));
  });

  it('renews an open card by itself when another program changes the file', async () => {
    await open([readBoth, calls(edit('a.txt', 'two', 'TWO')), say('Done.')]);
    test.human.decide = async () => {
      if (test.human.approvals.length > 1) return { allowed: true };
      // The contents are read once before they can be seen to change.
      await delay(200);
      await writeFile(at('a.txt'), LINES.replace('four', 'by me'));
      return new Promise(() => undefined);
    };
    await test.run('Go');
    assert.equal(test.human.approvals.length, 2);
    assert.equal(await textAt('a.txt'), LINES.replace('two', 'TWO').replace('four', 'by me'));
  });

  it('writes what the user made of the edit, and tells the model', async () => {
    await open([
      readBoth,
      calls(edit('a.txt', 'two', 'TWO'), edit('a.txt', 'four', 'FOUR')),
      say('Done.'),
    ]);
    const mine = LINES.replace('two', 'TWO').replace('four', 'FOUR, by me');
    test.human.decide = async () => ({ allowed: true, edited: new Map([[at('a.txt'), mine]]) });
    const { sessionId } = await test.run('Go');
    assert.equal(await textAt('a.txt'), mine);
    assert.match(await results(sessionId), /The user changed the edit.*\+FOUR, by me/su);
  });

  it('shows every file of a patch on one card', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.txt',
      '*** Move to: deep/moved.txt',
      '@@',
      '-two',
      '+TWO',
      '*** Add File: n.txt',
      '+new',
      '*** Delete File: b.txt',
      '*** End Patch',
    ].join('\n');
    await open([
      readBoth,
      calls(call('use_tool', { tool: 'apply_patch', input: { patch } })),
      say('Done.'),
    ]);
    await test.run('Go');
    assert.deepEqual(
      test.human.approvals[0]?.edits?.map(({ creates, deletes, movesTo }) => [
        creates,
        deletes,
        movesTo?.name,
      ]),
      [
        [false, undefined, 'deep/moved.txt'],
        [true, undefined, undefined],
        [false, true, undefined],
      ],
    );
    assert.equal(await textAt('deep/moved.txt'), LINES.replace('two', 'TWO'));
    assert.deepEqual([existsSync(at('a.txt')), existsSync(at('b.txt'))], [false, false]);
    assert.deepEqual(test.engine.reviews?.pending, []);
  });

  it('fails an edit of a read-only file without a card, and nothing is pending', async () => {
    await open([readBoth, calls(edit('a.txt', 'two', 'TWO')), say('Done.')]);
    await chmod(at('a.txt'), 0o444);
    const { sessionId } = await test.run('Go');
    assert.deepEqual(test.human.approvals, []);
    assert.match(await results(sessionId), /read-only/u);
    assert.deepEqual(test.engine.reviews?.pending, []);
  });
});
