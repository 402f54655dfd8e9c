import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toolResultsOf } from '../../src/domain/message.ts';
import { FakeLanguage } from '../support/fake-language.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';

const FILES = { 'a.ts': 'export function area(side: number): number {\n  return side;\n}\n' };

const SCRIPT = () =>
  inOrder(
    calls(call('read_file', { files: [{ path: 'a.ts' }] })),
    calls(
      call('edit_file', {
        path: 'a.ts',
        edits: [{ old_string: 'return side', new_string: "return 'side'" }],
      }),
    ),
    calls(call('diagnostics', { changed: true })),
    say('There is a problem.'),
  );

const resultsOf = async (test: TestEngine): Promise<readonly string[]> => {
  const { sessionId } = await test.run('Edit it.');
  const results = (await test.messages(sessionId)).flatMap(toolResultsOf);
  return results.map(({ content }) =>
    content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  );
};

describe('language servers, through the whole engine', function () {
  this.timeout(60_000);

  it('tell the model of a problem that its edit brought, in the result of the edit', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-engine-'));
    await using test = await TestEngine.open({
      script: SCRIPT(),
      files: FILES,
      after: { folder },
      host: { language: new FakeLanguage(path.join(folder, 'workspace')) },
    });
    const [, edited, checked] = await resultsOf(test);
    assert.match(
      edited ?? '',
      /^Edited a\.ts[^]*new problems \(1 error\):\na\.ts\n {2}2:3 error \[ts 2322\].*\n {4}return 'side';$/u,
    );
    assert.match(checked ?? '', /^1 error in 1 file\n/u);
  });

  it('E11: are nothing where there is no editor: no tool, and no word after an edit', async () => {
    await using test = await TestEngine.open({ script: SCRIPT(), files: FILES });
    const [, edited, checked] = await resultsOf(test);
    assert.equal(edited, 'Edited a.ts (+1 −1 lines).');
    assert.match(checked ?? '', /There is no tool named "diagnostics"/u);
    const names = (test.server.requests[0]?.body.tools ?? []).map(({ name }) => name);
    assert.equal(names.includes('inspect_symbol'), false);
  });
});
