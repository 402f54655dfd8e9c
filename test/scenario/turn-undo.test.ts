import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hunksOf } from '../../src/core/review/model/hunks.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');
const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const edit = (from: string, to: string) =>
  calls(call('edit_file', { path: 'a.txt', edits: [{ old_string: from, new_string: to }] }));
const SCRIPT = [
  calls(call('read_file', { files: [{ path: 'a.txt' }] })),
  edit('two', 'TWO'),
  calls(
    call('write_file', { path: 'made.txt', content: 'made\n' }),
    call('run_command', { command: 'echo built > built.txt' }),
  ),
  say('First done.'),
  edit('six', 'SIX'),
  say('Second done.'),
];

describe('undoing a turn', function () {
  this.timeout(60_000);
  let folder: string;
  let snapshots: NodeWorkspaceSnapshots;
  let test: TestEngine;
  let sessionId: string;
  let first: string;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-turn-')));
    snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(folder, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    test = await TestEngine.open({
      files: { 'a.txt': LINES },
      settings: { 'permissions.mode': 'auto' },
      host: { snapshots, reviewed: true },
      script: inOrder(...SCRIPT),
    });
    ({ sessionId } = await test.run('First.'));
    await test.engine.agent.send(sessionId, { text: 'Second.' });
    await test.engine.agent.runs.settled(sessionId);
    const targets = await test.engine.restore.targets(sessionId);
    first = targets.at(-1)?.message.id ?? assert.fail();
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (name: string): string => path.join(test.workspace, name);
  const text = (name: string): string | undefined => {
    try {
      return readFileSync(at(name), 'utf8');
    } catch {
      return undefined;
    }
  };
  const pending = (): readonly string[] =>
    (test.engine.reviews?.pending ?? []).flatMap((row) =>
      hunksOf(row).map(({ added }) => `${path.basename(row.path)} ${added.join('|')}`),
    );

  it('keeps what came after it, of the agent and of the user, and what commands changed', async () => {
    writeFileSync(at('a.txt'), LINES.replace('two', 'TWO').replace('six', 'SIX').concat('mine\n'));
    const previews = await test.engine.turnUndo.preview(sessionId, first);
    assert.deepEqual(previews.map((one) => `${one.path} ${one.outcome}`).toSorted(), [
      'a.txt merged',
      'made.txt restored',
    ]);
    const { record } = await test.engine.turnUndo.undo(sessionId, previews);
    assert.equal(text('a.txt'), LINES.replace('six', 'SIX').concat('mine\n'));
    assert.equal(text('made.txt'), undefined);
    assert.equal(text('built.txt'), 'built\n');
    assert.deepEqual(pending(), ['a.txt SIX']);
    await test.engine.turnUndo.redo(sessionId, record);
    assert.equal(text('a.txt'), LINES.replace('two', 'TWO').replace('six', 'SIX').concat('mine\n'));
    assert.equal(text('made.txt'), 'made\n');
  });

  it('shows what it would do where later edits overlap it, and leaves those', async () => {
    const mine = LINES.replace('two', 'TWO, and mine').replace('six', 'SIX');
    writeFileSync(at('a.txt'), mine);
    const previews = await test.engine.turnUndo.preview(sessionId, first);
    assert.deepEqual(previews.map((one) => `${one.path} ${one.outcome}`).toSorted(), [
      'a.txt conflict',
      'made.txt restored',
    ]);
    await test.engine.turnUndo.undo(
      sessionId,
      previews.filter(({ outcome }) => outcome === 'restored'),
    );
    assert.equal(text('a.txt'), mine);
    assert.equal(text('made.txt'), undefined);
  });
});
