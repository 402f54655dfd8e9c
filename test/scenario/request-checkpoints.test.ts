import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RestorePreview } from '../../src/core/restore/agent-changes.ts';
import type { RequestCheckpoint } from '../../src/core/restore/request-checkpoints.ts';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { hashOf } from '../../src/hosts/node/workspace-snapshots/pack.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'large.txt': 'x'.repeat(11 * 2 ** 20) };

const edits = (from: string, to: string) =>
  calls(call('edit_file', { path: 'a.txt', edits: [{ old_string: from, new_string: to }] }));

describe('a checkpoint before each request', () => {
  let storage: string;
  let snapshots: NodeWorkspaceSnapshots;
  let test: TestEngine;

  const open = (): NodeWorkspaceSnapshots =>
    new NodeWorkspaceSnapshots({
      folder: path.join(storage, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
  const start = async (own: NodeWorkspaceSnapshots = snapshots): Promise<string> => {
    test = await TestEngine.open({
      files: FILES,
      host: { snapshots: own },
      script: inOrder(
        calls(call('read_file', { files: [{ path: 'a.txt' }] })),
        edits('a', 'A'),
        say('Done.'),
        say('Only talk.'),
        say('More talk.'),
      ),
    });
    const { sessionId, end } = await test.run('First');
    assert.equal(end?.state, 'completed');
    await test.engine.checkpoints?.requests.settled();
    return sessionId;
  };

  beforeEach(() => {
    storage = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-requests-')));
    snapshots = open();
  });
  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    snapshots.dispose();
    rmSync(storage, { recursive: true, force: true });
  });

  const at = (name: string): string => path.join(test.workspace, name);
  const checkpoints = async (sessionId: string): Promise<readonly RequestCheckpoint[]> =>
    (await test.engine.checkpoints?.requests.list(sessionId)) ?? [];
  const preview = async (
    sessionId: string,
    checkpoint: RequestCheckpoint | undefined,
  ): Promise<readonly RestorePreview[]> => {
    const { changes } = test.engine;
    assert.ok(changes !== undefined);
    return changes.preview(await changes.list(sessionId), checkpoint);
  };

  it('knows what no call is on record for; it is offered, and restored only when it is chosen', async () => {
    const sessionId = await start();
    const [checkpoint] = await checkpoints(sessionId);
    const [target] = await test.engine.restore.targets(sessionId);
    assert.deepEqual(target?.checkpoint, checkpoint);
    // As a command in the background would, after its call had ended.
    await writeFile(at('b.txt'), 'changed later\n');
    await writeFile(at('made.txt'), 'made later\n');
    await writeFile(at('large.txt'), 'small by now\n');
    const found = await preview(sessionId, checkpoint);
    assert.deepEqual(
      found.map((one) => `${one.path} ${one.outcome}`),
      ['a.txt restored', 'b.txt others', 'made.txt others'],
      'of what was too large nothing is known, so it is not said to be new',
    );
    assert.match(found[1]?.why ?? '', /something else/u);
    await test.engine.changes?.restore(
      sessionId,
      found.filter(({ outcome }) => outcome !== 'others'),
    );
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'a\n');
    assert.equal(await readFile(at('b.txt'), 'utf8'), 'changed later\n');
    const chosen = await preview(sessionId, checkpoint);
    await test.engine.changes?.restore(sessionId, chosen);
    assert.equal(await readFile(at('b.txt'), 'utf8'), 'b\n');
    assert.equal(existsSync(at('made.txt')), false);
    assert.deepEqual(await preview(sessionId, checkpoint), []);
  });

  it('costs one small record when nothing has changed, and names what is left out', async () => {
    const sessionId = await start();
    await test.engine.agent.send(sessionId, { text: 'Second' });
    await test.engine.agent.runs.settled(sessionId);
    await test.engine.checkpoints?.requests.settled();
    const size = await snapshots.size();
    await test.engine.agent.send(sessionId, { text: 'Third' });
    await test.engine.agent.runs.settled(sessionId);
    await test.engine.checkpoints?.requests.settled();
    const all = await checkpoints(sessionId);
    const persons = (await test.messages(sessionId)).filter(
      ({ role, origin }) => role === 'user' && (origin ?? 'person') === 'person',
    );
    assert.deepEqual(
      all.map(({ messageId }) => messageId).toSorted(),
      persons.map(({ id }) => id).toSorted(),
    );
    const [second, third] = persons
      .slice(1)
      .map(({ id }) => all.find(({ messageId }) => messageId === id));
    assert.deepEqual(third?.folders, second?.folders);
    assert.equal(await snapshots.size(), size, 'nothing is stored twice');
    assert.ok(JSON.stringify(third).length < 1000);
    assert.deepEqual(third?.leftOut.reasons, [{ why: 'large', count: 1, named: ['large.txt'] }]);
  });

  it('survives cleaning up, also in another window, and goes when it is too old', async () => {
    const sessionId = await start();
    const [checkpoint] = await checkpoints(sessionId);
    assert.ok(checkpoint !== undefined);
    await writeFile(at('b.txt'), 'changed later\n');
    await test.close();
    snapshots.dispose();
    snapshots = open();
    test = await TestEngine.open({ after: test, host: { snapshots }, script: () => say('.') });
    await test.engine.checkpoints?.storage.clean();
    const found = await preview(sessionId, checkpoint);
    assert.deepEqual(
      found.map(({ to }) => (to.kind === 'file' ? Buffer.from(to.bytes).toString() : to.kind)),
      ['a\n', 'b\n'],
    );
    const facts = await test.engine.checkpoints?.storage.facts();
    assert.deepEqual([facts?.requests, facts?.calls, facts?.oldest], [1, 1, checkpoint.at]);
    assert.ok((facts?.bytes ?? 0) > 0);
    const { values } = test.engine.store;
    const key = `checkpoint/${checkpoint.messageId}`;
    await values.set(key, { ...checkpoint, at: Date.now() - 31 * 86_400_000 }, sessionId);
    await test.engine.checkpoints?.storage.clean();
    assert.deepEqual(await checkpoints(sessionId), []);
    const was = found[1]?.to;
    assert.ok(was?.kind === 'file');
    const record = { kind: 'file', hash: hashOf(was.bytes), size: 2, mode: was.mode } as const;
    await test.engine.checkpoints?.storage.cleanUp({ kind: 'gone' });
    await assert.rejects(snapshots.contentOf(record), { code: 'not_found' });
  });

  it('that cannot be taken stops nothing', async () => {
    const broken = new Proxy(snapshots, {
      get: (target, name) =>
        name === 'take'
          ? () => Promise.reject(new Error('no disk'))
          : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    const sessionId = await start(broken);
    assert.equal(await readFile(at('a.txt'), 'utf8'), 'A\n');
    assert.deepEqual(await checkpoints(sessionId), []);
    const records = (await test.engine.changes?.list(sessionId)) ?? [];
    const unkept = records.map((record) => record.unkept ?? []);
    assert.deepEqual(unkept, [[]], 'edits are on record');
  });
});
