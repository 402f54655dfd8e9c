import assert from 'node:assert/strict';
import { EventBroker } from '../../../src/core/session/event-broker.ts';
import type { Session } from '../../../src/domain/session/session.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { keptSessions } from '../../../src/hosts/vscode/state/kept-sessions.ts';
import { SessionIndex } from '../../../src/hosts/vscode/state/session-index.ts';
import { session } from '../../contract/store/support.ts';
import { MapMemento } from '../../support/memento.ts';
import { noEvents, silentLog } from '../../support/memory-recorder.ts';

function indexOver(state: MapMemento, sessions: () => Promise<Session[]>): SessionIndex {
  return new SessionIndex(
    state,
    {
      transcripts: {
        sessions,
        session: async () => Promise.resolve(undefined),
      },
      broker: new EventBroker(new SystemClock(), silentLog, noEvents),
      others: { onChange: () => ({ dispose: () => undefined }) },
    },
    silentLog,
  );
}

describe('the index of the sessions in workspace state', () => {
  it('C11: keeps the sessions, and no text of their summaries', async () => {
    const state = new MapMemento();
    const stored = [session('a', { summaryId: 'c1' }), session('b')];
    await state.update('belay.sessions', [{ ...session('a'), summary: 'What was done.' }]);
    using index = disposable(indexOver(state, async () => Promise.resolve(stored)));
    const listed = new Promise<void>((resolve) => index.onChange(resolve));
    await index.list();
    await listed;
    assert.deepEqual(new Set(keptSessions(state)), new Set(stored));
  });

  it('C11: lists what it knows while the database does not answer', async () => {
    const state = new MapMemento();
    await state.update('belay.sessions', [session('a')]);
    using index = disposable(indexOver(state, async () => new Promise(() => undefined)));
    assert.deepEqual(
      (await index.list()).map(({ id }) => id),
      ['a'],
    );
  });

  it('rows that are damaged are left out, the others stay', async () => {
    const state = new MapMemento();
    const rows = [{ id: 'x' }, null, 7, { ...session('b'), title: 5 }, session('a')];
    await state.update('belay.sessions', rows);
    assert.deepEqual(
      keptSessions(state).map(({ id }) => id),
      ['a'],
    );
    await state.update('belay.sessions', 'no list');
    assert.deepEqual(keptSessions(state), []);
  });
});

function disposable(index: SessionIndex): SessionIndex & Disposable {
  return Object.assign(index, { [Symbol.dispose]: () => index.dispose() });
}
