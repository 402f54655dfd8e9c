import { totalsOf } from '../../src/core/review/model/review-kinds.ts';
import assert from 'node:assert/strict';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { textContent, textOf } from '../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import type { Reviews, Selected } from '../../src/core/review/service/reviews.ts';
import { openInAsk } from '../support/engine/ask-mode.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', ''].join('\n');
const FILES = { 'a.txt': LINES, 'b.txt': LINES };

/** Three files are changed, read back, searched and looked at by a command. */
const proposing: readonly Turn[] = [
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
  calls(
    call('read_file', { files: [{ path: 'a.txt' }, { path: 'new/c.txt' }] }),
    call('list_files', {}),
    call('search_text', { pattern: 'TWO|three' }),
    call('run_command', { command: 'cat a.txt; touch t' }),
  ),
  say('Proposed.'),
];

describe('a run in mode Ask whose edits are reviewed', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let sessionId: string;

  const open = async (script: readonly Turn[], after?: TestEngine): Promise<void> => {
    test = await openInAsk(after ?? FILES, script);
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
    const review = reviews().find('proposed', at(name)) ?? assert.fail(name);
    const found = hunksOf(review).find((one) => one.removed[0] === removed);
    return { kind: 'proposed', path: at(name), choice: [found?.id ?? assert.fail(removed)] };
  };
  const all = (name: string): Selected => ({ kind: 'proposed', path: at(name) });
  /** What the model was sent last. */
  const sent = (): string => JSON.stringify(test.server.requests.at(-1)?.body);
  const results = async (): Promise<string> =>
    (await test.messages(sessionId))
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? part.content : []))
      .flatMap((part) => (part.type === 'text' ? part.text : []))
      .join('\n---\n');

  it('waits for nobody but commands, and has its proposals before it everywhere; nothing is on disk', async () => {
    await open(proposing);
    const { sessionId: id, end } = await test.run('Go');
    sessionId = id;
    assert.equal(end?.state, 'completed');
    assert.deepEqual(
      test.human.approvals.map(({ tool }) => tool),
      ['run_command'],
    );
    assert.match(test.human.approvals[0]?.reason ?? '', /proposed and not kept yet: .*a\.txt/u);
    assert.equal(await textAt('a.txt'), LINES);
    assert.equal(existsSync(at('new')), false);
    const told = await results();
    assert.match(told, /Proposed an edit of a\.txt/u);
    assert.match(told, /Proposed to create new\/c\.txt/u);
    assert.match(told, /a\.txt\n2:TWO\n3:three\n\nb\.txt\n3:three\n\nnew\/c\.txt\n1:three/u);
    assert.match(told, /new\/|c\.txt/u);
    assert.match(told, /It does not see the changes .*a\.txt, b\.txt, new\/c\.txt\./u);
    assert.equal(totalsOf(reviews().pending).hunks, 4);
  });

  it('with several folders open, commands are told of proposals by the names that tools take', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-two-folders-'));
    await mkdir(path.join(folder, 'site'));
    const roots = ['workspace', 'site'].map((name) => path.join(realpathSync(folder), name));
    test = await TestEngine.open({
      after: { folder },
      settings: { 'permissions.mode': 'ask' },
      host: { reviewed: true, roots: () => roots },
      script: inOrder(
        calls(call('write_file', { path: 'site/new.txt', content: 'one\n' })),
        calls(call('run_command', { command: 'true' })),
        say('Done.'),
      ),
    });
    ({ sessionId } = await test.run('Go'));
    assert.notEqual(reviews().find('proposed', path.join(roots[1] ?? '', 'new.txt')), undefined);
    assert.match(await results(), /It does not see the changes .*: site\/new\.txt\./u);
  });

  it('the model hears of each decision once, at the next request, also after a restart', async () => {
    await open([...proposing, say('not asked')]);
    ({ sessionId } = await test.run('Go'));
    await reviews().decisions.accept(hunk('a.txt', 'two'));
    await reviews().decisions.reject(hunk('a.txt', 'seven'));
    reviews().files.proposalEdited(at('b.txt'), textContent(LINES.replace('four', 'FOUR, by me')));
    await reviews().decisions.accept(all('new/c.txt'));
    assert.equal(await textAt('a.txt'), LINES.replace('two', 'TWO'));
    assert.equal(await textAt('b.txt'), LINES);
    assert.equal(await textAt('new/c.txt'), 'three\n');

    await restart([say('I see.'), say('Nothing new.')]);
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    const news = sent();
    assert.match(news, /The person kept 1 of your 2 changes of [^"]*a\.txt/u);
    assert.match(news, /The person undid your changes of [^"]*a\.txt/u);
    assert.match(news, /-SEVEN\\n\+seven/u);
    assert.match(news, /The person kept your changes of [^"]*c\.txt/u);
    assert.match(news, /The person changed [^"]*b\.txt[^"]*FOUR, by me/u);
    assert.equal(news.split('The person undid').length, 2, 'told once');

    await restart([say('Nothing new.')]);
    await test.engine.agent.send(sessionId, { text: 'Anything else?' });
    await test.engine.agent.runs.settled(sessionId);
    assert.equal(sent().split('The person undid').length, 2, 'told once');
    assert.equal(sent().split('FOUR, by me').length, 2, 'told once');
  });

  it('an undo is told by the news alone, not by the next edit too; what else changed is', async () => {
    for (const mode of ['ask', 'edit'] as const) {
      const edit = (old_string: string, new_string: string): Turn =>
        calls(call('edit_file', { path: 'a.txt', edits: [{ old_string, new_string }] }));
      test = await TestEngine.open({
        files: FILES,
        settings: { 'permissions.mode': mode },
        host: { reviewed: true },
        script: inOrder(
          calls(call('read_file', { files: [{ path: 'a.txt' }] })),
          edit('two', 'TWO'),
          edit('seven', 'SEVEN'),
          say('Done.'),
          edit('four', 'FOUR'),
          say('Again.'),
          edit('five', 'FIVE'),
          say('And again.'),
        ),
      });
      ({ sessionId } = await test.run('Go'));
      const kind = mode === 'ask' ? 'proposed' : 'written';
      const review = reviews().find(kind, at('a.txt')) ?? assert.fail();
      const [, seven] = hunksOf(review);
      await reviews().decisions.reject({ kind, path: at('a.txt'), choice: [seven?.id ?? ''] });
      await test.engine.agent.send(sessionId, { text: 'Go on' });
      await test.engine.agent.runs.settled(sessionId);
      assert.match(sent(), /-SEVEN\\n\+seven/u);
      assert.doesNotMatch(await results(), /had changed since you read it/u);
      const now = reviews().find(kind, at('a.txt')) ?? assert.fail();
      assert.equal(textOf(now.document), LINES.replace('two', 'TWO').replace('four', 'FOUR'));
      // What nobody else tells is told by the edit.
      await writeFile(at('a.txt'), `zero\n${await textAt('a.txt')}`);
      await reviews().files.fileChanged(at('a.txt'));
      await test.engine.agent.send(sessionId, { text: 'Go on' });
      await test.engine.agent.runs.settled(sessionId);
      assert.match(`${await results()}${sent()}`, /\+zero/u);
      if (mode === 'ask') await test[Symbol.asyncDispose]();
    }
  });

  it('the order of the decisions makes no difference', async () => {
    const outcomes = new Set<string>();
    const decisions: readonly (() => Promise<void>)[] = [
      () => reviews().decisions.accept(hunk('a.txt', 'two')),
      () => reviews().decisions.reject(hunk('a.txt', 'seven')),
      () => reviews().decisions.accept(all('b.txt')),
      () => reviews().decisions.reject(all('new/c.txt')),
    ];
    await open(proposing);
    ({ sessionId } = await test.run('Go'));
    for (const order of orders(decisions).filter((_, index) => index % 5 === 0)) {
      for (const decide of order) await decide();
      assert.deepEqual(reviews().pending, []);
      outcomes.add(JSON.stringify([await textAt('a.txt'), await textAt('b.txt')]));
      assert.equal(existsSync(at('new/c.txt')), false);
      await again();
    }
    assert.equal(outcomes.size, 1);
  });

  /** The same proposals for the files as they were. */
  async function again(): Promise<void> {
    await test[Symbol.asyncDispose]();
    await open(proposing);
    ({ sessionId } = await test.run('Go'));
  }

  it('a patch is proposed as a whole: changed, moved, made and deleted files', async () => {
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
      calls(call('read_file', { files: [{ path: 'a.txt' }, { path: 'b.txt' }] })),
      calls(call('use_tool', { tool: 'apply_patch', input: { patch } })),
      calls(call('find_files', { pattern: '*.txt' })),
      say('Done.'),
    ]);
    ({ sessionId } = await test.run('Go'));
    assert.deepEqual(test.human.approvals, []);
    const told = await results();
    assert.match(told, /The patch is proposed for 3 of 3 files\./u);
    assert.match(told, /Proposed to move a\.txt to deep\/moved\.txt\./u);
    assert.match(told, /Proposed to delete b\.txt\./u);
    assert.match(told, /---\ndeep\/moved\.txt\nn\.txt$/u);
    assert.equal(await textAt('a.txt'), LINES);
    const selected = reviews().pending.map(({ kind, review }) => ({ kind, path: review.path }));
    assert.deepEqual(await reviews().decisions.decide('accept', selected), {
      done: 3,
      left: 0,
      elsewhere: 0,
      failed: [],
    });
    assert.equal(await textAt('deep/moved.txt'), LINES.replace('two', 'TWO'));
    assert.equal(await textAt('n.txt'), 'new\n');
    assert.deepEqual([existsSync(at('a.txt')), existsSync(at('b.txt'))], [false, false]);
  });

  it('of a file with several kinds of line ends says nothing of a formatter that there was none of', async () => {
    test = await TestEngine.open({
      files: { 'mixed.txt': 'a\r\nb\nc\rd\r\n' },
      settings: { 'permissions.mode': 'ask' },
      host: { reviewed: true },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'mixed.txt' }] })),
        calls(
          call('edit_file', {
            path: 'mixed.txt',
            edits: [{ old_string: 'c', new_string: 'C1\nC2' }],
          }),
        ),
        say('Proposed.'),
      ),
    });
    ({ sessionId } = await test.run('Go'));
    assert.doesNotMatch(await results(), /formatter/u);
    await reviews().decisions.accept(all('mixed.txt'));
    assert.match(await textAt('mixed.txt'), /^a\r\nb\nC1\r?\n?C2\rd\r\n$/u);
  });

  it('a proposal is edited further on, and one file is read as it would be', async () => {
    await open([
      ...proposing.slice(0, 2),
      calls(
        call('edit_file', { path: 'a.txt', edits: [{ old_string: 'TWO', new_string: 'Two' }] }),
      ),
      say('Done.'),
    ]);
    ({ sessionId } = await test.run('Go'));
    const review = reviews().find('proposed', at('a.txt')) ?? assert.fail();
    assert.match(textOf(review.document) ?? '', /one\nTwo\nthree/u);
    assert.equal(hunksOf(review).length, 2);
  });
});

function orders<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length < 2) return [values];
  return values.flatMap((value, index) =>
    orders(values.filter((_, other) => other !== index)).map((rest) => [value, ...rest]),
  );
}
