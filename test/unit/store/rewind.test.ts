import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { Part } from '../../../src/domain/message.ts';
import type { Compaction } from '../../../src/domain/session/session.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  message,
  open,
  run,
  session,
  temporaryFolder,
  PATIENCE,
} from '../../contract/store/support.ts';

const compaction = (id: string, throughSeq: number): Compaction => ({
  id,
  sessionId: 's',
  throughSeq,
  summary: `summary ${id}`,
  strategy: 'summarize',
  reason: 'requested',
  tokensBefore: 10,
  tokensAfter: 5,
  undone: false,
  createdAt: 1,
});

describe('store: the end of a conversation is taken out, and a beginning becomes a session', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await open(folder.path);
    const big: readonly Part[] = [
      {
        type: 'tool_result',
        callId: 'c',
        name: 'read_file',
        state: 'done',
        content: [{ type: 'text', text: 'beta' }],
        cut: { resultId: 'big', shown: 4, total: 100_000 },
      },
    ];
    await store.recorder.commit([
      { kind: 'session', session: session('s', { summaryId: 'c2', model: 'm' }) },
      { kind: 'message', message: message('s', 1, 'alpha', { runId: 'r' }) },
      { kind: 'message', message: message('s', 2, big, { role: 'tool', runId: 'r' }) },
      { kind: 'message', message: message('s', 3, 'gamma') },
      { kind: 'message', message: message('s', 4, 'delta') },
      { kind: 'compaction', compaction: compaction('c1', 1) },
      { kind: 'compaction', compaction: compaction('c2', 3) },
      { kind: 'value', sessionId: 's', key: 'todo', value: 'late' },
      { kind: 'value', sessionId: 's', key: 'changes/00000001', value: { callId: 'c' } },
      { kind: 'run', run: run('r', 's', { state: 'timed_out', resumeAvailable: true }) },
    ]);
    await store.blobs.putResult('s', 'big', 'x'.repeat(100_000));
    await store.blobs.putResult('s', 'later', 'y');
    store.recorder.draft('s', 'm-5', [{ type: 'text', text: 'half' }]);
    await store.recorder.flush();
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  /** Everything of a session that a person or the model can see. */
  const all = async (id = 's'): Promise<object> => ({
    messages: await store.transcripts.messages({ sessionId: id }),
    compactions: await store.transcripts.compactions(id),
    values: await store.values.list('', id),
    session: { ...(await store.transcripts.session(id)), updatedAt: 0 },
    found: [await store.transcripts.search('gamma', 5), await store.transcripts.search('alpha', 5)],
    resumable: (await store.runs.run('r'))?.resumeAvailable,
    draft: await store.transcripts.draftOf(id),
    snapshots: (await store.snapshots.list(id)).length,
  });
  const rewind = (more: object = {}): Promise<string> =>
    store.snapshots.rewind({
      sessionId: 's',
      fromSeq: 3,
      lastSeq: 4,
      title: 'Before restoring',
      values: { todo: 'early', 'restore/last': 1 },
      ...more,
    });

  it('the messages from there on go, with what represents them; an earlier compaction is in force again', async () => {
    const before = await store.transcripts.messages({ sessionId: 's' });
    const kept = await rewind();
    assert.deepEqual(await store.transcripts.messages({ sessionId: 's' }), before.slice(0, 2));
    assert.deepEqual(
      (await store.transcripts.compactions('s')).map(({ id }) => id),
      ['c1'],
    );
    const now = await store.transcripts.session('s');
    assert.deepEqual([now?.messageCount, now?.summaryId], [2, undefined]);
    assert.equal(await store.values.get('todo', 's'), 'early');
    assert.equal((await store.values.list('changes/', 's')).length, 1, 'files have a record still');
    assert.deepEqual((await store.transcripts.search('gamma', 5)).hits, []);
    assert.equal((await store.runs.run('r'))?.resumeAvailable, false);
    const [snapshot] = await store.snapshots.list('s');
    assert.deepEqual(
      [snapshot?.id, snapshot?.title, snapshot?.kind, snapshot?.messageCount],
      [kept, 'Before restoring', 'automatic', 4],
    );
    // And back, exactly.
    await store.values.set('changes/00000002', { callId: 'd' }, 's');
    await store.snapshots.restore(kept);
    assert.deepEqual(await store.transcripts.messages({ sessionId: 's' }), before);
    assert.deepEqual(
      (await store.transcripts.compactions('s')).map(({ id }) => id),
      ['c1', 'c2'],
    );
    assert.equal(await store.values.get('todo', 's'), 'late');
    assert.equal((await store.values.list('changes/', 's')).length, 2);
    assert.equal(await store.values.get('restore/last', 's'), undefined);
    assert.equal((await store.transcripts.session('s'))?.summaryId, 'c2');
    assert.equal((await store.transcripts.search('gamma', 5)).hits.length, 1);
  });

  it('nothing is done when the conversation has changed since it was looked at, or while a run is on', async () => {
    const before = await all();
    await assert.rejects(rewind({ lastSeq: 3 }), { code: 'invalid' });
    assert.deepEqual(await all(), before);
    await store.recorder.commit([{ kind: 'run', run: run('on', 's') }]);
    await assert.rejects(rewind(), { code: 'busy' });
    assert.deepEqual(await all(), before);
  });

  it('what is queued waits until the person has sent something, and goes after it', async () => {
    await store.recorder.commit([
      {
        kind: 'queued',
        queued: {
          id: 'q',
          sessionId: 's',
          position: 0,
          text: 'then this',
          attachments: [],
          mode: 'queue',
          createdAt: 0,
        },
      },
    ]);
    const kept = await rewind();
    assert.equal(await store.values.get('held', 's'), 'behind');
    await store.snapshots.restore(kept);
    assert.equal(await store.values.get('held', 's'), 'behind');
    assert.equal((await store.runs.queued('s')).length, 1);
  });

  /** Statements at which the transaction breaks off. */
  const FAULTS = [
    'BEFORE DELETE ON messages',
    'BEFORE DELETE ON compactions',
    'BEFORE DELETE ON drafts',
    'BEFORE UPDATE ON runs',
    'BEFORE UPDATE OF message_count ON sessions',
    "BEFORE INSERT ON key_values WHEN new.key = 'restore/last'",
    'BEFORE INSERT ON compactions',
    'BEFORE INSERT ON sessions',
  ];
  for (const fault of FAULTS) {
    it(`is done as a whole or not at all: ${fault}`, async () => {
      const kept = await rewind();
      await store.snapshots.restore(kept, { values: {} });
      store.recorder.draft('s', 'm-5', [{ type: 'text', text: 'half' }]);
      await store.recorder.commit([
        { kind: 'run', run: run('r', 's', { state: 'timed_out', resumeAvailable: true }) },
      ]);
      await store.recorder.flush();
      const before = await all();
      const { file } = store;
      const other = new DatabaseSync(file);
      other.exec(`CREATE TRIGGER fault ${fault} BEGIN SELECT RAISE(ABORT, 'fault'); END`);
      other.close();
      await assert.rejects(rewind());
      await store.close();
      store = await open(folder.path);
      assert.deepEqual(await all(), before);
      const last = new DatabaseSync(file);
      last.exec('DROP TRIGGER fault');
      last.close();
      await rewind();
      assert.equal((await store.transcripts.messages({ sessionId: 's' })).length, 2);
    });
  }

  it('a fork has the beginning and all it refers to, also when the original is gone', async () => {
    await store.snapshots.fork({
      sessionId: 's',
      id: 'f',
      throughSeq: 3,
      title: 'Session s (fork)',
      values: { todo: 'then' },
    });
    const original = await all();
    assert.equal((await store.transcripts.sessions())[0]?.id, 'f', 'the newest in the list');
    assert.deepEqual((original as { snapshots: number }).snapshots, 0);
    const expected = (await store.transcripts.messages({ sessionId: 's' })).slice(0, 3);
    await store.transcripts.deleteSession('s');
    const fork = await store.transcripts.session('f');
    assert.deepEqual(
      [fork?.title, fork?.type, fork?.messageCount, fork?.model, fork?.cost],
      ['Session s (fork)', 'main', 3, 'm', 0],
    );
    assert.deepEqual(
      await store.transcripts.messages({ sessionId: 'f' }),
      expected.map(({ runId: _runId, ...rest }) => ({ ...rest, sessionId: 'f' })),
    );
    assert.equal((await store.blobs.result('f', 'big', 0, 200_000))?.text.length, 100_000);
    assert.equal(await store.blobs.result('f', 'later', 0, 1), undefined, 'nothing refers to it');
    assert.equal(await store.values.get('todo', 'f'), 'then');
    assert.equal((await store.values.list('changes/', 'f')).length, 1);
    assert.deepEqual(
      (await store.transcripts.compactions('f')).map(({ id }) => id),
      ['c1', 'c2'],
    );
    assert.equal((await store.transcripts.search('gamma', 5)).hits[0]?.sessionId, 'f');
    await store.recorder.commit([{ kind: 'message', message: message('f', 4, 'on') }]);
    await assert.rejects(
      store.snapshots.fork({ sessionId: 's', id: 'g', throughSeq: 1, title: 'x', values: {} }),
      { code: 'not_found' },
    );
  });
});
