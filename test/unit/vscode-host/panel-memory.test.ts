import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { StoredPanelMemory } from '../../../src/hosts/vscode/state/panel-memory.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { WORKER } from '../../contract/store/support.ts';
import { MapMemento } from '../../support/memento.ts';
import { silentLog } from '../../support/memory-recorder.ts';

const PLACE = { messageId: 'm', offset: 12 };

describe('what the panel remembers', () => {
  const clock = new SystemClock();
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let stores: Store[];

  /** A window on the folder's database; it may end without a word, as one does that is killed. */
  async function window(): Promise<StoredPanelMemory> {
    const store = await openStore({ folder: folder.path, clock, log: silentLog, worker: WORKER });
    stores.push(store);
    const { values } = store;
    return StoredPanelMemory.open({ state: new MapMemento(), values, clock, log: silentLog });
  }

  beforeEach(async () => {
    folder = await mkdtempDisposable(path.join(os.tmpdir(), 'belay-memory-'));
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await folder[Symbol.asyncDispose]();
  });

  it('is in the database as soon as it is said to be, for each session', async () => {
    const memory = await window();
    memory.save('', { draft: 'for a new one', scroll: null });
    memory.save('one', { draft: 'un', scroll: null });
    memory.save('one', { draft: 'unsent', scroll: PLACE });
    memory.setLastSession('one');
    await memory.settled();

    const next = await window();
    assert.equal(next.lastSession(), 'one');
    assert.deepEqual(next.saved('one'), { draft: 'unsent', scroll: PLACE });
    assert.equal(next.saved('')?.draft, 'for a new one');
  });

  it('moves with a new session that becomes a real one, and goes with a deleted one', async () => {
    const memory = await window();
    memory.save('', { draft: 'typed', scroll: null });
    memory.become('made');
    memory.save('old', { draft: 'x', scroll: null });
    memory.save('old', undefined);
    await memory.settled();

    const next = await window();
    assert.equal(next.saved('made')?.draft, 'typed');
    assert.equal(next.saved(''), undefined);
    assert.equal(next.saved('old'), undefined);
  });

  it('forgets places of sessions that were left long ago, never a draft', async () => {
    const memory = await window();
    memory.save('first', { draft: 'kept', scroll: null });
    for (let index = 0; index < 210; index += 1)
      memory.save(`session-${index}`, { draft: '', scroll: PLACE });
    await memory.settled();

    const next = await window();
    assert.equal(next.saved('first')?.draft, 'kept');
    const places = Array.from({ length: 210 }, (_, index) => next.saved(`session-${index}`));
    assert.equal(places.filter((place) => place !== undefined).length, 200);
  });
});
