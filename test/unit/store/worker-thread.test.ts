import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { BelayError } from '../../../src/domain/failure.ts';
import { Client } from '../../../src/store/client.ts';
import type { StoreProblem } from '../../../src/store/rpc.ts';
import {
  message,
  open,
  session,
  temporaryFolder,
  WORKER,
  PATIENCE,
} from '../../contract/store/support.ts';

const lost = (error: unknown) => {
  assert.ok(error instanceof BelayError);
  assert.equal(error.code, 'store');
  assert.equal(error.failure.details?.['reason'], 'worker');
  assert.equal(error.failure.details['retryable'], true);
  assert.match(error.message, /Everything recorded before is kept/);
  return true;
};

describe('store: its worker thread', function () {
  this.timeout(PATIENCE);
  let folder: ReturnType<typeof temporaryFolder>;
  let problems: StoreProblem[];
  let client: Client;
  beforeEach(() => {
    folder = temporaryFolder();
    problems = [];
    client = clientOf(WORKER);
  });
  afterEach(async () => {
    await client.close().catch(() => {});
    folder.remove();
  });

  const clientOf = (worker: URL): Client =>
    new Client({
      worker,
      open: { folder: folder.path, busyTimeoutMs: 1000, at: 0 },
      onProblem: (problem) => problems.push(problem),
    });

  it('when it dies, what was asked fails readably, and a new one goes on with the same epoch', async () => {
    const { epoch } = await client.open();
    await client.call('commit', [{ kind: 'session', session: session('s') }]);
    // Another program's lock keeps the answer back, however quick the thread is.
    const locked = new DatabaseSync(path.join(folder.path, 'belay.db'));
    locked.exec('BEGIN IMMEDIATE');
    const pending = client.call('setValue', { key: 'k', value: 1 });
    const refused = assert.rejects(pending, lost);
    await client.worker?.terminate();
    locked.close();
    await refused;
    await client.call('commit', [{ kind: 'message', message: message('s', 1) }]);
    assert.equal((await client.call('messages', { sessionId: 's' })).length, 1);
    assert.equal(await client.call('epoch', undefined), epoch, 'the same process, the same epoch');
    assert.deepEqual(
      problems.map((problem) => problem.kind),
      ['worker_restarted'],
    );
  });

  it('it may die again after it has worked', async () => {
    await client.open();
    for (let round = 0; round < 3; round += 1) {
      await client.call('setValue', { key: 'k', value: round });
      await client.worker?.terminate();
    }
    assert.equal(await client.call('value', { key: 'k' }), '2');
    assert.equal(problems.length, 3);
  });

  it('one that dies at once is not started for ever', async () => {
    const broken = path.join(folder.path, 'broken.cjs');
    fs.writeFileSync(broken, 'throw new Error("broken at birth")');
    const hopeless = clientOf(pathToFileURL(broken));
    await assert.rejects(hopeless.open(), lost);
    await assert.rejects(hopeless.call('sessions', undefined), /broken at birth/);
    await hopeless.close();
    assert.deepEqual(problems, []);
  });

  it('a file that is not there is told', async () => {
    await assert.rejects(open(folder.path, { worker: path.join(folder.path, 'no.cjs') }), lost);
  });

  it('a closed store refuses with a sentence', async () => {
    const store = await open(folder.path);
    await store.close();
    await assert.rejects(store.transcripts.sessions(), /store is closed/);
  });

  it('closing writes what is waiting', async () => {
    const store = await open(folder.path);
    await store.recorder.commit([{ kind: 'session', session: session('s') }]);
    store.recorder.draft('s', 'm', 'last words');
    void store.recorder.commit([{ kind: 'message', message: message('s', 1) }]);
    await store.close();
    const again = await open(folder.path);
    assert.deepEqual(await again.transcripts.draftOf('s'), { messageId: 'm', parts: 'last words' });
    assert.equal((await again.transcripts.session('s'))?.messageCount, 1);
    await again.close();
  });

  it('a value that cannot cross to the thread is refused, the others go on', async () => {
    const store = await open(folder.path);
    const bad = store.values.set('k', (() => 1) as never);
    await assert.rejects(bad);
    await store.values.set('k', 2);
    assert.equal(await store.values.get('k'), 2);
    await store.close();
  });
});
