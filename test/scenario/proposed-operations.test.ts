import { totalsOf } from '../../src/core/review/model/review-kinds.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Reviews } from '../../src/core/review/service/reviews.ts';
import { openInAsk } from '../support/engine/ask-mode.ts';
import type { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, say } from '../support/model-server/turn.ts';
import type { Turn } from '../support/model-server/turn.ts';

const FILES = {
  'src/a.txt': 'alpha\n',
  'src/deep/b.txt': 'beta\n',
  'old.txt': 'old\n',
  'lines.txt': 'one\ntwo\n',
  '.vscode/settings.json': '{}\n',
};

const manage = (...operations: Record<string, string>[]) =>
  call('use_tool', { tool: 'manage_files', input: { operations } });

describe('a run in mode Ask that moves, deletes and makes files', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let sessionId: string;
  const open = async (script: readonly Turn[], after?: TestEngine): Promise<void> => {
    test = await openInAsk(after ?? FILES, script);
  };
  const run = async (...script: readonly Turn[]): Promise<void> => {
    await open([...script, say('Done.')]);
    const { sessionId: id, end } = await test.run('Go');
    sessionId = id;
    assert.equal(end?.state, 'completed');
  };
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
  });

  const reviews = (): Reviews => test.engine.reviews ?? assert.fail();
  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const one = (name: string) => ({ kind: 'proposed' as const, path: at(name) });
  const results = async (): Promise<string> =>
    (await test.messages(sessionId))
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? part.content : []))
      .flatMap((part) => (part.type === 'text' ? part.text : []))
      .join('\n---\n');

  it('asks nothing, changes nothing, and goes on with the files as it proposed them', async () => {
    await run(
      calls(
        manage(
          { kind: 'create_folder', path: 'lib' },
          { kind: 'rename', path: 'src', to: 'lib/moved' },
          { kind: 'delete', path: 'old.txt' },
          { kind: 'copy', path: 'lines.txt', to: 'copies/lines.txt' },
        ),
      ),
      calls(call('read_file', { files: [{ path: 'lib/moved/a.txt' }] })),
      calls(
        call('edit_file', {
          path: 'lib/moved/a.txt',
          edits: [{ old_string: 'alpha', new_string: 'ALPHA' }],
        }),
        call('write_file', { path: 'old.txt', content: 'new\n' }),
      ),
      calls(
        call('find_files', { pattern: '**/*.txt' }),
        call('search_text', { pattern: 'ALPHA|alpha|beta|old' }),
        call('list_files', {}),
        call('read_file', { files: [{ path: 'src/a.txt' }] }),
      ),
    );
    assert.deepEqual(test.human.approvals, []);
    for (const [name, content] of Object.entries(FILES))
      assert.equal(readFileSync(at(name), 'utf8'), content, name);
    assert.deepEqual([existsSync(at('lib')), existsSync(at('copies'))], [false, false]);
    const told = await results();
    assert.match(told, /The folder lib needs no proposal and is not made yet/u);
    assert.match(told, /Proposed to move src to lib\/moved\./u);
    assert.match(told, /Proposed to delete old\.txt\./u);
    assert.match(told, /Proposed to copy lines\.txt to copies\/lines\.txt\./u);
    assert.match(told, /The person reviews it later: go on\./u);
    const found = /---\n(copies[^-]*)---/u.exec(told)?.[1]?.trim().split('\n');
    assert.deepEqual(found?.toSorted(), [
      'copies/lines.txt',
      'lib/moved/a.txt',
      'lib/moved/deep/b.txt',
      'lines.txt',
      'old.txt',
    ]);
    assert.match(told, /lib\/moved\/a\.txt\n1:ALPHA\n\nlib\/moved\/deep\/b\.txt\n1:beta\n/u);
    assert.match(told, /src\/a\.txt does not exist\. Did you mean lib\/moved\/a\.txt\?/u);
    assert.equal(told.split('src/').length, 2, 'nowhere else');
    assert.equal(
      totalsOf(reviews().pending).hunks,
      4,
      'two moves, one of them edited, a copy and a change',
    );

    await reviews().decisions.reject(one('copies/lines.txt'));
    await reviews().decisions.accept(one('lib/moved/deep/b.txt'));
    await reviews().decisions.accept(one('old.txt'));
    await reviews().decisions.accept(one('lib/moved/a.txt'));
    assert.equal(readFileSync(at('lib/moved/a.txt'), 'utf8'), 'ALPHA\n');
    assert.equal(readFileSync(at('old.txt'), 'utf8'), 'new\n');
    assert.deepEqual([existsSync(at('src')), existsSync(at('copies'))], [false, false]);
    assert.deepEqual(reviews().pending, []);
  });

  it('the model hears what became of a new name and of a deletion', async () => {
    await run(
      calls(manage({ kind: 'rename', path: 'old.txt', to: 'new.txt' })),
      calls(manage({ kind: 'delete', path: 'lines.txt' })),
    );
    await reviews().decisions.reject(one('new.txt'));
    await reviews().decisions.accept(one('lines.txt'));
    await test.close();
    await open([say('I see.')], test);
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    const sent = JSON.stringify(test.server.requests.at(-1)?.body);
    assert.match(sent, /The person undid the renaming of [^"]*old\.txt to [^"]*new\.txt/u);
    assert.match(sent, /The person kept your changes of [^"]*lines\.txt\. It is deleted now/u);
  });

  it('line ends alone are proposed', async () => {
    await run(
      calls(call('read_file', { files: [{ path: 'lines.txt' }] })),
      calls(call('write_file', { path: 'lines.txt', content: 'one\r\ntwo\r\n' })),
    );
    assert.match(await results(), /Proposed an edit of lines\.txt/u);
    assert.equal(readFileSync(at('lines.txt'), 'utf8'), 'one\ntwo\n');
    await reviews().decisions.accept(one('lines.txt'));
    assert.equal(readFileSync(at('lines.txt'), 'utf8'), 'one\r\ntwo\r\n');
  });

  it('asks about what cannot be proposed, and the question says why', async () => {
    await open([
      calls(manage({ kind: 'delete', path: 'link' })),
      calls(manage({ kind: 'rename', path: '.vscode', to: 'dot-vscode' })),
      say('Done.'),
    ]);
    symlinkSync(at('old.txt'), path.join(test.workspace, 'link'));
    ({ sessionId } = await test.run('Go'));
    const [first, second] = test.human.approvals.map(({ detail, reason }) =>
      [detail, reason].join(' '),
    );
    assert.match(
      first ?? '',
      /This cannot be proposed for review later: link is a link or no regular file/u,
    );
    assert.ok(second !== undefined, 'it is asked about, too');
    assert.deepEqual(reviews().pending, []);
  });
});
