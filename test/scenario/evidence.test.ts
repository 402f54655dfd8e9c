import assert from 'node:assert/strict';
import { mkdtemp, readFile, utimes, writeFile } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EvidenceRecords } from '../../src/core/review/evidence/evidence-records.ts';
import { hunksOf, type PendingChange } from '../../src/core/review/model/hunks.ts';
import type { ChangeEvidence } from '../../src/domain/review/evidence.ts';
import { NodeFileSystem } from '../../src/hosts/node/files/file-system.ts';
import { FakeLanguage } from '../support/fake-language.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { silentLog } from '../support/memory-recorder.ts';
import { type Block, type Turn, call, calls, inOrder, say } from '../support/model-server/turn.ts';

const PLAIN =
  'export function area(side: number): number {\n  // of\n  // a\n  // square\n  return side;\n}\n';
const FILES = {
  'a.ts': PLAIN,
  'b.ts': PLAIN,
  'c.txt': 'one\n',
  'good.test.mjs': "import test from 'node:test';\ntest('it', () => {});\n",
  'bad.test.mjs': "import test from 'node:test';\ntest('it', () => { throw new Error('no'); });\n",
};
const read = calls(
  call('read_file', { files: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'c.txt' }] }),
);
const edit = (file: string, from: string, to: string): Block =>
  call('edit_file', { path: file, edits: [{ old_string: from, new_string: to }] });
const run = (command: string): Turn => calls(call('run_command', { command }));
const saying = (text: string, ...blocks: readonly Block[]): Turn => ({
  content: [{ type: 'text', text }, ...blocks],
});

describe('evidence of pending changes, through the whole engine', function () {
  this.timeout(60_000);

  let test: TestEngine;
  let records: EvidenceRecords;

  const play = async (turns: readonly Turn[], mode = 'auto'): Promise<void> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-evidence-'));
    test = await TestEngine.open({
      script: inOrder(read, ...turns, say('Done.')),
      files: FILES,
      settings: { 'permissions.mode': mode },
      after: { folder },
      host: { language: new FakeLanguage(path.join(folder, 'workspace')), reviewed: true },
    });
    records = recordsOf();
    const { end } = await test.run('Double the area, please.');
    assert.equal(end?.state, 'completed');
  };
  const recordsOf = (): EvidenceRecords => {
    const { store, broker } = test.engine;
    const files = new NodeFileSystem();
    const stat = (file: string) => files.stat(file);
    return new EvidenceRecords({
      transcripts: store.transcripts,
      runs: store.runs,
      broker,
      stat,
      log: silentLog,
    });
  };
  afterEach(async () => {
    records.dispose();
    await test[Symbol.asyncDispose]();
  });

  const at = (name: string): string => path.join(realpathSync(test.workspace), name);
  const changeIn = (name: string, hunk = 0): PendingChange => {
    const { pending } = test.engine.reviews ?? assert.fail();
    const found = pending.find((review) => review.path === at(name)) ?? assert.fail(name);
    return { review: found, hunk: hunksOf(found)[hunk] };
  };
  const read_ = async (change: PendingChange): Promise<ChangeEvidence> =>
    (await records.of([change]))[0] ?? assert.fail();
  const of = (name: string, hunk = 0): Promise<ChangeEvidence> => read_(changeIn(name, hunk));

  it('says why, what the servers said and which tests ran; green is what both say well of', async () => {
    const before = Date.now();
    await play([
      saying('Let me look.\n\nThe side must be doubled.', edit('a.ts', 'side;', 'side * 2;')),
      run('node --test good.test.mjs'),
      calls(edit('a.ts', '// of', '// Of')),
      saying('Again.', call('run_command', { command: 'node --test good.test.mjs' })),
    ]);
    const change = changeIn('a.ts', 1);
    const { calls: made, request, checks, tests, doubts } = await read_(change);
    assert.deepEqual(
      made.map(({ tool, said }) => [tool, said]),
      [['edit_file', 'The side must be doubled.']],
    );
    assert.equal(request.text, 'Double the area, please.');
    assert.ok(checks.state === 'answered' && checks.at >= before && checks.at <= Date.now());
    assert.deepEqual(checks.fresh, []);
    assert.deepEqual(
      tests.map((one) => [one.command, one.result, one.exitCode, one.passed, one.covers]),
      [
        ['node --test good.test.mjs', 'passed', 0, 1, true],
        // The file changed once more after it.
        ['node --test good.test.mjs', 'passed', 0, 1, false],
      ],
    );
    assert.deepEqual(doubts, []);
    assert.equal((await of('a.ts', 0)).tests.length, 1);
    // Another window, or the same one after a restart, finds the same on record.
    records.dispose();
    records = recordsOf();
    assert.equal(records.known(change), undefined);
    await new Promise<void>((resolve) => records.onLearned(resolve));
    assert.deepEqual(records.known(change), await read_(change));
  });

  it('new problems, failed and hidden tests, and servers that say nothing are never green', async () => {
    await play([
      calls(edit('a.ts', 'return side', "return 'side'")),
      // Another edit of the file brings nothing new; the first one's problem is still there.
      calls(edit('a.ts', '// of', '// Of')),
      calls(edit('c.txt', 'one', 'two')),
      run('node --test good.test.mjs | cat'),
      calls(edit('b.ts', 'side;', 'side * 2;')),
      run('node --test bad.test.mjs'),
      run('node --test good.test.mjs'),
    ]);
    const broken = await of('a.ts', 1);
    assert.ok(broken.checks.state === 'answered');
    assert.deepEqual(
      broken.checks.fresh.map(({ line, message }) => [line, message]),
      [[5, 'Type string is not assignable to type number.']],
    );
    assert.deepEqual(broken.doubts, ['new problems', 'tests failed']);
    assert.deepEqual(
      broken.tests.map(({ result, hidden }) => [result, hidden]),
      [
        ['passed', false],
        ['failed', false],
        ['unclear', true],
      ],
    );
    assert.deepEqual((await of('c.txt')).doubts, ['no answer', 'tests failed']);
    assert.deepEqual((await of('b.ts')).doubts, ['tests failed']);
  });

  it('holds for the text that was tested: what a hand changes later is not covered', async () => {
    await play([calls(edit('a.ts', 'side;', 'side * 2;')), run('node --test good.test.mjs')]);
    assert.deepEqual((await of('a.ts')).doubts, []);
    const text = await readFile(at('a.ts'), 'utf8');
    await writeFile(at('a.ts'), `${text}// by hand\n`);
    const later = new Date(Date.now() + 5000);
    await utimes(at('a.ts'), later, later);
    assert.deepEqual((await of('a.ts')).doubts, ['changed since checked', 'not tested']);
  });
});
