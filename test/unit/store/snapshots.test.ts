import assert from 'node:assert/strict';
import { BelayError } from '../../../src/domain/failure.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  message,
  open,
  run,
  session,
  temporaryFolder,
  PATIENCE,
} from '../../contract/store/support.ts';

describe('store: snapshots (D8)', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await open(folder.path);
    await store.recorder.commit([
      { kind: 'session', session: session('s', { summaryId: 'c1' }) },
      { kind: 'message', message: message('s', 1, 'alpha') },
      { kind: 'message', message: message('s', 2, 'beta') },
      { kind: 'value', sessionId: 's', key: 'journal', value: 'early' },
      { kind: 'run', run: run('r', 's', { state: 'timed_out', resumeAvailable: true }) },
    ]);
    await store.blobs.putResult('s', 'o1', 'whole');
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const texts = async (): Promise<string[]> =>
    (await store.transcripts.messages({ sessionId: 's' })).map((one) =>
      one.parts[0]?.type === 'text' ? one.parts[0].text : '',
    );

  const goOn = () =>
    store.recorder.commit([
      { kind: 'session', session: session('s', { title: 'Later' }) },
      { kind: 'message', message: message('s', 3, 'gamma') },
      { kind: 'value', sessionId: 's', key: 'journal', value: 'late' },
    ]);

  it('restores transcript, summary and values; the state before is a snapshot too, so it can be undone', async () => {
    const saved = await store.snapshots.save('s', 'Before gamma');
    await goOn();
    const undo = await store.snapshots.restore(saved);
    assert.deepEqual(await texts(), ['alpha', 'beta']);
    const restored = await store.transcripts.session('s');
    assert.deepEqual([restored?.messageCount, restored?.summaryId], [2, 'c1']);
    assert.equal(await store.values.get('journal', 's'), 'early');
    assert.deepEqual((await store.transcripts.search('gamma', 5)).hits, []);
    assert.equal((await store.transcripts.search('beta', 5)).hits.length, 1);
    assert.equal((await store.blobs.result('s', 'o1', 0, 9))?.text, 'whole');
    await store.snapshots.restore(undo);
    assert.deepEqual(await texts(), ['alpha', 'beta', 'gamma']);
    assert.equal(await store.values.get('journal', 's'), 'late');
  });

  it('a reset empties the session and can be undone; what it cost stays counted', async () => {
    await store.recorder.commit([
      {
        kind: 'usage',
        usage: {
          sessionId: 's',
          runId: 'r',
          model: 'm',
          purpose: 'turn',
          usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
          cost: 2,
          at: 1,
        },
      },
    ]);
    const undo = await store.snapshots.reset('s');
    assert.deepEqual(await texts(), []);
    const empty = await store.transcripts.session('s');
    assert.deepEqual([empty?.messageCount, empty?.summaryId, empty?.cost], [0, undefined, 2]);
    await store.recorder.commit([{ kind: 'message', message: message('s', 1, 'fresh') }]);
    await store.snapshots.restore(undo);
    assert.deepEqual(await texts(), ['alpha', 'beta']);
  });

  it('lists saved and automatic ones, newest first, across a restart; sessions do not show them', async () => {
    const saved = await store.snapshots.save('s', 'Mine');
    await store.snapshots.reset('s');
    await store.close();
    store = await open(folder.path);
    const listed = await store.snapshots.list('s');
    assert.deepEqual(
      listed.map((one) => [one.kind, one.title, one.messageCount]),
      [
        ['automatic', 'Before the change', 2],
        ['saved', 'Mine', 2],
      ],
    );
    assert.deepEqual(
      (await store.transcripts.sessions()).map((one) => one.id),
      ['s'],
    );
    assert.equal(await store.transcripts.session(saved), undefined);
    await store.snapshots.delete(saved);
    assert.equal((await store.snapshots.list('s')).length, 1);
  });

  it('keeps automatic ones beyond five while they are small, and every saved one', async () => {
    await store.snapshots.save('s', 'Mine');
    for (let round = 0; round < 8; round += 1) await store.snapshots.reset('s');
    const kinds = (await store.snapshots.list('s')).map((one) => one.kind);
    assert.equal(kinds.filter((kind) => kind === 'automatic').length, 8);
    assert.equal(kinds.filter((kind) => kind === 'saved').length, 1);
  });

  it('a run of before can not be resumed into the restored transcript', async () => {
    await store.snapshots.reset('s');
    assert.equal((await store.runs.run('r'))?.resumeAvailable, false);
  });

  it('while a run is on nothing is changed', async () => {
    const saved = await store.snapshots.save('s', 'x');
    await store.recorder.commit([
      { kind: 'run', run: run('on', 's', { state: 'waiting_on_human' }) },
    ]);
    for (const change of [() => store.snapshots.restore(saved), () => store.snapshots.reset('s')]) {
      await assert.rejects(change(), (error: unknown) => {
        return error instanceof BelayError && error.code === 'busy';
      });
    }
    assert.deepEqual(await texts(), ['alpha', 'beta']);
    assert.equal((await store.snapshots.list('s')).length, 1, 'no automatic one either');
  });

  it('what does not exist is told', async () => {
    const missing = (error: unknown): boolean => {
      return error instanceof BelayError && error.code === 'not_found';
    };
    await assert.rejects(store.snapshots.save('nobody', 'x'), missing);
    await assert.rejects(store.snapshots.restore('nobody'), missing);
    await assert.rejects(store.snapshots.restore('s'), missing, 'a session is no snapshot');
    await assert.rejects(store.snapshots.reset('nobody'), missing);
  });

  it('they go with their session', async () => {
    await store.snapshots.save('s', 'x');
    await store.transcripts.deleteSession('s');
    assert.deepEqual(await store.snapshots.list('s'), []);
  });
});
